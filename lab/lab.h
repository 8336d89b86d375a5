/// The command `tendril lab`.
#pragma once

#include "command.h"

namespace tendril::app {

Run add_lab_command(CLI::App& program);

}  // namespace tendril::app
