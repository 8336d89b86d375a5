/// A claim of a paper and its finding. The claims of a paper are in one table; each has a function that simulates,
/// measures, and judges whether the claim holds.
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
    std::string measured = {};  ///< in a sentence or two, with units
    /// Why the claim does not hold, if that is known. A claim that fails without a reason is a problem.
    std::string reason = {};
    std::vector<std::pair<std::string, double>> numbers = {};  ///< for lab.json
    std::vector<LabFigure> figures = {};
    std::vector<LabTable> tables = {};
    /// If the claim holds only with our method: what that is and does, in half a sentence. Empty: it holds as printed.
    std::string ours = {};
    /// If the claim holds, and no run needs the printed form of a method: why, in half a sentence, such as "the search
    /// is run by itself, as printed". It is not for claims that were only run with our form.
    std::string any_form = {};
};

struct Claim {
    std::string name;   ///< "fig4"; with its paper "mueller12/fig4"
    std::string place;  ///< where the paper makes the claim: "Fig. 4 and 5, section 4"
    std::string title;  ///< a few words
    std::string claim;  ///< what the paper says, in our words
    std::string bar;    ///< the measurement that it needs to hold
    /// The scene files that show it, such as "papers/mueller12_fig4", separated by ", ". If there are none, the command
    /// that measures the same, such as "tendril bench". The page also lists the scenes that a run opened.
    std::string scene;
    Result<Finding> (*find)(Lab& lab) = nullptr;
};

/// A method that has a printed form beside ours, and whether a run had the printed one.
struct FormUse {
    std::string method;  ///< of a solver "dftl" and so on, or "shape", "grid" or "sph"
    bool printed = false;
    bool operator==(const FormUse&) const = default;
};

/// A scene that was opened for a claim, and the values that it was given.
struct SceneUse {
    std::string name;
    size_t opened = 0;
    std::vector<std::vector<FormUse>> forms = {};  ///< of its runs, each combination once
    /// By key, each value once. An empty value stands for that of the scene file, if the scene was also opened with
    /// another one.
    std::vector<std::pair<std::string, std::vector<std::string>>> values = {};
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
