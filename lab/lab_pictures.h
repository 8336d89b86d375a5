/// Pictures made of pictures: with words in them, or several exposures in one.
#pragma once

#include "lab_run.h"

#include <string>
#include <vector>

namespace tendril::app {

/// With words in its upper left corner.
Picture labelled(Picture picture, const std::string& text);

/// Many moments in one picture, as a strobe lamp shows them: of each place what was brightest. For light strands before
/// a dark background.
class Strobe {
public:
    void add(const Picture& picture);
    bool empty() const { return picture_.bytes.empty(); }
    const Picture& picture() const { return picture_; }

private:
    Picture picture_;
};

}  // namespace tendril::app
