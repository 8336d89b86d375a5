#include "report.h"

#include <fmt/core.h>

namespace tendril::bench {
namespace {

/// The largest ratio of our times to the paper's.
double strings_share(const StringFigures& strings)
{
    double largest = 0;
    for (const StringFigures::Size& size : strings.sizes)
        largest = std::max(largest, size.total.median() / size.published);
    return largest;
}

using nlohmann::ordered_json;

double gb_per_second(double ns_per_particle)
{
    return kBytesPerParticle / ns_per_particle;
}

struct Target {
    const char* name;
    const char* meaning;
    double value;
    const char* relation;  // ">=" or "<="
    double bar;
    bool reached() const { return *relation == '>' ? value >= bar : value <= bar; }
};

/// The cost of a method in steps of follow-the-leader.
double cost_of(const Figures& figures, SolverType type)
{
    const MethodFigures& m = figures.methods[static_cast<size_t>(type)];
    return (m.step / m.leader).median();
}

std::vector<Target> targets(const Figures& figures)
{
    const SizeFigures& size = figures.sizes.back();
    std::vector<Target> list = {
        {"share_of_bandwidth", "share of the memory bandwidth that a step reaches", (size.memory / size.step).median(),
         ">=", 0.8},
        {"ratio_to_baseline", "speed-up over plain code", (size.baseline / size.step).median(), ">=", 12},
        {"substeps8_cost", "cost of 8 substeps in steps", (size.substeps / size.step).median(), "<=", 5},
        {"bytes_per_particle", "memory per particle [bytes]", figures.bytes_per_particle, "<=", 64},
        {"hair_reading", "time to read .hair over reading its bytes",
         (figures.files.hair / figures.files.bytes).median(), "<=", 3},
        {"cache_reading", "time to read a cache over reading its bytes",
         (figures.files.cache / figures.files.bytes).median(), "<=", 3},
        {"skinning_ms", "skinning 100,000 vertices [ms]", figures.files.skinning.median(), "<=", 2},
        {"shape_ns", "a step with both shapes [ns]", figures.shapes.step.median(), "<=", 1.8},
        {"shape_times_plain", "speed-up over plain code with shapes",
         (figures.shapes.baseline / figures.shapes.step).median(), ">=", 15},
        {"direct_cost", "cost of the direct method in steps", cost_of(figures, SolverType::kDirect), "<=", 5},
        {"pbd_times_real", "PBD of 500 x 30, times faster than real time", 1e3 / 60 / figures.pbd_world.median(),
         ">=", 20},
        {"field_ms", "building a distance field of 60 x 30 x 60 cells [ms]", figures.fields.fast.median(), "<=", 5},
        {"field_error", "mean error of its nodes [cells]", figures.fields.fast_error, "<=", 0.05},
        {"field_marching_ms", "the same by fast marching [ms]", figures.fields.marching.median(), "<=", 25},
        {"field_refined_ms", "field of the bust, nodes every 4 mm [ms]", figures.fields.refined.median(), "<=", 10},
        {"field_sample_ns", "distance and normal of a particle [ns]", figures.fields.sample.median(), "<=", 2},
        {"sph_ms", "hair as a fluid, 349,002 particles [ms]", figures.sph.all.median(), "<=", 55},
        {"grid_ns", "interaction on a grid per particle [ns]", figures.grid.total.median(), "<=", 8},
        {"tractrix_split_share", "time of the split tractrix over the emulation",
         (figures.tractrix.mohawk().split / figures.tractrix.mohawk().emulation).median(), "<=", 0.2},
        {"tractrix_split_power", "exponent of its cost in the particles",
         figures.tractrix.exponent(&TractrixFigures::Size::split), "<=", 1.4},
        {"tractrix_emulation_power", "exponent of the cost of the emulation",
         figures.tractrix.exponent(&TractrixFigures::Size::emulation), ">=", 1.75},
        {"strings_share", "time of a string over the paper's", strings_share(figures.strings), "<=", 0.1},
        {"strings_crowd_ms", "1,000 touching strings of 100 segments [ms]", figures.strings.crowd.median(), "<=", 40},
        {"draft_s", "a draft of 10,000 strands [s]", figures.pictures.draft.median(), "<=", 1.2},
        {"curves_s", "building the curves of 100,000 strands [s]", figures.pictures.curves.median(), "<=", 1.5},
    };
    if (figures.allocations)
        list.push_back({"allocations", "allocations in 100 steps after the first",
                        static_cast<double>(*figures.allocations), "<=", 0});
    if (figures.grid_allocations)
        list.push_back({"grid_allocations", "the same with interaction, at rest",
                        static_cast<double>(*figures.grid_allocations), "<=", 0});
    return list;
}

/// Speed-up of the plain code on all threads over one thread. Strands are independent, so on an idle machine it is
/// close to the number of threads.
double thread_speedup(const Figures& figures)
{
    const SizeFigures& size = figures.sizes.back();
    return (size.baseline / size.baseline_threads).median();
}

bool is_busy(const Figures& figures)
{
    return figures.threads > 1 && thread_speedup(figures) < 0.75 * figures.threads;
}

// --- Table

std::string thousands(uint64_t n)
{
    std::string digits = std::to_string(n);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

void print_row(const std::string& name, const char* unit, double median, double best, double spread,
               const std::string& note = {})
{
    fmt::print("  {:<38} {:<5} {:>8.2f} {:>8.2f} {:>6.0f} %   {}\n", name, unit, median, best, 100 * spread, note);
}

void print_row(const std::string& name, const Samples& ns, const std::string& note = {})
{
    print_row(name, "ns", ns.median(), ns.min(), ns.spread(), note);
}

void print_size(const Figures& figures, const SizeFigures& size)
{
    const int threads = figures.threads;
    const std::string on_all = threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
    fmt::print("\n{} strands of {} particles\n", thousands(size.strands), size.particles);
    print_row("memory, read and written in place", "GB/s", gb_per_second(size.memory.median()),
              gb_per_second(size.memory.min()), size.memory.spread());
    print_row("plain scalar DFTL, 1 thread", size.baseline);
    if (threads > 1) print_row("plain scalar DFTL, " + on_all, size.baseline_threads);
    print_row("DFTL step", size.step,
              fmt::format("{:.1f} x as fast as plain, {:.0f} % of the memory bandwidth",
                          (size.baseline / size.step).median(), 100 * (size.memory / size.step).median()));
    print_row("DFTL step of 8 substeps", size.substeps,
              fmt::format("{:.2f} x one step", (size.substeps / size.step).median()));
}

void print_files(const FileFigures& files)
{
    fmt::print("\nFiles of 100,000 strands of 32 points, and a mesh of 100,000 vertices\n");
    const auto row = [](const char* name, const Samples& ms) {
        print_row(name, "ms", ms.median(), ms.min(), ms.spread());
    };
    row("reading the bytes", files.bytes);
    row("reading .hair", files.hair);
    row("reading a Tendril cache", files.cache);
    row("skinning, four bones per vertex", files.skinning);
}

void print_shapes(const ShapeFigures& shapes)
{
    fmt::print("\nBoth shapes, {} particles; after 48 steps, the tips of plain code and engine differ by {:.1e} m\n",
               thousands(shapes.particles), shapes.difference);
    print_row("plain scalar code, 1 thread", shapes.baseline);
    print_row("step", shapes.step, fmt::format("{:.1f} x as fast as plain", (shapes.baseline / shapes.step).median()));
}

void print_methods(const Figures& figures)
{
    const uint32_t strands = figures.methods.front().strands;
    fmt::print("\nAll methods, {} strands of 32 particles\n", thousands(strands));
    for (const MethodFigures& m : figures.methods)
        print_row(
            m.name, m.step,
            fmt::format("{:.2f} x follow-the-leader{}", (m.step / m.leader).median(),
                        m.strands == strands ? "" : fmt::format("; {} strands, {} substeps", m.strands, m.substeps)));
    const Samples& pbd = figures.pbd_world;
    print_row("500 x 30 position based, on a head", "ms", pbd.median(), pbd.min(), pbd.spread());
}

void print_layouts(const std::vector<LayoutFigures>& layouts)
{
    fmt::print("\nStrand by strand against level by level, the sizes of [Sanchez15] Table 2, [ns] per particle\n");
    fmt::print("  {:<24} {:>12} {:>14} {:>12} {:>10} {:>14}\n", "strands x particles", "one strand", "16 strands",
               "by levels", "gain", "difference [m]");
    for (const LayoutFigures& f : layouts) {
        const Samples& best = f.one.median() < f.sixteen.median() ? f.one : f.sixteen;
        fmt::print("  {:<24} {:>12.2f} {:>14.2f} {:>12.2f} {:>8.1f} x {:>14.1e}\n",
                   fmt::format("{} x {}", thousands(f.strands), f.particles), f.one.median(), f.sixteen.median(),
                   f.levels.median(), (best / f.levels).median(), f.difference);
    }
}

void print_fields(const FieldFigures& fields)
{
    fmt::print(
        "\nDistance fields with motion: 5,040 triangles on 60 x 30 x 60 cells; the bust with nodes every 4 mm\n");
    const auto row = [](const char* name, const char* unit, const Samples& s, const std::string& note = {}) {
        print_row(name, unit, s.median(), s.min(), s.spread(), note);
    };
    row("building", "ms", fields.fast, fmt::format("mean error {:.3f} cells", fields.fast_error));
    row("building by fast marching", "ms", fields.marching,
        fmt::format("mean error {:.3f} cells", fields.marching_error));
    row("building the field of the bust", "ms", fields.refined);
    row("distance and normal at a particle", "ns", fields.sample);
    row("the same in the field of the bust", "ns", fields.refined_sample);
}

void print_sph(const SphFigures& sph)
{
    fmt::print("\nHair as a fluid: {} particles, {:.1f} neighbours each, {:.0f} % of the lists truncated\n",
               thousands(sph.particles), sph.neighbours, 100 * sph.cut);
    const auto row = [](const char* name, const Samples& ms) {
        print_row(name, "ms", ms.median(), ms.min(), ms.spread());
    };
    row("sorting into cells", sph.sort);
    row("neighbours and densities, with sorting", sph.search);
    row("pressure and viscosity", sph.forces);
    row("total", sph.all);
}

void print_grid(const GridFigures& grid)
{
    fmt::print("\nInteraction on a grid: 31,250 strands of 32 particles fallen onto each other, cells of {:.1f} mm\n",
               1e3 * grid.cell);
    print_row("bounding box of the hair", grid.bound);
    print_row("adding particles to nodes", grid.add);
    print_row("velocities and densities of nodes", grid.normalise);
    print_row("friction and repulsion", grid.act);
    print_row("total", grid.total);
}

void print_tractrix(const TractrixFigures& tractrix)
{
    fmt::print("\nHair by the tractrix: {} strands, a step on one thread [ms] by particles per strand\n",
               thousands(kMohawkStrands));
    fmt::print("  {:<12} {:>12} {:>12} {:>18} {:>12}\n", "particles", "emulation", "split", "follow-the-leader",
               "plain DFTL");
    for (const TractrixFigures::Size& size : tractrix.sizes)
        fmt::print("  {:<12} {:>12.2f} {:>12.2f} {:>18.2f} {:>12.3f}\n", size.particles, size.emulation.median(),
                   size.split.median(), size.ftl.median(), size.dftl.median());
}

void print_strings(const StringFigures& strings)
{
    fmt::print(
        "\nStrings, a step of 0.01 s on one thread [ms] in {} substeps of {} iterations, and [Rungjiratananon11] Table "
        "1\n",
        strings.substeps, strings.iterations);
    fmt::print("  {:<10} {:>12} {:>8} {:>8} {:>8} {:>9} {:>8} {:>10}\n", "segments", "integration", "shape", "twist",
               "tension", "contacts", "total", "paper");
    for (const StringFigures::Size& size : strings.sizes)
        fmt::print("  {:<10} {:>12.4f} {:>8.4f} {:>8.4f} {:>8.4f} {:>9.4f} {:>8.4f} {:>10.2f}\n", size.segments,
                   size.integration.median(), size.shape.median(), size.twist.median(), size.tension.median(),
                   size.contacts.median(), size.total.median(), size.published);
    print_row("1,000 touching strings of 100 segments", "ms", strings.crowd.median(), strings.crowd.min(),
              strings.crowd.spread());
    fmt::print("  with {} contacts in {} pairs of segments per substep\n", strings.crowd_contacts, strings.crowd_pairs);
}

void print_pictures(const PictureFigures& pictures)
{
    fmt::print("\nPictures of 960 x 540 pixels\n");
    const auto row = [](const char* name, const Samples& seconds) {
        print_row(name, "s", seconds.median(), seconds.min(), seconds.spread());
    };
    row("draft, 10,000 strands of 30 points", pictures.draft);
    row("draft, 100,000 strands of 32 points", pictures.draft_large);
    row("building the curves of those", pictures.curves);
}

void print_peers(const std::vector<PeerFigures>& peers)
{
    fmt::print("\nOther engines: 64 ropes of 30 particles, 200 steps of 0.01 s, all on one thread\n");
    fmt::print("  {:<10} {:<28} {:>16} {:>14} {:>14}\n", "scenario", "method", "ns per particle", "largest stretch",
               "mean stretch");
    for (const PeerFigures& p : peers)
        fmt::print("  {:<10} {:<28} {:>16.2f} {:>14.2e} {:>14.2e}\n", p.scenario, p.method, p.ns_per_particle,
                   p.stretch_max, p.stretch_mean);
    fmt::print("Stretch is | length / rest length - 1 | over all segments and steps.\n");
}

// --- JSON

ordered_json time_json(const Samples& ns)
{
    return {{"ns_per_particle", ns.median()}, {"ns_per_particle_min", ns.min()}, {"spread", ns.spread()}};
}

ordered_json step_json(const SizeFigures& size, const Samples& step, int substeps)
{
    ordered_json row = {
        {"strands", size.strands}, {"particles", size.particles}, {"substeps", substeps}, {"variant", "plain"}};
    row.update(time_json(step));
    row["ratio_to_baseline"] = substeps * (size.baseline / step).median();
    row["share_of_bandwidth"] = (size.memory / step).median();
    row["cost_in_steps"] = (step / size.step).median();
    return row;
}

}  // namespace

void print_table(const Figures& figures)
{
    fmt::print("{}, {}, {} thread{}, {} rounds\n", figures.cpu, figures.simd, figures.threads,
               figures.threads == 1 ? "" : "s", figures.rounds);
    fmt::print("\n  {:<38} {:<5} {:>8} {:>8} {:>8}\n", "", "unit", "median", "best", "spread");
    for (const SizeFigures& size : figures.sizes) print_size(figures, size);

    const SizeFigures& large = figures.sizes.back();
    fmt::print("\nVariants of the step, {} strands of {} particles\n", thousands(large.strands), large.particles);
    for (const VariantFigures& v : figures.variants)
        print_row(v.name, v.step, fmt::format("{:.2f} x the plain step", (v.step / v.plain).median()));
    print_row("complete World::step", figures.world);
    print_files(figures.files);
    print_shapes(figures.shapes);
    print_methods(figures);
    print_layouts(figures.layouts);
    print_fields(figures.fields);
    print_sph(figures.sph);
    print_grid(figures.grid);
    print_tractrix(figures.tractrix);
    print_strings(figures.strings);
    print_pictures(figures.pictures);

    fmt::print(
        "\nns: nanoseconds per particle and step. Each round measures everything once; spread is the range of the "
        "middle\n"
        "half of the rounds, over the median. The memory bandwidth counts bytes read plus bytes written, over a buffer "
        "as\n"
        "large as the state of the strands; a step must read and write {:.0f} bytes per particle. Plain scalar DFTL is "
        "the\n"
        "paper's method on an array of particles; after 48 steps, its tips are within {:.1e} m of the engine's.\n",
        kBytesPerParticle, figures.difference);

    if (!figures.peers.empty()) print_peers(figures.peers);

    fmt::print("\nTargets\n");
    for (const Target& t : targets(figures))
        fmt::print("  {:<50} {:>8.2f}   {} {:<6g} {}\n", t.meaning, t.value, t.relation, t.bar,
                   t.reached() ? "reached" : "missed");
    if (!figures.allocations) fmt::print("  This build cannot count allocations.\n");
    if (is_busy(figures))
        fmt::print(
            "\nThis machine was busy: {} threads ran plain code only {:.1f} times as fast as one. Do not trust these "
            "numbers;\n"
            "measure again when it is idle.\n",
            figures.threads, thread_speedup(figures));
}

ordered_json to_json(const Figures& figures)
{
    ordered_json json;
    json["machine"] = {{"cpu", figures.cpu}, {"simd", figures.simd}, {"threads", figures.threads}};
    json["machine"]["thread_speedup"] = thread_speedup(figures);
    json["machine"]["busy"] = is_busy(figures);
    json["rounds"] = figures.rounds;
    for (const SizeFigures& size : figures.sizes) {
        const ordered_json which = {{"strands", size.strands}, {"particles", size.particles}};
        ordered_json& memory = json["bandwidth_gb_s"].emplace_back(which);
        memory.update({{"median", gb_per_second(size.memory.median())},
                       {"max", gb_per_second(size.memory.min())},
                       {"spread", size.memory.spread()}});
        for (const auto& [threads, samples] :
             {std::pair{1, &size.baseline}, std::pair{figures.threads, &size.baseline_threads}}) {
            ordered_json& row = json["baseline_ns_per_particle"].emplace_back(which);
            row["threads"] = threads;
            row.update({{"median", samples->median()}, {"min", samples->min()}, {"spread", samples->spread()}});
            if (figures.threads == 1) break;
        }
        json["dftl"].push_back(step_json(size, size.step, 1));
        json["dftl"].push_back(step_json(size, size.substeps, kManySubsteps));
    }
    const SizeFigures& large = figures.sizes.back();
    for (const VariantFigures& v : figures.variants) {
        ordered_json row = {
            {"strands", large.strands}, {"particles", large.particles}, {"substeps", 1}, {"variant", v.name}};
        row.update(time_json(v.step));
        row["cost_in_steps"] = (v.step / v.plain).median();
        json["dftl"].push_back(row);
    }
    json["world"] = time_json(figures.world);
    json["world"].update({{"strands", large.strands},
                          {"particles", large.particles},
                          {"bytes_per_particle", figures.bytes_per_particle}});
    const auto ms_json = [](const Samples& ms) {
        return ordered_json{{"ms", ms.median()}, {"ms_min", ms.min()}, {"spread", ms.spread()}};
    };
    json["files"] = {{"bytes", ms_json(figures.files.bytes)},
                     {"hair", ms_json(figures.files.hair)},
                     {"cache", ms_json(figures.files.cache)}};
    json["skinning"] = ms_json(figures.files.skinning);
    json["skinning"]["vertices"] = 100'000;
    json["shapes"] = {{"step", time_json(figures.shapes.step)}, {"plain", time_json(figures.shapes.baseline)}};
    for (const MethodFigures& m : figures.methods) {
        ordered_json row = {{"method", m.name}, {"strands", m.strands}, {"substeps", m.substeps}};
        row.update(time_json(m.step));
        row["cost_in_steps"] = (m.step / m.leader).median();
        json["methods"].push_back(row);
    }
    json["pbd_world"] = ms_json(figures.pbd_world);
    for (const LayoutFigures& f : figures.layouts)
        json["layouts"].push_back({{"strands", f.strands},
                                   {"particles", f.particles},
                                   {"strand_by_strand", time_json(f.one)},
                                   {"sixteen_strands", time_json(f.sixteen)},
                                   {"level_by_level", time_json(f.levels)}});
    const FieldFigures& fields = figures.fields;
    json["fields"] = {{"fast", ms_json(fields.fast)},
                      {"marching", ms_json(fields.marching)},
                      {"bust_refined", ms_json(fields.refined)},
                      {"sample", time_json(fields.sample)},
                      {"bust_sample", time_json(fields.refined_sample)}};
    json["fields"]["fast"]["mean_error_cells"] = fields.fast_error;
    json["fields"]["marching"]["mean_error_cells"] = fields.marching_error;
    const SphFigures& sph = figures.sph;
    json["sph"] = {{"particles", sph.particles}, {"neighbours", sph.neighbours},  {"cut", sph.cut},
                   {"sort", ms_json(sph.sort)},  {"search", ms_json(sph.search)}, {"forces", ms_json(sph.forces)},
                   {"all", ms_json(sph.all)}};
    const GridFigures& grid = figures.grid;
    json["grid"] = {{"bound", time_json(grid.bound)},
                    {"add", time_json(grid.add)},
                    {"normalise", time_json(grid.normalise)},
                    {"act", time_json(grid.act)},
                    {"total", time_json(grid.total)}};
    json["grid"]["cell_m"] = grid.cell;
    for (const TractrixFigures::Size& size : figures.tractrix.sizes)
        json["tractrix"].push_back({{"strands", kMohawkStrands},
                                    {"particles", size.particles},
                                    {"emulation", ms_json(size.emulation)},
                                    {"split", ms_json(size.split)},
                                    {"ftl", ms_json(size.ftl)},
                                    {"dftl", ms_json(size.dftl)}});
    for (const StringFigures::Size& size : figures.strings.sizes)
        json["strings"].push_back({{"segments", size.segments},
                                   {"integration", ms_json(size.integration)},
                                   {"shape", ms_json(size.shape)},
                                   {"twist", ms_json(size.twist)},
                                   {"tension", ms_json(size.tension)},
                                   {"contacts", ms_json(size.contacts)},
                                   {"total", ms_json(size.total)},
                                   {"published_ms", size.published}});
    json["strings_crowd"] = ms_json(figures.strings.crowd);
    json["strings_crowd"]["contacts"] = figures.strings.crowd_contacts;
    json["strings_crowd"]["pairs"] = figures.strings.crowd_pairs;
    const auto s_json = [](const Samples& s) {
        return ordered_json{{"s", s.median()}, {"s_min", s.min()}, {"spread", s.spread()}};
    };
    json["pictures"] = {{"draft_10k", s_json(figures.pictures.draft)},
                        {"draft_100k", s_json(figures.pictures.draft_large)},
                        {"curves_100k", s_json(figures.pictures.curves)}};
    json["difference_to_baseline_m"] = figures.difference;
    json["allocations"] = figures.allocations ? ordered_json(*figures.allocations) : ordered_json();
    json["grid_allocations"] = figures.grid_allocations ? ordered_json(*figures.grid_allocations) : ordered_json();
    for (const PeerFigures& p : figures.peers)
        json["peers"].push_back({{"scenario", p.scenario},
                                 {"method", p.method},
                                 {"ns_per_particle", p.ns_per_particle},
                                 {"stretch_max", p.stretch_max},
                                 {"stretch_mean", p.stretch_mean}});
    for (const Target& t : targets(figures))
        json["targets"].push_back(
            {{"name", t.name}, {"value", t.value}, {"bar", t.bar}, {"relation", t.relation}, {"reached", t.reached()}});
    return json;
}

}  // namespace tendril::bench
