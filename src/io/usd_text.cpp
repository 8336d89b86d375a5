#include "io/usd_text.h"

#include "io/text_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tendril {
namespace {

// Limits the nesting of prims and of brackets, and so the recursion. Real files do not reach it.
constexpr size_t kMaxDepth = 64;

constexpr std::string_view kKeptFields[] = {"metersPerUnit", "upAxis",      "timeCodesPerSecond", "framesPerSecond",
                                            "startTimeCode", "endTimeCode", "defaultPrim",        "elementSize",
                                            "interpolation", "active"};
constexpr std::string_view kArcs[] = {"subLayers", "references", "payload", "inherits", "specializes"};
constexpr std::string_view kArcDictionaries[] = {"clips", "relocates"};
constexpr std::string_view kQualifiers[] = {"custom", "uniform", "varying", "config", "prepend",
                                            "append", "add",     "delete",  "reorder"};

bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
           c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

/// Whether a float can hold the numbers of this type, such as point3f, quath, float[] or half3.
bool fits_float(std::string_view type)
{
    return type.find("float") != std::string_view::npos || type.find("half") != std::string_view::npos ||
           (!type.empty() && (type.back() == 'f' || type.back() == 'h'));
}

/// Parses a time code exactly. `parse_number` may be off by one unit in the last place if there are many digits; the
/// right double is the one whose shortest text this is.
std::optional<double> parse_time(std::string_view text)
{
    const std::optional<double> nearest = parse_number(text);
    if (!nearest || !std::isfinite(*nearest)) return {};
    const double down = std::nextafter(*nearest, -HUGE_VAL), up = std::nextafter(*nearest, HUGE_VAL);
    for (const double x : {*nearest, down, up})
        if (fmt::format("{}", x) == text) return x;
    return nearest;
}

class Parser {
public:
    explicit Parser(UsdLayer& layer) : layer_(layer), text_(layer.text) {}

    bool parse();
    Error error() const { return layer_.error(reason_at_, reason_); }

private:
    bool fail(std::string reason)
    {
        if (reason_.empty()) {
            reason_ = std::move(reason);
            reason_at_ = at_;
        }
        return false;
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool at_end() const { return at_ >= text_.size(); }
    bool take(char c);
    bool expect(char c, std::string_view after);
    void skip_space();
    void skip_separators(std::string_view separators);
    std::string_view name();
    std::string_view bare_word();
    std::string describe_next() const;

    bool quoted(std::string_view& text);
    bool enclosed(char close, std::string_view& text);
    bool asset(std::string_view& text);
    bool skip_group();
    bool skip_value();

    bool value(UsdValue& out, std::string_view type);
    bool list(UsdValue& out);
    bool tuple(UsdValue& out);
    bool scalar(UsdValue& out);
    bool add_number(UsdValue& out, double x);
    bool add_word(UsdValue& out, std::string_view text);
    bool close_element(UsdValue& out, size_t numbers);

    bool metadata(std::vector<UsdField>& fields, std::vector<UsdArc>* arcs = nullptr);
    bool field(std::vector<UsdField>& fields, std::vector<UsdArc>* arcs);
    bool arc(UsdArc& out);
    bool statements(UsdPrim& parent, char close);
    bool statement(UsdPrim& parent);
    bool prim(UsdPrim& parent, UsdSpecifier specifier);
    bool variant_set(UsdPrim& parent);
    bool property(UsdPrim& parent, std::string_view type);
    bool attribute_value(UsdAttribute& out, std::string_view part);
    bool attribute_metadata(UsdAttribute& out);
    bool time_samples(UsdAttribute& out);

    UsdLayer& layer_;
    std::string_view text_;
    size_t at_ = 0;
    size_t depth_ = 0;
    bool as_floats_ = false;  // whether the value that is being read is stored as floats
    std::string reason_;
    size_t reason_at_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Words, and skipping

bool Parser::take(char c)
{
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
}

bool Parser::expect(char c, std::string_view after)
{
    skip_space();
    return take(c) || fail(fmt::format("expected '{}' after {}, not {}", c, after, describe_next()));
}

void Parser::skip_space()
{
    for (; !at_end(); ++at_) {
        const char c = text_[at_];
        if (c == '#')
            at_ = std::min(text_.find('\n', at_), text_.size() - 1);
        else if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return;
    }
}

void Parser::skip_separators(std::string_view separators)
{
    skip_space();
    while (!at_end() && separators.find(peek()) != std::string_view::npos) {
        ++at_;
        skip_space();
    }
}

/// Reads an identifier with its namespaces and the part after the dot, such as
/// primvars:skel:jointWeights.timeSamples.
std::string_view Parser::name()
{
    const size_t begin = at_;
    while (!at_end() && is_name_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
}

/// Reads a number, None, true or false.
std::string_view Parser::bare_word()
{
    const size_t begin = at_;
    while (!at_end() && (is_name_char(text_[at_]) || text_[at_] == '-' || text_[at_] == '+') && text_[at_] != ':')
        ++at_;
    return text_.substr(begin, at_ - begin);
}

/// A description of the next character, for messages.
std::string Parser::describe_next() const
{
    if (at_end()) return "the end of the file";
    const auto c = static_cast<unsigned char>(peek());
    return c >= 0x20 && c < 0x7f ? fmt::format("'{}'", peek()) : fmt::format("the byte 0x{:02x}", c);
}

/// Reads a string in single or double quotes, or in three of either, which may span lines.
bool Parser::quoted(std::string_view& text)
{
    const char quote = peek();
    const bool triple = text_.substr(at_, 3) == std::string(3, quote);
    const size_t begin = at_ + (triple ? 3 : 1);
    for (size_t i = begin; i < text_.size(); ++i) {
        if (text_[i] == '\\') {
            ++i;
        } else if (!triple && text_[i] == '\n') {
            break;
        } else if (text_[i] == quote && (!triple || text_.substr(i, 3) == std::string(3, quote))) {
            text = text_.substr(begin, i - begin);
            at_ = i + (triple ? 3 : 1);
            return true;
        }
    }
    return fail("a string has no closing quote");
}

/// Reads <a path> or @a file@ on one line.
bool Parser::enclosed(char close, std::string_view& text)
{
    const size_t end = text_.find_first_of(close == '>' ? ">\n" : "@\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') return fail(fmt::format("'{}' is missing", close));
    text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
}

/// Reads @file@ or @@@file@@@, and skips the prim path that may follow.
bool Parser::asset(std::string_view& text)
{
    if (text_.substr(at_, 3) == "@@@") {
        const size_t end = text_.find("@@@", at_ + 3);
        if (end == std::string_view::npos) return fail("'@@@' is missing");
        text = text_.substr(at_ + 3, end - at_ - 3);
        at_ = end + 3;
    } else if (!enclosed('@', text)) {
        return false;
    }
    std::string_view path;
    return peek() != '<' || enclosed('>', path);
}

/// Skips to after the bracket that closes this one.
bool Parser::skip_group()
{
    std::string open;
    std::string_view skipped;
    do {
        skip_space();
        const char c = peek();
        if (at_end()) return fail(fmt::format("'{}' is not closed", open.back()));
        if (c == '(' || c == '[' || c == '{') {
            if (open.size() >= kMaxDepth) return fail("brackets are nested too deeply");
            open.push_back(c);
            ++at_;
        } else if (c == ')' || c == ']' || c == '}') {
            if (open.back() != (c == ')' ? '(' : c == ']' ? '[' : '{'))
                return fail(fmt::format("'{}' does not close '{}'", c, open.back()));
            open.pop_back();
            ++at_;
        } else if (c == '"' || c == '\'') {
            if (!quoted(skipped)) return false;
        } else if (c == '@') {
            if (!asset(skipped)) return false;
        } else if (c == '<') {
            if (!enclosed('>', skipped)) return false;
        } else {
            ++at_;
        }
    } while (!open.empty());
    return true;
}

bool Parser::skip_value()
{
    skip_space();
    std::string_view skipped;
    switch (peek()) {
        case '"':
        case '\'': return quoted(skipped);
        case '@': return asset(skipped);
        case '<': return enclosed('>', skipped);
        case '(':
        case '[':
        case '{': return skip_group();
        default: return !bare_word().empty() || fail(fmt::format("a value is missing before {}", describe_next()));
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

bool Parser::value(UsdValue& out, std::string_view type)
{
    skip_space();
    out.offset = at_;
    as_floats_ = fits_float(type);
    return peek() == '[' ? list(out) : peek() == '(' ? tuple(out) : scalar(out);
}

bool Parser::list(UsdValue& out)
{
    // An empty list is a value, too, and has the kind of its type.
    if (as_floats_) out.data.emplace<std::vector<float>>();
    ++at_;
    for (;;) {
        skip_space();
        if (take(']')) break;
        if (!(peek() == '(' ? tuple(out) : scalar(out))) return false;
        skip_space();
        if (peek() != ']' && !take(','))
            return fail(fmt::format("expected ',' or ']' in a list, not {}", describe_next()));
    }
    if (out.is_nothing()) out.data.emplace<std::vector<double>>();
    return true;
}

/// Reads (x, y, z), or nested tuples, which form a matrix.
bool Parser::tuple(UsdValue& out)
{
    size_t open = 0, numbers = 0;
    do {
        skip_space();
        if (take('(')) {
            if (++open > kMaxDepth) return fail("brackets are nested too deeply");
            continue;
        }
        if (take(')')) {
            --open;
        } else {
            const std::string_view word = bare_word();
            const std::optional<double> x = parse_number(word);
            if (!x)
                return fail(word.empty() ? fmt::format("a number is missing before {}", describe_next())
                                         : fmt::format("'{}' is not a number", word.substr(0, 40)));
            if (!add_number(out, *x)) return false;
            ++numbers;
        }
        skip_space();
        if (open > 0 && peek() != ')' && !take(','))
            return fail(fmt::format("expected ',' or ')' in a tuple, not {}", describe_next()));
    } while (open > 0);
    return close_element(out, numbers);
}

bool Parser::scalar(UsdValue& out)
{
    std::string_view text;
    const char c = peek();
    if (c == '"' || c == '\'') return quoted(text) && add_word(out, text);
    if (c == '<') return enclosed('>', text) && add_word(out, text);
    if (c == '@') return asset(text) && add_word(out, text);
    if (c == '{') return skip_group();
    text = bare_word();
    if (text == "None" || text == "AnimationBlock") return true;
    if (text == "true" || text == "false") return add_number(out, text == "true") && close_element(out, 1);
    if (const std::optional<double> x = parse_number(text)) return add_number(out, *x) && close_element(out, 1);
    return fail(text.empty() ? fmt::format("a value is missing before {}", describe_next())
                             : fmt::format("'{}' is not a value", text.substr(0, 40)));
}

bool Parser::add_number(UsdValue& out, double x)
{
    if (auto* floats = std::get_if<std::vector<float>>(&out.data)) {
        floats->push_back(static_cast<float>(x));
        return true;
    }
    if (auto* doubles = std::get_if<std::vector<double>>(&out.data)) {
        doubles->push_back(x);
        return true;
    }
    if (!out.is_nothing()) return fail("a number in a list of strings");
    if (as_floats_)
        out.data.emplace<std::vector<float>>(1, static_cast<float>(x));
    else
        out.data.emplace<std::vector<double>>(1, x);
    return true;
}

bool Parser::add_word(UsdValue& out, std::string_view text)
{
    if (out.is_nothing()) out.data.emplace<std::vector<std::string_view>>();
    auto* words = std::get_if<std::vector<std::string_view>>(&out.data);
    if (!words) return fail("a string in a list of numbers");
    words->push_back(text);
    return true;
}

bool Parser::close_element(UsdValue& out, size_t numbers)
{
    if (out.width == 0) out.width = static_cast<uint32_t>(numbers);
    if (out.width == numbers && numbers > 0) return true;
    return fail(fmt::format("an element has {} numbers where others have {}", numbers, out.width));
}

// ---------------------------------------------------------------------------------------------------------------------
// Statements

/// Reads the `( name = value ... )` that may follow the head of a layer, a prim or an attribute.
bool Parser::metadata(std::vector<UsdField>& fields, std::vector<UsdArc>* arcs)
{
    skip_space();
    if (!take('(')) return true;
    std::string_view comment;
    for (;;) {
        skip_separators(";,");
        if (take(')')) return true;
        if (at_end()) return fail("'(' of metadata is not closed");
        if (peek() == '"' || peek() == '\'') {
            if (!quoted(comment)) return false;
        } else if (!field(fields, arcs)) {
            return false;
        }
    }
}

/// Reads `name = value`. A word without `=` qualifies the next name (prepend, add, delete) and is skipped.
bool Parser::field(std::vector<UsdField>& fields, std::vector<UsdArc>* arcs)
{
    const std::string_view field_name = name();
    if (field_name.empty()) return fail(fmt::format("expected a name in metadata, not {}", describe_next()));
    skip_space();
    if (!take('=')) return true;
    if (is_one_of(kKeptFields, field_name)) {
        UsdField kept{field_name, {}};
        if (!value(kept.value, "double")) return false;
        fields.push_back(std::move(kept));
    } else if (arcs && is_one_of(kArcs, field_name)) {
        UsdArc read{field_name, 0};
        if (!arc(read)) return false;
        arcs->push_back(read);
    } else {
        if (arcs && is_one_of(kArcDictionaries, field_name)) arcs->push_back({field_name, 1});
        if (!skip_value()) return false;
    }
    skip_space();
    if (peek() == '<') {  // @file@ <path>
        if (!skip_value()) return false;
        skip_space();
    }
    return peek() != '(' || skip_group();  // (offset = 1) of a reference
}

/// Counts the files and paths that an arc leads to: @file@<path> (offset = 1), or a list of these.
bool Parser::arc(UsdArc& out)
{
    skip_space();
    const bool is_list = take('[');
    for (;;) {
        skip_separators(",");
        if (is_list && take(']')) return true;
        out.targets += peek() == '@' || peek() == '<';
        if (!skip_value()) return false;
        skip_space();
        if (!is_list) return true;
        if (peek() == '(' && !skip_group()) return false;
    }
}

bool Parser::statements(UsdPrim& parent, char close)
{
    for (;;) {
        skip_separators(";");
        if (at_end()) return close == '\0' || fail("'}' is missing at the end of the file");
        if (close != '\0' && take(close)) return true;
        if (!statement(parent)) return false;
    }
}

bool Parser::statement(UsdPrim& parent)
{
    std::string_view word = name();
    if (word == "def") return prim(parent, UsdSpecifier::kDef);
    if (word == "over") return prim(parent, UsdSpecifier::kOver);
    if (word == "class") return prim(parent, UsdSpecifier::kClass);
    if (word == "variantSet") return variant_set(parent);
    bool removes = false;
    while (is_one_of(kQualifiers, word)) {
        removes = removes || word == "delete" || word == "reorder";
        skip_space();
        word = name();
    }
    if (word.empty()) return fail(fmt::format("expected a prim or a property, not {}", describe_next()));
    skip_space();
    if (take('=')) return skip_value();  // reorder nameChildren = [...]
    UsdPrim unused;
    return property(removes ? unused : parent, word);
}

bool Parser::prim(UsdPrim& parent, UsdSpecifier specifier)
{
    if (depth_ >= kMaxDepth) return fail("prims are nested too deeply");
    UsdPrim out;
    out.specifier = specifier;
    out.offset = at_;
    skip_space();
    out.type = name();
    skip_space();
    if (peek() != '"' && peek() != '\'')
        return fail(fmt::format("expected the name of a prim, not {}", describe_next()));
    if (!quoted(out.name)) return false;
    std::vector<UsdField> fields;
    if (!metadata(fields, &out.arcs)) return false;
    for (const UsdField& field : fields)
        if (field.name == "active" && field.value.number_count() == 1) out.active = field.value.number(0) != 0;
    if (!expect('{', "the head of a prim")) return false;
    ++depth_;
    if (!statements(out, '}')) return false;
    --depth_;
    parent.children.push_back(std::move(out));
    return true;
}

bool Parser::variant_set(UsdPrim& parent)
{
    ++parent.variant_sets;
    std::string_view set_name;
    skip_space();
    if (peek() != '"' && peek() != '\'') return fail("expected the name of a variant set");
    if (!quoted(set_name) || !expect('=', "the name of a variant set")) return false;
    skip_space();
    return peek() == '{' ? skip_group() : fail(fmt::format("expected '{{', not {}", describe_next()));
}

bool Parser::property(UsdPrim& parent, std::string_view type)
{
    UsdAttribute out;
    out.type = type;
    if (take('[') && !take(']')) return fail(fmt::format("expected ']' after the type, not {}", describe_next()));
    skip_space();
    const std::string_view full = name();
    if (full.empty()) return fail(fmt::format("expected the name of a property, not {}", describe_next()));
    const size_t point = full.find('.');
    out.name = full.substr(0, point);
    const std::string_view part = point == std::string_view::npos ? "default" : full.substr(point + 1);
    skip_space();
    if (take('=') && !attribute_value(out, part)) return false;
    if (part == "connect") parent.connected.push_back(out.name);
    if (!attribute_metadata(out)) return false;
    if (!out.value.is_nothing() || !out.samples.empty()) parent.attributes.push_back(std::move(out));
    return true;
}

bool Parser::attribute_value(UsdAttribute& out, std::string_view part)
{
    if (part == "timeSamples") return time_samples(out);
    return part == "default" ? value(out.value, out.type) : skip_value();
}

bool Parser::attribute_metadata(UsdAttribute& out)
{
    std::vector<UsdField> fields;
    if (!metadata(fields)) return false;
    for (const UsdField& field : fields) {
        if (field.name == "interpolation" && field.value.words().size() == 1)
            out.interpolation = field.value.words()[0];
        if (field.name != "elementSize" || field.value.number_count() != 1) continue;
        const double size = field.value.number(0);
        if (!(size >= 1 && size <= 65536)) return fail("elementSize must be between 1 and 65536");
        out.element_size = static_cast<uint32_t>(size);
    }
    return true;
}

bool Parser::time_samples(UsdAttribute& out)
{
    if (!expect('{', "timeSamples =")) return false;
    for (;;) {
        skip_separators(",");
        if (take('}')) break;
        if (at_end()) return fail("'{' of timeSamples is not closed");
        const std::optional<double> time = parse_time(bare_word());
        if (!time) return fail("expected a time code");
        UsdSample sample{*time, {}};
        if (!expect(':', "a time code") || !value(sample.value, out.type)) return false;
        if (!sample.value.is_nothing()) out.samples.push_back(std::move(sample));
    }
    // Samples are usually sorted already. If a time occurs twice, the first sample wins.
    const auto before = [](const UsdSample& a, const UsdSample& b) { return a.time < b.time; };
    const auto same = [](const UsdSample& a, const UsdSample& b) { return a.time == b.time; };
    if (!std::is_sorted(out.samples.begin(), out.samples.end(), before)) {
        std::vector<UsdSample*> order;
        for (UsdSample& sample : out.samples) order.push_back(&sample);
        std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->time < b->time; });
        std::vector<UsdSample> sorted;
        for (UsdSample* sample : order) sorted.push_back(std::move(*sample));
        out.samples = std::move(sorted);
    }
    out.samples.erase(std::unique(out.samples.begin(), out.samples.end(), same), out.samples.end());
    return true;
}

bool Parser::parse()
{
    if (text_.substr(0, 6) != "#usda ") return fail("not USD ASCII: the first line must be '#usda 1.0'");
    UsdPrim root;
    if (!metadata(layer_.metadata, &layer_.arcs) || !statements(root, '\0')) return false;
    layer_.prims = std::move(root.children);
    return true;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------

size_t UsdValue::number_count() const
{
    if (const auto* floats = std::get_if<std::vector<float>>(&data)) return floats->size();
    if (const auto* doubles = std::get_if<std::vector<double>>(&data)) return doubles->size();
    return 0;
}

double UsdValue::number(size_t i) const
{
    if (const auto* floats = std::get_if<std::vector<float>>(&data)) return static_cast<double>((*floats)[i]);
    return (*std::get_if<std::vector<double>>(&data))[i];
}

std::span<const std::string_view> UsdValue::words() const
{
    const auto* words = std::get_if<std::vector<std::string_view>>(&data);
    return words ? std::span<const std::string_view>(*words) : std::span<const std::string_view>();
}

Error UsdLayer::error(size_t offset, std::string_view reason) const
{
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(std::min(offset, text.size())), '\n');
    return Error{fmt::format("{}:{}: {}", name, line, reason)};
}

const UsdValue* UsdLayer::field(std::string_view field_name) const
{
    for (const UsdField& field : metadata)
        if (field.name == field_name) return &field.value;
    return nullptr;
}

double UsdLayer::number(std::string_view field_name, double fallback) const
{
    const UsdValue* value = field(field_name);
    return value && value->number_count() == 1 ? value->number(0) : fallback;
}

UsdProperty find_property(const UsdPrim& prim, std::string_view name)
{
    UsdProperty found;
    for (const UsdAttribute& attribute : prim.attributes) {
        if (attribute.name != name) continue;
        if (!attribute.value.is_nothing()) found.value = &attribute.value;
        if (!attribute.samples.empty()) found.samples = attribute.samples;
        if (!attribute.interpolation.empty()) found.interpolation = attribute.interpolation;
        found.element_size = std::max(found.element_size, attribute.element_size);
    }
    return found;
}

UsdBlend values_at(const UsdProperty& property, UsdTime time)
{
    const std::span<const UsdSample> samples = property.samples;
    if (!time || samples.empty()) return {property.first()};
    const auto before = [](const UsdSample& sample, double t) { return sample.time < t; };
    const auto next = std::lower_bound(samples.begin(), samples.end(), *time, before);
    if (next == samples.end()) return {&samples.back().value};
    if (next == samples.begin() || next->time == *time) return {&next->value};
    const UsdSample& last = *(next - 1);
    if (last.value.number_count() != next->value.number_count()) return {&last.value};
    return {&last.value, &next->value, (*time - last.time) / (next->time - last.time)};
}

double blended(const UsdBlend& blend, size_t i)
{
    const double a = blend.a->number(i);
    return blend.b ? a + (blend.b->number(i) - a) * blend.fraction : a;
}

Result<UsdLayer> parse_usd_text(std::string_view text, const std::string& name)
{
    UsdLayer layer;
    layer.text = text;
    layer.name = name;
    Parser parser(layer);
    if (!parser.parse()) return parser.error();
    return layer;
}

}  // namespace tendril
