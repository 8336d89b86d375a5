#include "lab_run.h"

namespace tendril::app {

Paper rungjiratananon11()
{
    return {"rungjiratananon11",
            "W. Rungjiratananon, Y. Kanamori, N. Metaaphanon, Y. Bando, B.-Y. Chen, T. Nishita: Twisting, Tearing and "
            "Flicking Effects in String Animations. MIG 2011.",
            {}};
}

}  // namespace tendril::app
