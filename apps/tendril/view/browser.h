/// Shows a page to whoever sits at this machine.
#pragma once

#include <string>

namespace tendril::app {

/// Opens it with what the desktop has for that, and does not wait. Nothing happens without a display, or where nobody
/// sees what the program prints either.
void open_browser(const std::string& address);

}  // namespace tendril::app
