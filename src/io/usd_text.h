/// Parses a USD ASCII layer (.usda) into a tree of prims. Nothing is composed: references, payloads, sublayers and
/// variants are only counted. Names and words are views into the text, which must outlive them.
#pragma once

#include "tendril/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tendril {

/// A number, tuple or word, or a list of these. Numbers of tuples and matrices are stored flat.
struct UsdValue {
    /// Floats for types of 32 bits or less, doubles for all other numbers. Words are strings, tokens, paths and assets
    /// without their quotes; escapes are kept. None, dictionaries and splines are read as monostate.
    std::variant<std::monostate, std::vector<float>, std::vector<double>, std::vector<std::string_view>> data;
    uint32_t width = 0;  ///< numbers per element, 16 for a 4 x 4 matrix; 0 if there are no elements
    size_t offset = 0;   ///< position in the text

    bool is_nothing() const { return data.index() == 0; }
    size_t number_count() const;
    /// The number of elements, or 0 if their width is not `of_width`.
    size_t elements(uint32_t of_width) const { return width == of_width ? number_count() / of_width : 0; }
    double number(size_t i) const;
    std::span<const std::string_view> words() const;
};

struct UsdSample {
    double time = 0;  ///< time code
    UsdValue value;
};

/// One statement about an attribute or relationship (type "rel"): its value or its time samples, in order of time.
struct UsdAttribute {
    std::string_view type, name;
    UsdValue value;
    std::vector<UsdSample> samples;
    std::string_view interpolation;  ///< from the metadata, or empty
    uint32_t element_size = 1;
};

enum class UsdSpecifier : uint8_t { kDef, kOver, kClass };

/// A composition arc of a layer or prim, such as subLayers or payload, and the number of its targets. Value clips and
/// relocates, which also compose, are counted once each.
struct UsdArc {
    std::string_view name;
    size_t targets = 0;
};

struct UsdPrim {
    UsdSpecifier specifier = UsdSpecifier::kDef;
    bool active = true;
    std::string_view type, name;
    size_t offset = 0;
    std::vector<UsdArc> arcs;
    uint32_t variant_sets = 0;
    std::vector<UsdAttribute> attributes;
    std::vector<std::string_view> connected;  ///< attributes with a connection, as in points.connect = </Other.points>
    std::vector<UsdPrim> children;
};

struct UsdField {
    std::string_view name;
    UsdValue value;
};

struct UsdLayer {
    std::string_view text;
    std::string name;                ///< name of the file, for messages
    std::vector<UsdField> metadata;  ///< fields about units, axes and times
    std::vector<UsdArc> arcs;
    std::vector<UsdPrim> prims;

    Error error(size_t offset, std::string_view reason) const;  ///< "name:line: reason"
    const UsdValue* field(std::string_view field_name) const;
    /// The number in a field, or `fallback` if there is none.
    double number(std::string_view field_name, double fallback) const;
};

/// All statements of a prim about one name, combined.
struct UsdProperty {
    const UsdValue* value = nullptr;
    std::span<const UsdSample> samples;
    std::string_view interpolation;
    uint32_t element_size = 1;

    explicit operator bool() const { return value || !samples.empty(); }
    /// The default value; without one the first sample; without samples null.
    const UsdValue* first() const { return value ? value : samples.empty() ? nullptr : &samples.front().value; }
};
UsdProperty find_property(const UsdPrim& prim, std::string_view name);

/// A time code, or nothing for the default time, at which default values apply.
using UsdTime = std::optional<double>;

/// Linear interpolation at a time: a + (b - a) * fraction. Before the first and after the last sample, that sample
/// holds.
struct UsdBlend {
    const UsdValue* a = nullptr;
    const UsdValue* b = nullptr;  ///< null if `a` holds alone
    double fraction = 0;
};
/// Between two samples of different sizes, the earlier one holds.
UsdBlend values_at(const UsdProperty& property, UsdTime time);
/// Number i of the interpolated value.
double blended(const UsdBlend& blend, size_t i);

template <size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name)
{
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Accepts any text and returns a layer, or an error with its line.
Result<UsdLayer> parse_usd_text(std::string_view text, const std::string& name);

}  // namespace tendril
