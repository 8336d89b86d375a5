/// Counts the parts of a USD layer that are not read, so that nothing is left out silently.
#pragma once

#include "io/usd_stage.h"
#include "tendril/curve_file.h"

namespace tendril {

class UsdLeftOut {
public:
    /// `what` is a singular noun, such as "sublayer".
    void add(const std::string& what, size_t count = 1);
    std::vector<LeftOut> take() { return std::move(list_); }

private:
    std::vector<LeftOut> list_;
    std::unordered_map<std::string, size_t> index_;  ///< into the list, by noun
};

/// Adds composition arcs, variant sets, prims of other types than those that are read or that are not drawn, attributes
/// of curves that have no meaning here, connections, and the motion of attributes of which only the first value is
/// read.
void count_left_out(const UsdStage& stage, UsdLeftOut& out);

/// "primvars:st attribute", without characters that are not printable.
std::string attribute_noun(std::string_view name);

}  // namespace tendril
