/// USD ASCII layers (.usda) as a tree of prims. Only what one layer says itself: nothing is composed, so references,
/// payloads, sublayers and variants are passed over. Names and words are views into the text, which must outlive them.
#pragma once

#include "tendril/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tendril {

/// A number, tuple, word, or a list of these. Numbers are flat: tuples and matrices lie one after another.
struct UsdValue {
    /// Singles for types of 32 bits or less, doubles for all other numbers. Words are strings, tokens, paths and
    /// assets without their quotes; escapes stay as they are. None, dictionaries and curves of values are nothing.
    std::variant<std::monostate, std::vector<float>, std::vector<double>, std::vector<std::string_view>> data;
    uint32_t width = 0;  ///< numbers per element, 16 for a 4 x 4 matrix; 0 where there are no elements
    size_t offset = 0;   ///< where it stands in the text

    bool is_nothing() const { return data.index() == 0; }
    size_t number_count() const;
    /// Elements of this many numbers; 0 where the value has another width.
    size_t elements(uint32_t of_width) const { return width == of_width ? number_count() / of_width : 0; }
    double number(size_t i) const;
    std::span<const std::string_view> words() const;
};

struct UsdSample {
    double time = 0;  ///< time code
    UsdValue value;
};

/// One statement about an attribute or relationship (type "rel"): its value, or its time samples, in order.
struct UsdAttribute {
    std::string_view type, name;
    UsdValue value;
    std::vector<UsdSample> samples;
    std::string_view interpolation;  ///< from the metadata, or empty
    uint32_t element_size = 1;
};

enum class UsdSpecifier : uint8_t { kDef, kOver, kClass };

struct UsdPrim {
    UsdSpecifier specifier = UsdSpecifier::kDef;
    bool active = true;
    std::string_view type, name;
    size_t offset = 0;
    std::vector<UsdAttribute> attributes;
    std::vector<UsdPrim> children;
};

struct UsdField {
    std::string_view name;
    UsdValue value;
};

struct UsdLayer {
    std::string_view text;
    std::string name;                ///< of the file, for messages
    std::vector<UsdField> metadata;  ///< what concerns units, axes and times
    std::vector<UsdPrim> prims;

    Error error(size_t offset, std::string_view reason) const;  ///< "name:line: reason"
    const UsdValue* field(std::string_view field_name) const;
    /// The number of a field, or `fallback` where there is none.
    double number(std::string_view field_name, double fallback) const;
};

/// All that a prim says about one name.
struct UsdProperty {
    const UsdValue* value = nullptr;
    std::span<const UsdSample> samples;
    std::string_view interpolation;
    uint32_t element_size = 1;

    explicit operator bool() const { return value || !samples.empty(); }
    /// The default value, or the first sample where there is none, or null.
    const UsdValue* first() const { return value ? value : samples.empty() ? nullptr : &samples.front().value; }
};
UsdProperty find_property(const UsdPrim& prim, std::string_view name);

/// A time code, or none: the time at which default values hold.
using UsdTime = std::optional<double>;

/// The values around a time: a + (b - a) * share. Samples are held before the first and after the last.
struct UsdBlend {
    const UsdValue* a = nullptr;
    const UsdValue* b = nullptr;  ///< null where `a` holds alone
    double share = 0;
};
/// Between two samples of different sizes the earlier one holds.
UsdBlend values_at(const UsdProperty& property, UsdTime time);
/// Number i of the blend.
double blended(const UsdBlend& blend, size_t i);

/// Takes any text: gives a layer, or an error with the line.
Result<UsdLayer> parse_usd_text(std::string_view text, const std::string& name);

}  // namespace tendril
