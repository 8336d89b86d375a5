// Plots: the structure of the document, awkward data, and the labels of the axes.
#include "tendril/plot.h"

#include "render/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

namespace tendril::test {
namespace {

constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();

size_t count(const std::string& text, const std::string& part)
{
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// Whether all tags are nested correctly and the text between them is escaped.
bool is_well_formed(const std::string& svg)
{
    std::vector<std::string> open;
    for (size_t at = 0; at < svg.size();) {
        const size_t start = svg.find('<', at);
        for (size_t i = at; i < std::min(start, svg.size()); ++i) {
            const size_t end = svg.find_first_not_of("abcdefghijklmnopqrstuvwxyz", i + 1);
            if (svg[i] == '>' || (svg[i] == '&' && (end == i + 1 || end >= svg.size() || svg[end] != ';')))
                return false;
        }
        if (start == std::string::npos) break;
        const size_t end = svg.find('>', start);
        if (end == std::string::npos || svg.substr(start + 1, end - start - 1).find('<') != std::string::npos)
            return false;
        std::istringstream tag(svg.substr(start + 1, end - start - 1));
        std::string name;
        tag >> name;
        if (name[0] == '/') {
            if (open.empty() || "/" + open.back() != name) return false;
            open.pop_back();
        } else if (svg[end - 1] != '/') {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty();
}

/// The data of the first path with this class; empty if there is none.
std::string path_of(const std::string& svg, const std::string& kind)
{
    const std::string start = "<path class=\"" + kind + "\" d=\"";
    size_t at = svg.find(start);
    // Skip the horizontal line in the legend.
    while (at != std::string::npos) {
        const size_t from = at + start.size();
        const std::string d = svg.substr(from, svg.find('"', from) - from);
        if (d.find('h') == std::string::npos) return d;
        at = svg.find(start, from);
    }
    return {};
}

/// All numbers in a path.
std::vector<double> numbers(std::string path)
{
    for (char& c : path)
        if (std::isalpha(static_cast<unsigned char>(c))) c = ' ';
    std::istringstream in(path);
    return {std::istream_iterator<double>(in), {}};
}

std::vector<double> heights(const std::string& path)
{
    const std::vector<double> all = numbers(path);
    std::vector<double> out;
    for (size_t i = 1; i < all.size(); i += 2) out.push_back(all[i]);
    return out;
}

struct Bar {
    double x = 0, y = 0, width = 0, height = 0;
};

/// The first bar with this class.
Bar bar_of(const std::string& svg, const std::string& kind)
{
    Bar bar;
    const std::string start = "<rect class=\"" + kind + "\" ";
    const size_t at = svg.find(start);
    if (at == std::string::npos) return bar;
    std::sscanf(svg.c_str() + at + start.size(), "x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &bar.x, &bar.y,
                &bar.width, &bar.height);
    return bar;
}

Plot simple(std::vector<double> values)
{
    Plot plot{"Title", "time [s]", "speed [m/s]", {}, {{"a line", std::move(values)}}};
    for (size_t i = 0; i < plot.lines[0].values.size(); ++i) plot.x.push_back(static_cast<double>(i));
    return plot;
}

std::vector<std::string> labels(const Axis& axis)
{
    std::vector<std::string> out;
    for (const AxisTick& tick : axis.ticks)
        if (!tick.label.empty()) out.push_back(tick.power.empty() ? tick.label : tick.label + "^" + tick.power);
    return out;
}

using Labels = std::vector<std::string>;

TEST(Plot, HasTitleLabelsLegendAndOneLinePerSeries)
{
    Plot plot = simple({1, 2, 3});
    plot.lines.push_back({"another", {3, 2, 1}});
    const std::string svg = plot_svg(plot);
    ASSERT_TRUE(is_well_formed(svg));
    for (const char* text : {">Title</text>", ">time [s]</text>", ">speed [m/s]</text>", ">a line</text>",
                             ">another</text>", "prefers-color-scheme:dark", "viewBox=\"0 0 720 360\""})
        EXPECT_EQ(count(svg, text), 1u) << text;
    const auto up = heights(path_of(svg, "line s0")), down = heights(path_of(svg, "line s1"));
    ASSERT_EQ(up.size(), 3u);
    ASSERT_EQ(down.size(), 3u);
    EXPECT_GT(up[0], up[1]);  // y points downwards
    EXPECT_GT(up[1], up[2]);
    EXPECT_EQ(up[0], down[2]);
    EXPECT_EQ(svg.find("http", svg.find("xmlns") + 40), std::string::npos) << "no external references";
}

TEST(Plot, TextIsEscapedAndBrokenTextReplaced)
{
    Plot plot = simple({1, 2});
    plot.title = "a < b & \"c\" > 'd'";
    plot.x_label = "</text><script>";
    plot.y_label = "bell \x07, half \xc3, \xff, surrogate \xed\xa0\x80";
    plot.lines[0].name = std::string("gr\u00fc\u00df\0e", 8) + std::string(500, 'x');
    const std::string svg = plot_svg(plot);
    EXPECT_TRUE(is_well_formed(svg)) << svg;
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos;"), std::string::npos);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_NE(svg.find("gr\u00fc\u00df\ufffde"), std::string::npos);
    EXPECT_EQ(svg.find("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), std::string::npos) << "a long name is truncated";
    for (const char bad : {'\x07', '\xff', '\0'}) EXPECT_EQ(svg.find(bad), std::string::npos) << static_cast<int>(bad);
    EXPECT_EQ(svg.find("\xed\xa0\x80"), std::string::npos);
}

TEST(Plot, NonFiniteValuesLeaveGaps)
{
    const std::string svg =
        plot_svg(simple({1, 2, kMissingValue, 3, 4, std::numeric_limits<double>::infinity(), 5, -1e308, 6, 7}));
    const std::string path = path_of(svg, "line s0");
    EXPECT_EQ(count(path, "M"), 3u) << path;
    EXPECT_EQ(heights(path).size(), 6u);
    EXPECT_EQ(count(svg, "<circle"), 1u) << "the point between two gaps";
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    // A gap at the start does not shift the rest.
    EXPECT_EQ(numbers(path_of(plot_svg(simple({kMissingValue, 0, 1, 2})), "line s0"))[0],
              numbers(path_of(plot_svg(simple({0, 0, 1, 2})), "line s0"))[2]);
}

TEST(Plot, AwkwardDataGivesAValidDocument)
{
    const std::vector<std::vector<double>> all = {
        {}, {kMissingValue}, {5}, {0, 0, 0}, {-7, -7}, {1e-320, 0}, {1e299, -1e299}, {1e9, 1e9 + 1e-6}};
    for (const auto& values : all)
        for (const PlotScale scale : {PlotScale::kLinear, PlotScale::kLogarithmic})
            for (const PlotStyle style : {PlotStyle::kLines, PlotStyle::kStacked, PlotStyle::kBars}) {
                Plot plot = simple(values);
                plot.scale = plot.x_scale = scale;
                plot.names = {"one", ""};
                plot.style = style;
                const std::string svg = plot_svg(plot);
                EXPECT_TRUE(is_well_formed(svg)) << svg;
                EXPECT_EQ(svg.find("nan"), std::string::npos);
                EXPECT_LT(svg.size(), 8000u);
            }
    EXPECT_NE(plot_svg({}).find("no data"), std::string::npos);
    EXPECT_NE(plot_svg(simple({kMissingValue, kMissingValue})).find("no data"), std::string::npos);
    EXPECT_EQ(plot_svg(simple({0, 0})).find("no data"), std::string::npos);
    EXPECT_EQ(count(plot_svg(simple({5})), "<circle"), 1u);
    Plot lengths = simple({1, 2, 3, 4});
    lengths.x.resize(2);
    EXPECT_EQ(heights(path_of(plot_svg(lengths), "line s0")).size(), 2u);
    lengths.x = {0, kMissingValue, 1, 2, 3, 4, 5};
    EXPECT_TRUE(is_well_formed(plot_svg(lengths)));
}

TEST(Plot, LogarithmicScaleOmitsValuesThatAreNotPositive)
{
    Plot plot = simple({1e-6, 1e-5, 0, 1e-4, -1, 1e-3, 1e-2});
    plot.scale = PlotScale::kLogarithmic;
    const std::string svg = plot_svg(plot);
    EXPECT_EQ(count(svg, "<circle"), 1u);
    const auto y = heights(path_of(svg, "line s0"));
    ASSERT_EQ(y.size(), 4u);
    EXPECT_NEAR(y[0] - y[1], y[2] - y[3], 0.11) << "all decades have the same height";
    plot.lines[0].values.assign(7, 0.0);
    EXPECT_NE(plot_svg(plot).find("no data"), std::string::npos);
}

TEST(Plot, ManyPointsKeepEverySpike)
{
    std::vector<double> values(30'000);
    for (size_t i = 0; i < values.size(); ++i) values[i] = 1 + 0.1 * std::sin(static_cast<double>(i) * 0.01);
    values[12'345] = 9.9;
    values[23'456] = -5;
    const auto y = heights(path_of(plot_svg(simple(values)), "line s0"));
    EXPECT_LE(y.size(), 1000u);
    EXPECT_GT(y.size(), 500u);
    const auto [top, bottom] = std::minmax_element(y.begin(), y.end());
    const double base = y[0];
    EXPECT_NEAR((base - *top) / (*bottom - base), 8.9 / 6, 0.05);
    // If every other point is missing, the gaps are too short to see.
    for (size_t i = 0; i < values.size(); i += 2) values[i] = kMissingValue;
    EXPECT_EQ(count(path_of(plot_svg(simple(values)), "line s0"), "M"), 1u);
}

TEST(Plot, StackedAreasShareTheirEdges)
{
    Plot plot = simple({1, 1, 1});
    plot.style = PlotStyle::kStacked;
    plot.lines.push_back({"on top", {1, 2, 1}});
    const std::string svg = plot_svg(plot);
    const auto lower = heights(path_of(svg, "area f0 s0")), upper = heights(path_of(svg, "area f1 s1"));
    ASSERT_EQ(lower.size(), 6u);
    ASSERT_EQ(upper.size(), 6u);
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(lower[i], upper[5 - i]) << "the edge between them";
    EXPECT_NEAR(lower[3] - upper[1], 3 * (lower[3] - lower[1]), 0.11);
    plot.lines[0].values[1] = kMissingValue;
    EXPECT_EQ(count(path_of(plot_svg(plot), "area f1 s1"), "Z"), 2u) << "a gap in one line is a gap in all lines above";
}

TEST(Plot, BarsStandInGroupsAboveTheirNames)
{
    Plot plot{"Title", "", "ms", {}, {{"paper", {1, 2, kMissingValue}}, {"here", {3, -1, 4}}}};
    plot.style = PlotStyle::kBars;
    plot.names = {"a < b", "horse", "bunny"};
    const std::string svg = plot_svg(plot);
    EXPECT_TRUE(is_well_formed(svg)) << svg;
    EXPECT_EQ(count(svg, "class=\"bar f0\""), 2u) << "no bar without a number";
    EXPECT_EQ(count(svg, "class=\"bar f1\""), 3u);
    for (const char* name : {">a &lt; b</text>", ">horse</text>", ">bunny</text>"}) EXPECT_EQ(count(svg, name), 1u);
    const auto first = bar_of(svg, "bar f0"), second = bar_of(svg, "bar f1");
    EXPECT_GT(second.x, first.x + first.width) << "side by side";
    EXPECT_NEAR(second.height, 3 * first.height, 0.2);
    EXPECT_NEAR(second.y + second.height, first.y + first.height, 0.2) << "both start at zero";
    plot.scale = PlotScale::kLogarithmic;
    EXPECT_EQ(count(plot_svg(plot), "class=\"bar f1\""), 2u) << "no bar for negative values";
}

TEST(Plot, WideNamesAlternateBetweenTwoRows)
{
    Plot plot{"", "animal", "", {}, {{"one", {1, 2, 3}}}};
    plot.style = PlotStyle::kBars;
    plot.names = {"bunny", "horse", "bear"};
    const PlotSize small{200, 200};
    EXPECT_NE(plot_svg(plot, small).find("viewBox=\"0 0 200 200\""), std::string::npos);
    plot.names[1] = "a horse named Louis";
    EXPECT_NE(plot_svg(plot, small).find("viewBox=\"0 0 200 214\""), std::string::npos);
}

TEST(Plot, ExpectedLinesAreDashedAndFewPointsGetDots)
{
    Plot plot = simple({1, 2, 3});
    plot.lines.push_back({.name = "expected", .values = {1, 2, 3}, .dashed = true});
    plot.marks = {{1.5, "critical"}, {kMissingValue, "nowhere"}};
    const std::string svg = plot_svg(plot);
    EXPECT_TRUE(is_well_formed(svg)) << svg;
    EXPECT_EQ(path_of(svg, "line s0"), path_of(svg, "line s1 dashed"));
    EXPECT_EQ(count(svg, "<path class=\"dots"), 1u) << "not on dashed lines";
    EXPECT_EQ(count(svg, "class=\"mark\""), 1u);
    EXPECT_EQ(count(svg, ">critical</text>"), 1u);
    EXPECT_EQ(count(plot_svg(simple(std::vector<double>(200, 1.0))), "<path class=\"dots"), 0u);
}

TEST(Plot, RowsOfTheLegendAddToTheHeight)
{
    Plot plot = simple({1, 2});
    for (int i = 0; i < 3; ++i) plot.lines.push_back({"a name of some length", {1, 2}});
    EXPECT_NE(plot_svg(plot).find("viewBox=\"0 0 720 360\""), std::string::npos);
    EXPECT_NE(plot_svg(plot, {300, 250}).find("viewBox=\"0 0 300 288\""), std::string::npos);
}

TEST(PlotAxis, LabelsAreRoundNumbers)
{
    EXPECT_EQ(labels(rounded_axis({0.1, 9.3}, 5)), (Labels{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(labels(rounded_axis({-0.9, 0.3}, 6)),
              (Labels{"\u22121.0", "\u22120.8", "\u22120.6", "\u22120.4", "\u22120.2", "0", "0.2", "0.4"}));
    EXPECT_EQ(labels(rounded_axis({100.5, 101.5}, 5)),
              (Labels{"100.4", "100.6", "100.8", "101.0", "101.2", "101.4", "101.6"}));
    EXPECT_EQ(labels(exact_axis({0.3, 2.2}, 4)), (Labels{"0.5", "1.0", "1.5", "2.0"}));
    const Axis tiny = rounded_axis({0, 4e-7}, 4);
    EXPECT_EQ(labels(tiny), (Labels{"0", "100", "200", "300", "400"}));
    EXPECT_EQ(tiny.factor, -9);
    EXPECT_EQ(rounded_axis({0, 2.5e6}, 5).factor, 6);
    EXPECT_DOUBLE_EQ(rounded_axis({0, 8}, 4).position(4), 0.5);
}

TEST(PlotAxis, LogarithmicAxesLabelDecades)
{
    EXPECT_EQ(labels(logarithmic_axis({0.02, 30})), (Labels{"0.01", "0.1", "1", "10", "100"}));
    EXPECT_EQ(labels(logarithmic_axis({2e-7, 3e-5})), (Labels{"10^\u22127", "10^\u22126", "10^\u22125", "10^\u22124"}));
    EXPECT_EQ(labels(logarithmic_axis({1000, 1000})), (Labels{"10^2", "10^3", "10^4"}));
    EXPECT_LE(labels(logarithmic_axis({1e-200, 1e200})).size(), 8u);
    EXPECT_DOUBLE_EQ(logarithmic_axis({1, 100}).position(10), 0.5);
    EXPECT_EQ(logarithmic_axis({1, 10}).ticks.size(), 10u) << "minor ticks within the decade";
    EXPECT_EQ(labels(exact_logarithmic_axis({8, 64})), (Labels{"10", "20", "50"}));
    EXPECT_EQ(labels(exact_logarithmic_axis({10, 1e4})), (Labels{"10^1", "10^2", "10^3", "10^4"}));
    EXPECT_LE(labels(exact_logarithmic_axis({1e-200, 1e200})).size(), 8u);
    EXPECT_EQ(labels(exact_logarithmic_axis({10, 10})), (Labels{"5", "10", "20"}));
    EXPECT_DOUBLE_EQ(exact_logarithmic_axis({2, 200}).position(20), 0.5);
}

}  // namespace
}  // namespace tendril::test
