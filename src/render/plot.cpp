// SVG plots. plot_axis.cpp and `chosen_points` decide how the data is shown; the rest is layout.
#include "tendril/plot.h"

#include "render/plot_axis.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

namespace tendril {
namespace {

// Layout [pixels]. Letter widths are generous estimates for common sans-serif fonts.
constexpr double kPlotMargin = 18;
constexpr double kTitleLine = 28, kLegendLine = 50, kLegendStep = 19, kAboveBox = 26, kBelowBox = 48;
constexpr double kNameStep = 14;  // between rows of names along x
constexpr double kLetter = 6.7, kDigit = 6.6, kTitleLetter = 8.5;
constexpr double kTickAlongX = 80, kTickAlongY = 55;  // space per tick
constexpr size_t kMaxLegendRows = 8;
constexpr size_t kLongestLabel = 48, kLongestName = 38;  // characters

// More points than this are reduced to the minimum and maximum of each bin, because the plot has no room for more.
constexpr size_t kMaxPoints = 1000;
// Up to this many points get a dot each: they are single measurements, and nothing is known between them.
constexpr size_t kFewPoints = 24;

constexpr size_t kColours = 7;

// The first six colours are those of Okabe and Ito, which colour-blind readers can distinguish. Dark mode has lighter
// versions.
constexpr std::string_view kStyle = R"(<style>
.tendril-plot text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#424a53}
.tendril-plot .title{font-size:15px;font-weight:600;fill:#1f2328}
.tendril-plot .tick{font-size:11px;fill:#59636e;font-variant-numeric:tabular-nums}
.tendril-plot .power{font-size:8px}
.tendril-plot .paper{fill:#ffffff}
.tendril-plot .grid{stroke:#e2e6ea;fill:none}
.tendril-plot .step{stroke:#f0f2f4;fill:none}
.tendril-plot .axis{stroke:#8c959f;fill:none}
.tendril-plot .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.tendril-plot .area{stroke-width:0.6;stroke-linejoin:round}
.tendril-plot .dashed{stroke-dasharray:5 5}
.tendril-plot .dots{fill:none;stroke-width:5;stroke-linecap:round}
.tendril-plot .mark{stroke:#59636e;stroke-dasharray:2 3;fill:none}
.tendril-plot .s0{stroke:#0072b2} .tendril-plot .f0{fill:#0072b2}
.tendril-plot .s1{stroke:#d55e00} .tendril-plot .f1{fill:#d55e00}
.tendril-plot .s2{stroke:#009e73} .tendril-plot .f2{fill:#009e73}
.tendril-plot .s3{stroke:#cc79a7} .tendril-plot .f3{fill:#cc79a7}
.tendril-plot .s4{stroke:#e69f00} .tendril-plot .f4{fill:#e69f00}
.tendril-plot .s5{stroke:#56b4e9} .tendril-plot .f5{fill:#56b4e9}
.tendril-plot .s6{stroke:#6e7781} .tendril-plot .f6{fill:#6e7781}
@media (prefers-color-scheme:dark){
.tendril-plot text{fill:#c3cbd4}
.tendril-plot .title{fill:#f0f3f6}
.tendril-plot .tick{fill:#9aa4af}
.tendril-plot .paper{fill:#14181d}
.tendril-plot .grid{stroke:#2b323a}
.tendril-plot .step{stroke:#1f252b}
.tendril-plot .axis{stroke:#6b7580}
.tendril-plot .mark{stroke:#9aa4af}
.tendril-plot .s0{stroke:#4da6e8} .tendril-plot .f0{fill:#4da6e8}
.tendril-plot .s1{stroke:#f5853f} .tendril-plot .f1{fill:#f5853f}
.tendril-plot .s2{stroke:#2cc295} .tendril-plot .f2{fill:#2cc295}
.tendril-plot .s3{stroke:#e39cc4} .tendril-plot .f3{fill:#e39cc4}
.tendril-plot .s4{stroke:#f2b63c} .tendril-plot .f4{fill:#f2b63c}
.tendril-plot .s5{stroke:#8fd0f5} .tendril-plot .f5{fill:#8fd0f5}
.tendril-plot .s6{stroke:#a3adb8} .tendril-plot .f6{fill:#a3adb8}
}
</style>
)";

// ---------------------------------------------------------------------------------------------------------------------
// Text

struct Glyph {
    size_t bytes;  ///< 0 if the text does not start with a character that XML allows
    char32_t code;
};

/// The UTF-8 character at the start of the text.
Glyph first_glyph(std::string_view text)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
    if (bytes == 0 || bytes > text.size()) return {0, 0};
    char32_t code = bytes == 1 ? lead : lead & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {0, 0};
        code = code << 6 | (byte(i) & 0x3f);
    }
    constexpr char32_t kLeast[] = {0, 0x20, 0x80, 0x800, 0x10000};  // smallest code point per number of bytes
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < kLeast[bytes] || surrogate || code > 0x10ffff || code == 0xfffe || code == 0xffff) return {0, 0};
    return {bytes, code};
}

struct Text {
    std::string xml;
    size_t characters = 0;
};

/// Escapes text for XML and truncates it to `most` characters. Invalid bytes become replacement characters, so that the
/// document stays valid.
Text escaped(std::string_view text, size_t most)
{
    Text out;
    while (!text.empty()) {
        const Glyph c = first_glyph(text);
        if (++out.characters == most && text.size() > std::max<size_t>(1, c.bytes)) {
            out.xml += "\u2026";
            break;
        }
        switch (c.code) {
            case U'&': out.xml += "&amp;"; break;
            case U'<': out.xml += "&lt;"; break;
            case U'>': out.xml += "&gt;"; break;
            case U'"': out.xml += "&quot;"; break;
            case U'\'': out.xml += "&apos;"; break;
            default: out.xml += c.bytes == 0 ? "\ufffd" : text.substr(0, c.bytes);
        }
        text.remove_prefix(std::max<size_t>(1, c.bytes));
    }
    return out;
}

std::string with_power(std::string_view text, std::string_view power)
{
    if (power.empty()) return std::string(text);
    return fmt::format(R"({}<tspan class="power" dy="-4">{}</tspan>)", text, power);
}

std::string factor_text(int factor)
{
    return with_power("\u00d710", factor < 0 ? fmt::format("\u2212{}", -factor) : fmt::format("{}", factor));
}

// ---------------------------------------------------------------------------------------------------------------------
// Data

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

/// The lines as drawn: one value per position along x, NaN for a gap. Stacked values are cumulative sums.
struct Curves {
    std::vector<double> x_positions;  // along x; for bars, the centres of their groups
    std::vector<std::vector<double>> lines;
    Range x, y;
    bool empty = true;
};

bool is_logarithmic_x(const Plot& plot)
{
    return plot.x_scale == PlotScale::kLogarithmic && plot.style != PlotStyle::kBars;
}

bool is_logarithmic_y(const Plot& plot)
{
    return plot.scale == PlotScale::kLogarithmic && plot.style != PlotStyle::kStacked;
}

std::vector<double> x_positions_of(const Plot& plot)
{
    if (plot.style != PlotStyle::kBars) return plot.x;
    std::vector<double> out;
    for (size_t i = 0; i < plot.names.size(); ++i) out.push_back(static_cast<double>(i) + 0.5);
    return out;
}

std::vector<double> values_of(const Plot& plot, std::span<const double> x, const PlotLine& line)
{
    const bool logarithmic_x = is_logarithmic_x(plot), logarithmic_y = is_logarithmic_y(plot);
    std::vector<double> out(x.size(), kGap);
    for (size_t i = 0; i < std::min(out.size(), line.values.size()); ++i)
        if (can_be_plotted(x[i], logarithmic_x) && can_be_plotted(line.values[i], logarithmic_y))
            out[i] = line.values[i];
    return out;
}

/// The range of all values that can be plotted; NaN if there are none.
Range range_of(const std::vector<std::vector<double>>& lines, bool logarithmic)
{
    Range range{kGap, kGap};
    for (const auto& line : lines)
        for (const double value : line)
            if (can_be_plotted(value, logarithmic)) range = {std::fmin(range.low, value), std::fmax(range.high, value)};
    return range;
}

Curves curves_of(const Plot& plot)
{
    Curves out;
    out.x_positions = x_positions_of(plot);
    for (const PlotLine& line : plot.lines) out.lines.push_back(values_of(plot, out.x_positions, line));
    if (plot.style == PlotStyle::kStacked) {
        for (size_t k = 1; k < out.lines.size(); ++k)  // a gap in one line is a gap in all lines above it
            for (size_t i = 0; i < out.x_positions.size(); ++i) out.lines[k][i] += out.lines[k - 1][i];
    }
    // Include gaps at the ends, so that all plots of one simulation share the same x axis.
    out.x = range_of({out.x_positions}, is_logarithmic_x(plot));
    out.y = range_of(out.lines, false);
    out.empty = std::isnan(out.y.low);
    if (out.empty) out.x = out.y = {1, 10};
    if (plot.style == PlotStyle::kBars) out.x = {0, std::max(1.0, static_cast<double>(out.x_positions.size()))};
    if (plot.style != PlotStyle::kLines && !is_logarithmic_y(plot))  // areas and bars start at zero
        out.y = {std::min(0.0, out.y.low), std::max(0.0, out.y.high)};
    return out;
}

using Run = std::vector<size_t>;

/// The points to draw, as runs without gaps. If there are many points, each bin keeps its minimum and maximum, so that
/// no spike is lost. Gaps shorter than a bin would not be visible and are dropped.
std::vector<Run> chosen_points(std::span<const double> values)
{
    const size_t bin = values.size() <= kMaxPoints ? 1 : (2 * values.size() + kMaxPoints - 1) / kMaxPoints;
    std::vector<Run> runs(1);
    for (size_t start = 0; start < values.size(); start += bin) {
        constexpr size_t kNone = std::numeric_limits<size_t>::max();
        size_t least = kNone, greatest = kNone;
        for (size_t i = start; i < std::min(start + bin, values.size()); ++i) {
            if (std::isnan(values[i])) continue;
            if (least == kNone || values[i] < values[least]) least = i;
            if (greatest == kNone || values[i] > values[greatest]) greatest = i;
        }
        if (least == kNone) {
            if (!runs.back().empty()) runs.emplace_back();
            continue;
        }
        runs.back().push_back(std::min(least, greatest));
        if (least != greatest) runs.back().push_back(std::max(least, greatest));
    }
    if (runs.back().empty()) runs.pop_back();
    return runs;
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawing

struct PlotFrame {
    double width, height;                 // of the document
    double left, top, right, bottom = 0;  // of the plot area
    Axis x = {}, y = {};
    size_t name_rows = 1;  // of names along x

    double x_at(double value) const { return left + (right - left) * x.position(value); }
    double y_at(double value) const { return bottom - (bottom - top) * y.position(value); }
};

class Drawing {
public:
    template <class... T>
    void add(fmt::format_string<T...> format, T&&... values)
    {
        fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    }
    std::string text() && { return std::move(text_); }

private:
    std::string text_;
};

std::string_view dashes(const Plot& plot, size_t line)
{
    return line >= kColours || plot.lines[line].dashed ? " dashed" : "";
}

/// Draws the legend in rows below the title and returns the number of rows.
size_t draw_legend(Drawing& out, const Plot& plot, double paper)
{
    const bool filled = plot.style != PlotStyle::kLines;
    const double swatch = filled ? 11 : 25;  // room for three dashes of a dashed line
    size_t row = 0;
    double left = kPlotMargin;
    for (size_t i = 0; i < plot.lines.size(); ++i) {
        const Text name = escaped(plot.lines[i].name, kLongestName);
        const double width = swatch + 7 + kLetter * static_cast<double>(name.characters) + 16;
        if (left > kPlotMargin && left + width > paper) {
            if (++row == kMaxLegendRows) {
                out.add("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">and {} more</text>\n",
                        paper - kPlotMargin, kTitleLine, plot.lines.size() - i);
                return row;
            }
            left = kPlotMargin;
        }
        const double y = kLegendLine + kLegendStep * static_cast<double>(row);
        if (filled)
            out.add("<rect class=\"f{}\" x=\"{:.1f}\" y=\"{}\" width=\"11\" height=\"11\" rx=\"2\"/>\n", i % kColours,
                    left, y - 10);
        else
            out.add("<path class=\"line s{}{}\" d=\"M{:.1f} {}h{}\"/>\n", i % kColours, dashes(plot, i), left, y - 4,
                    swatch);
        out.add("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", left + swatch + 7, y, name.xml);
        left += width;
    }
    return plot.lines.empty() ? 0 : row + 1;
}

void draw_y_axis(Drawing& out, const PlotFrame& f)
{
    for (const AxisTick& tick : f.y.ticks) {
        const double y = f.bottom - (f.bottom - f.top) * tick.position;
        out.add("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", tick.label.empty() ? "step" : "grid", f.left, y,
                f.right);
        if (!tick.label.empty())
            out.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", f.left - 8, y + 4,
                    with_power(tick.label, tick.power));
    }
    if (f.y.factor != 0)
        out.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", f.left, f.top - 8,
                factor_text(f.y.factor));
}

void draw_x_axis(Drawing& out, const PlotFrame& f)
{
    for (size_t i = 0; i < f.x.ticks.size(); ++i) {
        const AxisTick& tick = f.x.ticks[i];
        const double x = f.left + (f.right - f.left) * tick.position;
        out.add("<path class=\"axis\" d=\"M{:.1f} {:.1f}v4\"/>\n", x, f.bottom);
        const double half =
            0.5 * kDigit * static_cast<double>(tick.label.size());  // keeps the label inside the document
        out.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                std::min(x, f.width - 3 - half), f.bottom + 17 + kNameStep * static_cast<double>(i % f.name_rows),
                with_power(tick.label, tick.power));
    }
    if (f.x.factor != 0)
        out.add("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", f.right,
                f.bottom + 35, factor_text(f.x.factor));
}

/// Draws the bottom of the plot area, and the zero line if it lies inside.
void draw_base(Drawing& out, const PlotFrame& f)
{
    out.add("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", f.left, f.bottom, f.right);
    if (!f.y.logarithmic && f.y.range.low < 0 && f.y.range.high > 0)
        out.add("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", f.left, f.y_at(0), f.right);
}

/// Draws marks, each with its name on the side with more room.
void draw_marks(Drawing& out, const PlotFrame& f, const std::vector<PlotMark>& marks)
{
    for (const PlotMark& mark : marks) {
        if (!can_be_plotted(mark.x, f.x.logarithmic)) continue;
        const double x = f.x_at(mark.x);
        const bool right = 2 * x < f.left + f.right;
        out.add("<path class=\"mark\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x, f.top, f.bottom);
        out.add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x + (right ? 5 : -5), f.top + 10,
                right ? "start" : "end", escaped(mark.name, kLongestName).xml);
    }
}

void draw_line(Drawing& out, const PlotFrame& f, const Plot& plot, const Curves& curves, size_t line)
{
    const std::vector<double>& values = curves.lines[line];
    const auto x_at = [&](size_t i) { return f.x_at(curves.x_positions[i]); };
    const std::vector<Run> runs = chosen_points(values);
    const bool joined = std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.size() > 1; });
    if (joined) {
        out.add("<path class=\"line s{}{}\" d=\"", line % kColours, dashes(plot, line));
        for (const Run& run : runs) {
            if (run.size() < 2) continue;
            for (size_t i = 0; i < run.size(); ++i)
                out.add("{}{:.1f} {:.1f}", i == 0 ? "M" : i == 1 ? "L" : " ", x_at(run[i]), f.y_at(values[run[i]]));
        }
        out.add("\"/>\n");
    }
    if (joined && values.size() <= kFewPoints && !plot.lines[line].dashed) {
        out.add("<path class=\"dots s{}\" d=\"", line % kColours);
        for (const Run& run : runs)
            for (const size_t i : run) out.add("M{:.1f} {:.1f}h0", x_at(i), f.y_at(values[i]));
        out.add("\"/>\n");
    }
    for (const Run& run : runs)  // an isolated point has no line
        if (run.size() == 1)
            out.add("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", line % kColours, x_at(run[0]),
                    f.y_at(values[run[0]]));
}

/// Draws bars side by side in groups. On a logarithmic scale, which has no zero, they start at the bottom.
void draw_bars(Drawing& out, const PlotFrame& f, const Curves& curves)
{
    constexpr double kOfGroup = 0.8, kWidest = 48, kGapBeside = 1;
    const auto count = static_cast<double>(curves.lines.size());
    const double group = (f.right - f.left) / static_cast<double>(curves.x_positions.size());
    const double width = std::min(kOfGroup * group / count, kWidest);
    const double base = f.y.logarithmic ? f.bottom : f.y_at(0);
    for (size_t k = 0; k < curves.lines.size(); ++k)
        for (size_t i = 0; i < curves.x_positions.size(); ++i) {
            const double value = curves.lines[k][i];
            if (std::isnan(value)) continue;
            const double left = f.x_at(curves.x_positions[i]) + (static_cast<double>(k) - 0.5 * count) * width;
            const double end = f.y_at(value);
            out.add("<rect class=\"bar f{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                    k % kColours, left, std::min(base, end), width - kGapBeside, std::abs(end - base));
        }
}

/// Draws stacked areas. All of them use the points chosen for the topmost line, so that their edges coincide.
void draw_areas(Drawing& out, const PlotFrame& f, const Curves& curves)
{
    const std::vector<Run> runs = chosen_points(curves.lines.back());
    for (size_t k = 0; k < curves.lines.size(); ++k) {
        const auto point = [&](const char* command, size_t i, double y) {
            out.add("{}{:.1f} {:.1f}", command, f.x_at(curves.x_positions[i]), f.y_at(y));
        };
        out.add("<path class=\"area f{0} s{0}\" d=\"", k % kColours);
        for (const Run& run : runs) {
            for (size_t i = 0; i < run.size(); ++i) point(i == 0 ? "M" : "L", run[i], curves.lines[k][run[i]]);
            for (size_t i = run.size(); i-- > 0;) point("L", run[i], k > 0 ? curves.lines[k - 1][run[i]] : 0.0);
            out.add("Z");
        }
        out.add("\"/>\n");
    }
}

/// Names the groups of bars below the axis, in two alternating rows if one is too narrow.
void name_groups(PlotFrame& f, const std::vector<std::string>& names)
{
    f.x = Axis{{0, std::max(1.0, static_cast<double>(names.size()))}};
    const double room = (f.right - f.left) / f.x.range.high;
    for (const std::string& name : names)
        if (kLetter * static_cast<double>(escaped(name, kLongestName).characters) > room) f.name_rows = 2;
    const auto most = static_cast<size_t>(static_cast<double>(f.name_rows) * room / kDigit);
    for (size_t i = 0; i < names.size(); ++i)
        f.x.ticks.push_back(
            {f.x.position(static_cast<double>(i) + 0.5), escaped(names[i], std::max<size_t>(1, most)).xml, {}});
}

/// Lays out the plot with room for the legend at the top and the widest number on the left.
PlotFrame frame_of(const Plot& plot, const Curves& curves, PlotSize size, size_t legend_rows)
{
    PlotFrame f{.width = size.width, .height = size.height, .left = 0, .top = 0, .right = size.width - kPlotMargin - 4};
    const int ticks_along_x = static_cast<int>(size.width / kTickAlongX);
    const int ticks_along_y = static_cast<int>(size.height / kTickAlongY);
    f.y = is_logarithmic_y(plot) ? logarithmic_axis(curves.y) : rounded_axis(curves.y, ticks_along_y);
    double widest = 0;
    for (const AxisTick& tick : f.y.ticks) {
        const Text label = escaped(tick.label, kLongestLabel), power = escaped(tick.power, kLongestLabel);
        widest = std::max(widest, kDigit * static_cast<double>(label.characters) +
                                      0.75 * kDigit * static_cast<double>(power.characters));
    }
    f.left = kPlotMargin + (plot.y_label.empty() ? 0.0 : 20.0) + widest + 8;
    f.top = kLegendLine + kLegendStep * (static_cast<double>(legend_rows) - 1) + kAboveBox;
    if (plot.style == PlotStyle::kBars)
        name_groups(f, plot.names);
    else
        f.x = is_logarithmic_x(plot) ? exact_logarithmic_axis(curves.x) : exact_axis(curves.x, ticks_along_x);
    f.height += kLegendStep * std::max(0.0, static_cast<double>(legend_rows) - 1);
    f.bottom = f.height - kBelowBox;
    if (!plot.x_label.empty()) f.height += kNameStep * static_cast<double>(f.name_rows - 1);
    return f;
}

void draw_labels(Drawing& out, const PlotFrame& f, const Plot& plot)
{
    const double centre_x = 0.5 * (f.left + f.right), centre_y = 0.5 * (f.top + f.bottom);
    if (!plot.x_label.empty())
        out.add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", centre_x,
                f.height - kBelowBox + 36, escaped(plot.x_label, kLongestLabel).xml);
    if (!plot.y_label.empty())
        out.add("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                kPlotMargin + 8, centre_y, escaped(plot.y_label, kLongestLabel).xml);
}

}  // namespace

std::string plot_svg(const Plot& plot, PlotSize size)
{
    assert(size.width >= 200 && size.height >= 150);
    const Curves curves = curves_of(plot);
    const auto longest = static_cast<size_t>((size.width - 2 * kPlotMargin) / kTitleLetter);
    const std::string title = escaped(plot.title, longest).xml;
    Drawing legend, out;
    const PlotFrame frame = frame_of(plot, curves, size, draw_legend(legend, plot, size.width));
    out.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tendril-plot\" role=\"img\" width=\"{0}\" height=\"{1}\""
        " viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n{3}",
        frame.width, frame.height, title, kStyle);
    out.add("<rect class=\"paper\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n", frame.width, frame.height);
    out.add("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n{}", kPlotMargin, kTitleLine, title,
            std::move(legend).text());
    draw_labels(out, frame, plot);
    if (curves.empty) {
        draw_base(out, frame);
        out.add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">no data</text>\n",
                0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom));
    } else {
        draw_y_axis(out, frame);
        draw_x_axis(out, frame);
        draw_base(out, frame);
        draw_marks(out, frame, plot.marks);
        switch (plot.style) {
            case PlotStyle::kLines:
                for (size_t i = 0; i < curves.lines.size(); ++i) draw_line(out, frame, plot, curves, i);
                break;
            case PlotStyle::kStacked: draw_areas(out, frame, curves); break;
            case PlotStyle::kBars: draw_bars(out, frame, curves); break;
        }
    }
    out.add("</svg>\n");
    return std::move(out).text();
}

}  // namespace tendril
