#include "lab_page.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tendril::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJpegQuality = 88;

constexpr std::string_view kStyle = R"(
:root{--paper:#fff;--ink:#1c2024;--soft:#5d6670;--line:#dfe3e7;--panel:#f6f7f8;--good:#116b3b;--bad:#8a4b00;
--broken:#a31621;--link:#1a5fb4}
@media(prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e4e7ea;--soft:#98a2ad;--line:#2d3338;--panel:#1c2125;
--good:#63c88f;--bad:#e0a458;--broken:#f2777a;--link:#7fb2f0}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:36px}h1{font-size:30px;margin:0 0 4px}h2{margin:52px 0 4px;font-size:23px}
h3{margin:0;font-size:18px}a{color:var(--link)}
.soft,figcaption,.place{color:var(--soft)}.place{font-size:14px;margin:2px 0 10px}
.claim{border:1px solid var(--line);border-radius:8px;padding:18px 20px;margin:18px 0;background:var(--panel)}
.claim>header{display:flex;gap:12px;justify-content:space-between;align-items:start;padding:0;max-width:none}
.verdict{font-weight:600;white-space:nowrap;font-size:14px}
.holds{color:var(--good)}.notmet{color:var(--bad)}.failed{color:var(--broken)}
dl{display:grid;grid-template-columns:7em 1fr;gap:4px 14px;margin:12px 0}dt{color:var(--soft)}dd{margin:0;min-width:0}
.figures{display:flex;flex-wrap:wrap;gap:16px}figure{margin:10px 0 0;flex:1 1 420px;min-width:0}
figure img{max-width:100%;height:auto;display:block;border-radius:4px}figcaption{font-size:14px;margin-top:4px}
.wide{overflow-x:auto;margin:10px 0}table{border-collapse:collapse;font-size:14px}
caption{text-align:left;color:var(--soft);padding-bottom:4px}
th,td{padding:4px 12px 4px 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
td:not(:first-child){font-variant-numeric:tabular-nums}
.summary{width:100%}.summary th{padding-top:16px}.summary td:last-child{white-space:nowrap}
code{font-size:.92em;overflow-wrap:anywhere}footer{padding-bottom:60px;color:var(--soft);font-size:14px}
@media(max-width:600px){main,header,footer{padding-left:12px;padding-right:12px}dl{grid-template-columns:1fr}
dt{margin-top:6px}.claim{padding:14px 12px}.claim>header{flex-direction:column;gap:0}figure{flex-basis:100%}
.where{display:none}}
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

std::string_view word(Verdict verdict)
{
    switch (verdict) {
        case Verdict::kHolds: return "holds";
        case Verdict::kNotMet: return "not met";
        case Verdict::kFailed: break;
    }
    return "failed";
}

std::string_view style_of(Verdict verdict)
{
    return verdict == Verdict::kNotMet ? "notmet" : word(verdict);
}

std::string name_of(const LabEntry& entry)
{
    return entry.paper->name + "/" + entry.claim->name;
}

std::string figure_html(const LabFigure& figure)
{
    const bool drawn = !figure.picture.bytes.empty();
    return fmt::format("<figure><img alt=\"{0}\" src=\"data:{1};base64,{2}\"><figcaption>{0}</figcaption></figure>\n",
                       escaped(figure.caption), drawn ? "image/jpeg" : "image/svg+xml",
                       base64(drawn ? jpeg(figure.picture) : plot_svg(figure.plot)));
}

std::string table_html(const LabTable& table)
{
    std::string out = fmt::format("<div class=\"wide\"><table><caption>{}</caption><tr>", escaped(table.caption));
    for (const std::string& head : table.head) out += fmt::format("<th>{}</th>", escaped(head));
    out += "</tr>\n";
    for (const auto& row : table.rows) {
        out += "<tr>";
        for (const std::string& cell : row) out += fmt::format("<td>{}</td>", escaped(cell));
        out += "</tr>\n";
    }
    return out + "</table></div>\n";
}

/// Parts of a text between ", ".
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

/// A scene by its file, a command as it is.
std::string scene_html(const std::string& name)
{
    const bool command = name.starts_with("tendril ");
    return fmt::format("<code>{}{}{}</code>", command ? "" : "scenes/", escaped(name), command ? "" : ".toml");
}

/// What a scene was changed by; what only its pictures see is left out.
std::string values_html(const SceneUse& use)
{
    constexpr size_t kShown = 4;  // of many values of a key
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

/// What was run, or what would have been.
std::string scenes_html(const LabEntry& entry)
{
    std::string out;
    std::vector<std::string> named = parts_of(entry.claim->scene);
    for (const SceneUse& use : entry.uses) {
        out += fmt::format("{}{}{}", out.empty() ? "" : "<br>", scene_html(use.name), values_html(use));
        std::erase(named, use.name);
    }
    for (const std::string& name : named) out += fmt::format("{}{}", out.empty() ? "" : "<br>", scene_html(name));
    return out;
}

std::string entry_html(const LabEntry& entry)
{
    const Verdict verdict = entry.verdict();
    std::string out = fmt::format(
        "<section class=\"claim\" id=\"{}\"><header><h3>{}</h3><span class=\"verdict {}\">{}</span></header>\n"
        "<p class=\"place\">{}</p>\n<dl><dt>claim</dt><dd>{}</dd>\n<dt>it holds if</dt><dd>{}</dd>\n",
        name_of(entry), escaped(entry.claim->title), style_of(verdict), word(verdict), escaped(entry.claim->place),
        escaped(entry.claim->claim), escaped(entry.claim->bar));
    const auto term = [&](std::string_view name, const std::string& text) {
        if (!text.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(text));
    };
    term("measured", entry.finding.measured);
    term("why not", entry.finding.holds ? "" : entry.finding.reason);
    term("problem", entry.problem);
    if (const std::string scenes = scenes_html(entry); !scenes.empty())
        out += fmt::format("<dt>run</dt><dd>{}</dd>\n", scenes);
    out += fmt::format("<dt>again</dt><dd><code>tendril lab {}</code>, {:.1f} s</dd></dl>\n", name_of(entry),
                       entry.seconds);
    for (const LabTable& table : entry.finding.tables) out += table_html(table);
    out += "<div class=\"figures\">";
    for (const LabFigure& figure : entry.finding.figures) out += figure_html(figure);
    return out + "</div></section>\n";
}

std::string summary_html(const std::vector<LabEntry>& entries)
{
    std::string out = "<div class=\"wide\"><table class=\"summary\"><caption>All claims</caption>";
    const Paper* paper = nullptr;
    for (const LabEntry& entry : entries) {
        if (entry.paper != paper)
            out +=
                fmt::format("<tr><th>{}</th><th class=\"where\">where</th><th>verdict</th></tr>\n", entry.paper->name);
        paper = entry.paper;
        out +=
            fmt::format("<tr><td><a href=\"#{}\">{}</a></td><td class=\"where\">{}</td><td class=\"{}\">{}</td></tr>\n",
                        name_of(entry), escaped(entry.claim->title), escaped(entry.claim->place),
                        style_of(entry.verdict()), word(entry.verdict()));
    }
    return out + "</table></div>\n";
}

std::string counts_text(const std::vector<LabEntry>& entries)
{
    const auto count = [&](Verdict verdict) {
        return std::count_if(entries.begin(), entries.end(),
                             [&](const LabEntry& entry) { return entry.verdict() == verdict; });
    };
    std::string out = fmt::format("{} of {} claims hold", count(Verdict::kHolds), entries.size());
    if (const auto n = count(Verdict::kNotMet)) out += fmt::format(", {} not met for a known reason", n);
    if (const auto n = count(Verdict::kFailed)) out += fmt::format(", {} failed", n);
    return out;
}

Json uses_json(const std::vector<SceneUse>& uses)
{
    Json out = Json::array();
    for (const SceneUse& use : uses) {
        Json values = Json::object();
        for (const auto& [key, some] : use.values)
            for (const std::string& value : some) values[key].push_back(value.empty() ? Json(nullptr) : Json(value));
        out.push_back({{"scene", use.name}, {"times", use.opened}, {"values", values}});
    }
    return out;
}

}  // namespace

Verdict LabEntry::verdict() const
{
    if (!problem.empty()) return Verdict::kFailed;
    if (finding.holds) return Verdict::kHolds;
    return finding.reason.empty() ? Verdict::kFailed : Verdict::kNotMet;
}

bool any_failed(const std::vector<LabEntry>& entries)
{
    return std::any_of(entries.begin(), entries.end(),
                       [](const LabEntry& entry) { return entry.verdict() == Verdict::kFailed; });
}

std::string lab_page(const std::vector<LabEntry>& entries, const LabConditions& conditions)
{
    std::string out = fmt::format(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tendril lab</title>"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><style>{}</style></head>\n"
        "<body><header><h1>Tendril lab</h1><p class=\"soft\">What five papers claim, and what this program does. "
        "{}. Version {}, {}, {} threads, {} sizes, {:.0f} s.</p></header><main>\n",
        kStyle, counts_text(entries), escaped(conditions.version), escaped(conditions.simd), conditions.threads,
        conditions.full ? "the papers'" : "quick", conditions.seconds);
    if (entries.size() < conditions.asked)
        out += fmt::format("<p><b>Interrupted: {} of {} claims were looked into.</b></p>\n", entries.size(),
                           conditions.asked);
    out += summary_html(entries);
    const Paper* paper = nullptr;
    for (const LabEntry& entry : entries) {
        if (entry.paper != paper) {
            paper = entry.paper;
            out += fmt::format("<h2 id=\"{0}\">{0}</h2><p class=\"soft\">{1}</p>\n", paper->name,
                               escaped(paper->citation));
        }
        out += entry_html(entry);
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
        claims.push_back({{"name", name_of(entry)},
                          {"place", entry.claim->place},
                          {"title", entry.claim->title},
                          {"claim", entry.claim->claim},
                          {"bar", entry.claim->bar},
                          {"scenes", parts_of(entry.claim->scene)},
                          {"run", uses_json(entry.uses)},
                          {"verdict", word(entry.verdict())},
                          {"measured", entry.finding.measured},
                          {"reason", entry.finding.holds ? "" : entry.finding.reason},
                          {"problem", entry.problem},
                          {"numbers", numbers},
                          {"seconds", entry.seconds}});
    }
    return Json{{"version", conditions.version},   {"simd", conditions.simd},
                {"threads", conditions.threads},   {"full", conditions.full},
                {"seconds", conditions.seconds},   {"asked", conditions.asked},
                {"summary", counts_text(entries)}, {"claims", claims}}
               .dump(2) +
           "\n";
}

}  // namespace tendril::app
