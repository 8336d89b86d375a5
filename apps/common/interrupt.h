/// Ctrl-C asks the program to stop after the current piece of work; repeated, it ends the program at once.
#pragma once

namespace tendril::app {

void catch_signals();
bool interrupted();

}  // namespace tendril::app
