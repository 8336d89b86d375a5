/// The command `tendril bench`.
#pragma once

#include "command.h"

namespace tendril::app {

Run add_bench_command(CLI::App& program);

}  // namespace tendril::app
