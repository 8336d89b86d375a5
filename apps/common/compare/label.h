/// Text in a picture.
#pragma once

#include "tendril/picture.h"

#include <string>

namespace tendril::app {

/// A part of a picture [pixels].
struct Region {
    uint32_t left, top, width, height;
};

/// Draws light letters on a dark strip in the upper left corner of a region. The size follows from the height of the
/// region and is at least `min_scale`, unless the text would not fit; text that does not fit at scale 1 is cut off.
void draw_label(Picture& picture, const Region& region, const std::string& text, int min_scale = 1);

}  // namespace tendril::app
