#include "lab_page.h"

#include "forms.h"
#include "quotes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

namespace tendril::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJpegQuality = 88;

// Small enough for readable text on a phone and for two plots side by side on a desktop screen.
constexpr PlotSize kPlotSize{400, 290};
// Wider pictures do not share a row [pixels].
constexpr uint32_t kWide = 860, kHalfRow = 420;

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2024;--soft:#5d6670;--line:#dfe3e7;--panel:#f6f7f8;--shade:#0003;
--good:#116b3b;--ours:#1d6a86;--bad:#8a4b00;--broken:#a31621;--link:#1a5fb4}
@media(prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e4e7ea;--soft:#98a2ad;--line:#2d3338;--panel:#1c2125;
--shade:#000a;--good:#63c88f;--ours:#62bdd8;--bad:#e0a458;--broken:#f2777a;--link:#7fb2f0}}
*{box-sizing:border-box}
html{scroll-padding-top:60px}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main,body>header,footer,nav>div{max-width:1080px;margin:0 auto;padding:0 20px}
body>header{padding-top:44px}
h1{font-size:38px;line-height:1.15;letter-spacing:-.02em;margin:0 0 6px}
h2{margin:64px 0 2px;font-size:25px;letter-spacing:-.01em}h3{margin:0;font-size:19px;line-height:1.3}
a{color:var(--link)}a:not(:hover){text-decoration-color:color-mix(in srgb,currentColor 35%,transparent)}
.soft,figcaption,.place,dt{color:var(--soft)}.lede{font-size:19px;margin:0 0 18px}.small{font-size:14px}
.printed{color:var(--good)}.ours{color:var(--ours)}.notmet{color:var(--bad)}.failed{color:var(--broken)}
.tally{display:flex;gap:3px;height:10px;margin:20px 0 8px}.tally i{background:currentColor;border-radius:3px}
nav{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--line);margin-top:26px}
nav>div{display:flex;flex-wrap:wrap;gap:2px 22px;padding-top:9px;padding-bottom:9px;font-size:15px}
.contents{columns:2;column-gap:44px;margin-top:26px}.contents section{break-inside:avoid;padding-bottom:20px}
.contents h4{margin:0;font-size:15px;display:flex;justify-content:space-between}
.contents ul{list-style:none;margin:4px 0 0;padding:0;font-size:14px}
.contents li{display:flex;gap:12px;justify-content:space-between;padding:3px 0;border-top:1px solid var(--line)}
.verdict{font-weight:600;white-space:nowrap;font-size:14px}
.claim{border:1px solid var(--line);border-radius:10px;padding:20px 22px;margin:20px 0;background:var(--panel)}
.claim>header{display:flex;gap:12px;justify-content:space-between;align-items:start}
.claim>header .verdict{padding:2px 11px;border-radius:99px;background:color-mix(in srgb,currentColor 13%,transparent)}
.place{font-size:14px;margin:2px 0 0}
dl{display:grid;grid-template-columns:6em minmax(0,78ch);gap:7px 16px;margin:14px 0}dd{margin:0}
.evidence{display:flex;flex-wrap:wrap;gap:18px 20px;align-items:start}
figure{margin:0;flex:1 1 420px;min-width:0;max-width:100%}figcaption{font-size:14px;line-height:1.4;margin-top:5px}
figure img{width:100%;height:auto;display:block;border-radius:5px}.plot{max-width:480px}
.table{flex:0 1 auto}.table figcaption{width:0;min-width:100%;margin:0 0 5px}
.wide{overflow-x:auto;background:
linear-gradient(90deg,var(--panel) 40%,transparent) 0 0/36px 100% no-repeat local,
linear-gradient(270deg,var(--panel) 40%,transparent) 100% 0/36px 100% no-repeat local,
linear-gradient(90deg,var(--shade),transparent) 0 0/14px 100% no-repeat,
linear-gradient(270deg,var(--shade),transparent) 100% 0/14px 100% no-repeat}
table{border-collapse:collapse;font-size:14px;line-height:1.35}
th,td{padding:4px 0 4px 18px;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{max-width:9.5em;vertical-align:bottom}th:first-child,td:first-child{padding-left:0}
td{font-variant-numeric:tabular-nums}.number{text-align:right}
code{font-size:.92em;overflow-wrap:anywhere}summary{cursor:pointer}
.run{border-top:1px solid var(--line);margin-top:18px;padding-top:10px;font-size:14px;color:var(--soft)}
.run ul{margin:6px 0 0;padding-left:20px}
footer{padding-top:10px;padding-bottom:60px;color:var(--soft);font-size:14px}
@media(max-width:700px){html{scroll-padding-top:12px}nav{position:static}.contents{columns:1}
main,body>header,footer,nav>div{padding-left:10px;padding-right:10px}
body>header{padding-top:26px}h1{font-size:31px}dl{grid-template-columns:1fr;gap:0}
dt{margin-top:8px;font-size:14px}.claim{padding:14px 12px}figure{flex-basis:100%}th,td{padding-left:12px}
th{min-width:5.5em}th:first-child:not(.number){min-width:7em}th.number:first-child{min-width:0}}
)";

constexpr std::string_view kLegend = R"(<p class="small"><b class="printed">Holds as printed</b>: a run with the
equations as printed meets the bar. <b class="ours">Holds with our method</b>: only the method that the claim names
does. <b class="notmet">Not met</b>: neither does, for a reason that was checked. <b class="failed">Failed</b>: for no
known reason, or not measured.</p>
)";

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t count = std::min<size_t>(3, bytes.size() - i);
        uint32_t three = 0;
        for (size_t k = 0; k < 3; ++k) three = three << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) out += k <= count ? kLetters[three >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

std::string jpeg(const Picture& picture)
{
    std::string out;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<size_t>(size));
    };
    stbi_write_jpg_to_func(append, &out, static_cast<int>(picture.width), static_cast<int>(picture.height), 3,
                           picture.bytes.data(), kJpegQuality);
    return out;
}

/// The class of a verdict in the style sheet.
std::string_view style_of(Verdict verdict)
{
    switch (verdict) {
        case Verdict::kHoldsAsPrinted: return "printed";
        case Verdict::kHoldsWithOurs: return "ours";
        case Verdict::kNotMet: return "notmet";
        case Verdict::kFailed: break;
    }
    return "failed";
}

std::string figure_html(const LabFigure& figure)
{
    const bool drawn = !figure.picture.bytes.empty();
    // Pictures are never enlarged, and wide ones get their own row.
    const uint32_t width = figure.picture.width, basis = width > kWide ? width : kHalfRow;
    const std::string kind =
        drawn ? fmt::format("style=\"max-width:{}px;flex-basis:{}px\"", width, basis) : "class=\"plot\"";
    return fmt::format(
        "<figure {0}><img alt=\"{1}\" src=\"data:{2};base64,{3}\"><figcaption>{1}</figcaption></figure>\n", kind,
        escaped(figure.caption), drawn ? "image/jpeg" : "image/svg+xml",
        base64(drawn ? jpeg(figure.picture) : plot_svg(figure.plot, kPlotSize)));
}

/// Whether all cells of a column are numbers, which are right-aligned.
bool has_numbers(const LabTable& table, size_t column)
{
    return std::all_of(table.rows.begin(), table.rows.end(), [&](const std::vector<std::string>& row) {
        return column < row.size() && row[column].find_first_not_of("0123456789.+-e %/()") == std::string::npos;
    });
}

/// A table that is wider than the page scrolls, also by keyboard; shadows at its sides show that.
std::string table_html(const LabTable& table)
{
    const auto cells = [&](std::string_view tag, const std::vector<std::string>& texts) {
        std::string out = "<tr>";
        for (size_t k = 0; k < texts.size(); ++k)
            out += fmt::format("<{0}{1}>{2}</{0}>", tag, has_numbers(table, k) ? " class=\"number\"" : "",
                               escaped(texts[k]));
        return out + "</tr>\n";
    };
    std::string out = fmt::format(
        "<figure class=\"table\"><figcaption>{0}</figcaption>"
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>",
        escaped(table.caption));
    out += cells("th", table.head);
    for (const auto& row : table.rows) out += cells("td", row);
    return out + "</table></div></figure>\n";
}

/// Splits a text at ", ".
std::vector<std::string> parts_of(std::string_view text)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const size_t end = text.find(", ");
        parts.emplace_back(text.substr(0, end));
        text = end == text.npos ? std::string_view{} : text.substr(end + 2);
    }
    return parts;
}

/// A scene as its file name, a command verbatim.
std::string scene_html(const std::string& name)
{
    const bool command = name.starts_with("tendril ");
    return fmt::format("<code>{}{}{}</code>", command ? "" : "scenes/", escaped(name), command ? "" : ".toml");
}

/// The values that a scene was opened with, except those that only affect pictures.
std::string values_html(const SceneUse& use)
{
    constexpr size_t kShown = 4;  // values per key
    std::string out;
    for (const auto& [key, values] : use.values) {
        if (key.starts_with("render.")) continue;
        std::vector<std::string> some(values.begin(), values.begin() + std::min(values.size(), kShown));
        std::replace(some.begin(), some.end(), std::string(), std::string("its own"));
        out += fmt::format("{}<code>{} = {}</code>", out.empty() ? " with " : "; ", escaped(key),
                           escaped(fmt::format("{}", fmt::join(some, " | "))));
        if (values.size() > kShown) out += fmt::format(" and {} more", values.size() - kShown);
    }
    return out;
}

/// The methods of a scene's runs that have a printed form, and which forms were run.
std::string forms_html(const SceneUse& use)
{
    std::vector<std::string> methods;
    for (const std::vector<FormUse>& forms : use.forms)
        for (const FormUse& form : forms)
            if (std::find(methods.begin(), methods.end(), form.method) == methods.end()) methods.push_back(form.method);
    std::string out;
    for (const std::string& method : methods) {
        const auto ran = [&](bool printed) {
            return std::any_of(use.forms.begin(), use.forms.end(), [&](const std::vector<FormUse>& forms) {
                return std::find(forms.begin(), forms.end(), FormUse{method, printed}) != forms.end();
            });
        };
        out += fmt::format("{}{} {}", out.empty() ? ". Forms: " : ", ", escaped(method),
                           !ran(false) ? "as printed"
                           : ran(true) ? "as printed and ours"
                                       : "ours");
    }
    return out;
}

/// The scenes that were run, and those that the claim names, as list items.
std::string scenes_html(const LabEntry& entry)
{
    std::string out;
    std::vector<std::string> named = parts_of(entry.claim->scene);
    for (const SceneUse& use : entry.uses) {
        out += fmt::format("<li>{}{}{}</li>\n", scene_html(use.name), values_html(use), forms_html(use));
        std::erase(named, use.name);
    }
    for (const std::string& name : named) out += fmt::format("<li>{}</li>\n", scene_html(name));
    return out;
}

std::string verdict_html(const LabEntry& entry)
{
    return fmt::format("<span class=\"verdict {}\">{}</span>", style_of(entry.verdict()), text_of(entry.verdict()));
}

std::string entry_html(const LabEntry& entry)
{
    std::string out = fmt::format(
        "<section class=\"claim\" id=\"{}\"><header><h3>{}</h3>{}</header>\n<p class=\"place\">{}</p>\n<dl>\n",
        entry.name(), escaped(entry.claim->title), verdict_html(entry), escaped(entry.claim->place));
    const auto term = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(text));
    };
    term("claim", entry.claim->claim);
    term("holds if", entry.claim->bar);
    term("measured", entry.finding.measured);
    const Remark remark = remark_on(entry);
    term(remark.label, remark.text);
    term("problem", entry.problem);
    out += "</dl>\n<div class=\"evidence\">\n";
    for (const LabFigure& figure : entry.finding.figures) out += figure_html(figure);
    for (const LabTable& table : entry.finding.tables) out += table_html(table);
    out += fmt::format(
        "</div>\n<details class=\"run\"><summary>Run again: <code>tendril lab {}</code> "
        "({:.1f} s). Scenes and values</summary>",
        entry.name(), entry.seconds);
    return out + fmt::format("<ul>{}</ul></details></section>\n", scenes_html(entry));
}

using Entries = std::span<const LabEntry>;

/// Groups the entries by paper.
std::vector<Entries> by_paper(Entries entries)
{
    std::vector<Entries> out;
    for (size_t i = 0, first = 0; i < entries.size(); ++i)
        if (i + 1 == entries.size() || entries[i + 1].paper != entries[i].paper) {
            out.push_back(entries.subspan(first, i + 1 - first));
            first = i + 1;
        }
    return out;
}

/// The verdicts as a strip with widths proportional to their counts.
std::string tally_html(Entries entries)
{
    const auto counts = counts_of(entries);
    std::string out = "<div class=\"tally\">";
    for (const Verdict verdict : kVerdicts)
        if (const size_t n = counts[static_cast<size_t>(verdict)])
            out += fmt::format("<i class=\"{}\" style=\"flex:{}\" title=\"{}\"></i>", style_of(verdict), n,
                               text_of(verdict));
    return out + "</div>\n";
}

/// The counts of the verdicts, each in its colour: "1 + 2 of 5" for those that hold as printed and with our method.
std::string holding_html(Entries entries)
{
    const auto counts = counts_of(entries);
    return fmt::format("<span><span class=\"printed\">{}</span> + <span class=\"ours\">{}</span> of {}</span>",
                       counts[static_cast<size_t>(Verdict::kHoldsAsPrinted)],
                       counts[static_cast<size_t>(Verdict::kHoldsWithOurs)], entries.size());
}

std::string nav_html(Entries entries)
{
    std::string out = "<nav><div><a href=\"#top\">All claims</a>\n";
    for (const Entries paper : by_paper(entries))
        out += fmt::format("<a href=\"#{0}\">{0}</a>\n", paper[0].paper->name);
    return out + "</div></nav>\n";
}

std::string contents_html(Entries entries)
{
    std::string out = "<div class=\"contents\">\n";
    for (const Entries paper : by_paper(entries)) {
        out += fmt::format("<section><h4><a href=\"#{0}\">{0}</a>{1}</h4><ul>\n", paper[0].paper->name,
                           holding_html(paper));
        for (const LabEntry& entry : paper)
            out += fmt::format("<li><span><a href=\"#{}\">{}</a> <span class=\"soft\">{}</span></span>{}</li>\n",
                               entry.name(), escaped(entry.claim->title), escaped(entry.claim->place),
                               verdict_html(entry));
        out += "</ul></section>\n";
    }
    return out + "</div>\n";
}

/// The numbers that are quoted from a paper, as a folded table.
std::string quotes_html(const std::string& paper)
{
    LabTable table{"Compared with the text of the paper when they were entered; claims are measured against these.",
                   {"key", "place", "value", "unit", "meaning"},
                   {}};
    for (const Quote& quote : kQuotes)
        if (quote.paper() == paper)
            table.rows.push_back({std::string(quote.key), std::string(quote.place), fmt::format("{}", quote.value),
                                  std::string(quote.unit), std::string(quote.words)});
    return fmt::format(
        "<details class=\"run\" id=\"{0}-quotes\"><summary>{1} numbers quoted from {0}</summary>{2}"
        "</details>\n",
        paper, table.rows.size(), table_html(table));
}

Json counts_json(Entries entries)
{
    Json out = Json::object();
    const auto counts = counts_of(entries);
    for (const Verdict verdict : kVerdicts) out[std::string(text_of(verdict))] = counts[static_cast<size_t>(verdict)];
    return out;
}

/// The quoted numbers of the papers among the entries.
Json quotes_json(Entries entries)
{
    Json out = Json::array();
    for (const Entries paper : by_paper(entries))
        for (const Quote& quote : kQuotes)
            if (quote.paper() == paper[0].paper->name)
                out.push_back({{"key", quote.key},
                               {"place", quote.place},
                               {"value", quote.value},
                               {"unit", quote.unit},
                               {"words", quote.words}});
    return out;
}

Json uses_json(const std::vector<SceneUse>& uses)
{
    Json out = Json::array();
    for (const SceneUse& use : uses) {
        Json values = Json::object();
        for (const auto& [key, some] : use.values)
            for (const std::string& value : some) values[key].push_back(value.empty() ? Json(nullptr) : Json(value));
        Json runs = Json::array();
        for (const std::vector<FormUse>& forms : use.forms) {
            Json run = Json::object();
            for (const FormUse& form : forms) run[form.method] = form.printed ? "paper" : "stable";
            runs.push_back(run);
        }
        out.push_back({{"scene", use.name}, {"times", use.opened}, {"values", values}, {"forms", runs}});
    }
    return out;
}

}  // namespace

std::string LabConditions::busy_text() const
{
    return fmt::format(
        "Other programs were running: threads of the lab had {:.0f} % of a processor. Times are not reliable.",
        100 * share);
}

std::string lab_page(const std::vector<LabEntry>& entries, const LabConditions& conditions)
{
    std::string out = fmt::format(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tendril lab</title>"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{}</style></head>\n"
        "<body id=\"top\"><header><h1>Tendril lab</h1>\n"
        "<p class=\"soft lede\">The claims of five papers, and what this program measures.</p>\n{}<div>{}.</div>\n{}"
        "<div class=\"soft small\">Version {}, {}, {} {}, {} sizes, {:.0f} s.</div></header>\n",
        kStyle, tally_html(entries), counts_text(entries), kLegend, escaped(conditions.version),
        escaped(conditions.simd), conditions.threads, conditions.threads == 1 ? "thread" : "threads",
        conditions.full ? "the papers'" : "quick", conditions.seconds);
    out += nav_html(entries) + "<main>\n";
    if (entries.size() < conditions.asked)
        out += fmt::format("<p><b>Interrupted: {} of {} claims were measured.</b></p>\n", entries.size(),
                           conditions.asked);
    if (conditions.is_busy()) out += fmt::format("<p><b>{}</b></p>\n", conditions.busy_text());
    out += contents_html(entries);
    for (const Entries paper : by_paper(entries)) {
        out += fmt::format("<h2 id=\"{0}\">{0}</h2><p class=\"soft\">{1}</p>\n", paper[0].paper->name,
                           escaped(paper[0].paper->citation));
        for (const LabEntry& entry : paper) out += entry_html(entry);
        out += quotes_html(paper[0].paper->name);
    }
    return out +
           "</main><footer>Made by <code>tendril lab</code>. Times are those of this machine.</footer></body></html>\n";
}

std::string lab_json(const std::vector<LabEntry>& entries, const LabConditions& conditions)
{
    Json claims = Json::array();
    for (const LabEntry& entry : entries) {
        Json numbers = Json::object();
        for (const auto& [name, value] : entry.finding.numbers)
            numbers[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
        claims.push_back({{"name", entry.name()},
                          {"place", entry.claim->place},
                          {"title", entry.claim->title},
                          {"claim", entry.claim->claim},
                          {"bar", entry.claim->bar},
                          {"scenes", parts_of(entry.claim->scene)},
                          {"run", uses_json(entry.uses)},
                          {"verdict", text_of(entry.verdict())},
                          {"measured", entry.finding.measured},
                          {"our_method", entry.finding.holds ? entry.finding.ours : ""},
                          {"any_form", entry.finding.holds ? entry.finding.any_form : ""},
                          {"printed_form_run", forms_run(entry.paper->name, entry.uses).printed},
                          {"reason", entry.finding.holds ? "" : entry.finding.reason},
                          {"problem", entry.problem},
                          {"numbers", numbers},
                          {"seconds", entry.seconds}});
    }
    return Json{{"version", conditions.version},           {"simd", conditions.simd},
                {"threads", conditions.threads},           {"full", conditions.full},
                {"seconds", conditions.seconds},           {"asked", conditions.asked},
                {"share_of_processors", conditions.share}, {"summary", counts_text(entries)},
                {"verdicts", counts_json(entries)},        {"claims", claims},
                {"quotes", quotes_json(entries)}}
               .dump(2) +
           "\n";
}

}  // namespace tendril::app
