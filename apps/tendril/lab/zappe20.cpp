#include "lab_run.h"

namespace tendril::app {

Paper zappe20()
{
    return {"zappe20", "M. Zappe: Simulation of Hair with the Tractrix Curve. Master thesis, Ravensburg-Weingarten, 2020.", {}};
}

}  // namespace tendril::app
