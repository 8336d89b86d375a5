/// Words in a picture.
#pragma once

#include "tendril/picture.h"

#include <string>

namespace tendril::app {

/// A part of a picture [pixels].
struct Place {
    uint32_t left, top, width, height;
};

/// Light letters on a dark strip, in the upper left corner of a part of the picture, as large as suits its height or
/// larger, where they fit; what does not fit is cut.
void draw_label(Picture& picture, const Place& place, const std::string& text, int least_scale = 1);

}  // namespace tendril::app
