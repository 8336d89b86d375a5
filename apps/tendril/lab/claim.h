/// A claim of a paper and what was found of it. Claims stand in one file per paper; each is a function that simulates,
/// measures, and says whether the claim holds.
#pragma once

#include "tendril/picture.h"
#include "tendril/plot.h"
#include "tendril/result.h"

#include <string>
#include <utility>
#include <vector>

namespace tendril::app {

class Lab;

/// A picture or a plot.
struct LabFigure {
    std::string caption;
    Picture picture = {};  ///< empty: the plot
    Plot plot = {};
};

struct LabTable {
    std::string caption;
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};

struct Finding {
    bool holds = false;
    std::string measured;  ///< in a sentence or two, with units
    /// Where it does not hold: why, as far as it is known. A claim that fails without a reason is a problem.
    std::string reason = {};
    std::vector<std::pair<std::string, double>> numbers = {};  ///< for lab.json
    std::vector<LabFigure> figures = {};
    std::vector<LabTable> tables = {};
};

struct Claim {
    std::string name;   ///< "fig4"; with its paper "mueller12/fig4"
    std::string place;  ///< "Fig. 4 and 5, section 4"
    std::string title;  ///< a few words
    std::string claim;  ///< what the paper says, in our words
    std::string bar;    ///< what must be measured for it to hold
    std::string scene;  ///< the scene file that shows it, such as "papers/mueller12_fig4"
    Result<Finding> (*find)(Lab& lab) = nullptr;
};

struct Paper {
    std::string name;      ///< "mueller12"
    std::string citation;  ///< authors, title, where, year
    std::vector<Claim> claims;
};

Paper mueller12();
Paper sanchez15();
Paper rungjiratananon11();
Paper zappe20();
Paper boercsoek20();

}  // namespace tendril::app
