#include "lab_run.h"

namespace tendril::app {

Paper boercsoek20()
{
    return {"boercsoek20", "B. Börcsök: Simulation of Curly Hair. Project report, Budapest, 2020.", {}};
}

}  // namespace tendril::app
