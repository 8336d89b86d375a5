/// Opens a page in the browser.
#pragma once

#include <string>

namespace tendril::app {

/// Opens an address with the default browser of the desktop and does not wait. Does nothing without a display, or if
/// stdout is not a terminal.
void open_browser(const std::string& address);

}  // namespace tendril::app
