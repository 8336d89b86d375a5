#include "lab_run.h"

namespace tendril::app {

Paper sanchez15()
{
    return {"sanchez15",
            "R. M. Sánchez-Banderas, H. Barreiro, I. García-Fernández, M. Pérez: Real-time Inextensible Hair with "
            "Volume and Shape. CEIG 2015.",
            {}};
}

}  // namespace tendril::app
