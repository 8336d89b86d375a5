// The program tendril-bench, which `tendril bench` starts.
#include "bench.h"
#include "command.h"
#include "program_command.h"

int main(int argc, char** argv)
{
    return tendril::app::run_one_command(tendril::app::kBenchCommand.name, tendril::app::add_bench_command, argc, argv);
}
