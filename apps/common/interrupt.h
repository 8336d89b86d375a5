/// Ctrl-C asks to stop after the present piece of work; who insists ends the program at once.
#pragma once

namespace tendril::app {

void catch_signals();
bool interrupted();

}  // namespace tendril::app
