/// Labelled pictures, and several exposures in one.
#pragma once

#include "lab_run.h"

#include <string>
#include <vector>

namespace tendril::app {

/// Adds a label in the upper left corner.
Picture labelled(Picture picture, const std::string& text);

/// Overlays many moments in one picture, as a strobe lamp does, by keeping the brightest value of each pixel. For light
/// strands on a dark background.
class Strobe {
public:
    void add(const Picture& picture);
    bool empty() const { return picture_.bytes.empty(); }
    const Picture& picture() const { return picture_; }

private:
    Picture picture_;
};

}  // namespace tendril::app
