// The program tendril-lab, which `tendril lab` starts.
#include "command.h"
#include "lab.h"
#include "program_command.h"

int main(int argc, char** argv)
{
    return tendril::app::run_one_command(tendril::app::kLabCommand.name, tendril::app::add_lab_command, argc, argv);
}
