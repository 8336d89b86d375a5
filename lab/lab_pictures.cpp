#include "lab_pictures.h"

#include "compare/label.h"

#include <algorithm>

namespace tendril::app {

Picture labelled(Picture picture, const std::string& text)
{
    constexpr int kScale = 2;  // panels are shown at half their size, or less
    draw_label(picture, {0, 0, picture.width, picture.height}, text, kScale);
    return picture;
}

void Strobe::add(const Picture& picture)
{
    if (empty()) {
        picture_ = picture;
        return;
    }
    for (size_t i = 0; i < std::min(picture.bytes.size(), picture_.bytes.size()); ++i)
        picture_.bytes[i] = std::max(picture_.bytes[i], picture.bytes[i]);
}

}  // namespace tendril::app
