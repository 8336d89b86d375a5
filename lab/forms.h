/// Which methods of a run have a form as printed in a paper beside ours, and which form the run had.
#pragma once

#include "claim.h"
#include "tendril/scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace tendril::app {

/// The methods of a scene that have a printed form, each once. A method counts as printed if it is in all grooms.
std::vector<FormUse> forms_of(const Scene& scene);

/// Whether a method is one of those that a paper prints, such as "dftl" and "grid" of "mueller12". A paper may run the
/// methods of others for comparison.
bool prints(std::string_view paper, std::string_view method);

/// What the runs of a claim show about the methods of its paper.
struct FormsRun {
    bool opened = false;     ///< a scene was opened
    bool two_forms = false;  ///< a run had a method of the paper
    bool printed = false;    ///< a run had all of its methods of the paper in their printed form
    /// If not: the methods of the paper that had our form, such as "dftl or grid", one of them in every run.
    std::string ours = {};
};
FormsRun forms_run(std::string_view paper, const std::vector<SceneUse>& uses);

}  // namespace tendril::app
