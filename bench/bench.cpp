// `tendril bench`: compares the kernels with the limits of the machine and with plain code.
#include "bench.h"

#include "allocations.h"
#include "bandwidth.h"
#include "baseline.h"
#include "dftl_bench.h"
#include "files_bench.h"
#include "layout_bench.h"
#include "peers.h"
#include "print_error.h"
#include "program_command.h"
#include "report.h"
#include "rounds.h"
#include "shape_bench.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>
#include <unistd.h>

namespace tendril::bench {
namespace {

struct Options {
    bool json = false, peers = false, quick = false;
    int threads = 0;

    int rounds() const { return quick ? 5 : 21; }
    int variant_rounds() const { return quick ? 3 : 9; }
};

/// Shows on a terminal which measurement is running.
class Progress {
public:
    void show(const std::string& text) const
    {
        if (shown_) app::print_error("\r{:<60}\r", text);
    }
    std::function<void(int)> rounds(const std::string& what, int of) const
    {
        return [this, what, of](int done) { show(fmt::format("{}: round {} of {}", what, done, of)); };
    }
    ~Progress() { show(""); }

private:
    const bool shown_ = isatty(STDERR_FILENO) != 0;
};

std::string cpu_name()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
    return "unknown processor";
}

/// Mean time of some calls [s], after as many calls that bring the data back into the cache, as in continuous stepping.
double mean_of(int calls, const std::function<double()>& seconds)
{
    for (int i = 0; i < calls; ++i) seconds();
    double sum = 0;
    for (int i = 0; i < calls; ++i) sum += seconds();
    return sum / calls;
}

/// All measurements of one size of hair.
class SizeBench {
public:
    SizeBench(uint32_t strands, uint32_t particles, std::shared_ptr<Executor> executor)
        : hair_(make_hair(strands, particles)),
          baseline_(hair_.groom()),
          bandwidth_(static_cast<size_t>(strands) * particles * kStateRows * sizeof(float)),
          executor_(std::move(executor)),
          to_ns_(1e9 / (static_cast<double>(strands) * particles))
    {
        figures_.strands = strands;
        figures_.particles = particles;
        step_.frame = head_pose(0);
        step_.gravity = to_float(kGravity);
        step_.dt = static_cast<float>(kSubstep);
        step_.correction = 1.0f;
    }

    void add_to(std::vector<Measurement>& list)
    {
        list.push_back({[this] { return memory_ns(); }, &figures_.memory});
        list.push_back({[this] { return step_ns({}, 4); }, &figures_.step});
        list.push_back({[this] { return step_ns(many_substeps(), 2); }, &figures_.substeps});
        list.push_back({[this] { return baseline_ns(*serial_); }, &figures_.baseline});
        list.push_back({[this] { return baseline_ns(*executor_); }, &figures_.baseline_threads});
    }

    double step_ns(const DftlVariant& variant, int calls)
    {
        return to_ns_ * mean_of(calls, [&] { return hair_.step(variant, *executor_); });
    }

    const SizeFigures& figures() const { return figures_; }

private:
    static DftlVariant many_substeps()
    {
        DftlVariant variant;
        variant.substeps = kManySubsteps;
        return variant;
    }
    double memory_ns()
    {
        return to_ns_ * mean_of(4, [&] { return time_of([&] { bandwidth_.pass(*executor_); }); });
    }
    double baseline_ns(Executor& executor)
    {
        return to_ns_ * mean_of(1, [&] {
                   step_.frame = head_pose(time_ += kSubstep);
                   return time_of([&] { baseline_.step(step_, executor); });
               });
    }

    HairOnHead hair_;
    BaselineHair baseline_;
    Bandwidth bandwidth_;
    std::shared_ptr<Executor> executor_, serial_ = make_serial_executor();
    double to_ns_;
    BaselineHair::Step step_;
    double time_ = 0;
    SizeFigures figures_;
};

constexpr uint32_t kStrands = 100'000, kParticles = 32;  // for variants, world and targets

std::vector<SizeFigures> measure_sizes(const Options& options, std::shared_ptr<Executor> executor, Progress& progress)
{
    SizeBench small(16'384, 64, executor), large(kStrands, kParticles, executor);
    std::vector<Measurement> list;
    small.add_to(list);
    large.add_to(list);
    measure_in_turns(list, options.rounds(), progress.rounds("steps and limits", options.rounds()));
    return {small.figures(), large.figures()};
}

struct NamedVariant {
    std::string name;
    DftlVariant variant;
};

std::vector<NamedVariant> hair_variants()
{
    std::vector<NamedVariant> list = {
        {"keeps the start of the step", {}}, {"backward pass", {}}, {"bend limit", {}}, {"drag", {}},
        {"drag and turbulence", {}},         {"both shapes", {}}};
    list[0].variant.keep_previous = true;
    list[1].variant.dftl.backward_pass = true;
    list[2].variant.dftl.bend_limit = 0.5f;
    list[3].variant.air = list[4].variant.air = {.drag_normal = 3.0f, .drag_tangential = 1.5f};
    list[4].variant.wind.velocity = {2, 0, 0};
    list[4].variant.wind.turbulence = 1.0f;
    list[5].variant.shape = {.local = 1000, .global = 100};
    return list;
}

void measure_variants(const Options& options, std::shared_ptr<Executor> executor, Figures& figures, Progress& progress)
{
    HairOnHead hair(make_hair(kStrands, kParticles)), ropes(make_held_ropes(kStrands, kParticles));
    World world = make_head_world(kStrands, kParticles, executor);
    const double to_ns = 1e9 / (static_cast<double>(kStrands) * kParticles);
    auto time_steps = [&](HairOnHead& strands, const DftlVariant& variant) {
        return to_ns * mean_of(4, [&] { return strands.step(variant, *executor); });
    };

    const std::vector<NamedVariant> variants = hair_variants();
    Samples plain;
    figures.variants.resize(variants.size() + 1);
    std::vector<Measurement> list = {{[&] { return time_steps(hair, {}); }, &plain}};
    for (size_t i = 0; i < variants.size(); ++i) {
        figures.variants[i].name = variants[i].name;
        list.push_back({[&, i] { return time_steps(hair, variants[i].variant); }, &figures.variants[i].step});
    }
    figures.variants.back().name = "ropes held at both ends";
    list.push_back({[&] { return time_steps(ropes, {}); }, &figures.variants.back().step});
    list.push_back(
        {[&] { return to_ns * mean_of(4, [&] { return time_of([&] { world.step(); }); }); }, &figures.world});
    measure_in_turns(list, options.variant_rounds(), progress.rounds("variants", options.variant_rounds()));
    for (VariantFigures& v : figures.variants) v.plain = plain;

    figures.bytes_per_particle = static_cast<double>(world.bytes()) / static_cast<double>(world.particle_count());
}

/// Uses a new world, which only its first step has warmed up.
uint64_t count_allocations(std::shared_ptr<Executor> executor)
{
    World world = make_head_world(kStrands / 10, kParticles, std::move(executor));
    world.step();
    AllocationCount count;
    for (int i = 0; i < kCountedSteps; ++i) world.step();
    return count.so_far();
}

/// The grid grows with the hair until the hair hangs, so this warms up for longer.
uint64_t count_grid_allocations(std::shared_ptr<Executor> executor)
{
    World world = make_head_world(kStrands / 100, kParticles, std::move(executor));
    world.settings().interaction.method = InteractionMethod::kGrid;
    for (int i = 0; i < 2 * kCountedSteps; ++i) world.step();
    AllocationCount count;
    for (int i = 0; i < kCountedSteps; ++i) world.step();
    return count.so_far();
}

int run(const Options& options)
{
    if (options.peers && !has_peers())
        return app::bad_input("bench",
                              "this program was built without Bullet, which --peers measures; install libbullet-dev, "
                              "configure again and build");
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    Figures figures;
    figures.cpu = cpu_name();
    figures.simd = simd_name();
    figures.threads = options.threads > 0 ? options.threads : cores;
    figures.rounds = options.rounds();
    const std::shared_ptr<Executor> executor = make_thread_executor(figures.threads);
    {
        Progress progress;
        figures.difference = difference_to_baseline();
        if (can_count_allocations()) figures.allocations = count_allocations(executor);
        if (can_count_allocations()) figures.grid_allocations = count_grid_allocations(executor);
        figures.sizes = measure_sizes(options, executor, progress);
        measure_variants(options, executor, figures, progress);
        figures.shapes = measure_shapes(executor, options.rounds(), progress.rounds("shapes", options.rounds()));
        figures.methods =
            measure_methods(options.variant_rounds(), executor, progress.rounds("methods", options.variant_rounds()));
        figures.pbd_world = measure_pbd_world(options.variant_rounds(), executor,
                                              progress.rounds("position based", options.variant_rounds()));
        figures.layouts =
            measure_layouts(executor, options.variant_rounds(), progress.rounds("layouts", options.variant_rounds()));
        figures.files = measure_files(options.rounds(), *executor, progress.rounds("files", options.rounds()));
        figures.fields = measure_fields(options.rounds(), *executor, progress.rounds("fields", options.rounds()));
        figures.sph = measure_sph(options.rounds(), *executor, progress.rounds("hair as a fluid", options.rounds()));
        figures.grid =
            measure_grid(options.rounds(), *executor, progress.rounds("interaction on a grid", options.rounds()));
        figures.tractrix =
            measure_tractrix(options.variant_rounds(), progress.rounds("tractrix", options.variant_rounds()));
        figures.strings =
            measure_strings(executor, options.variant_rounds(), progress.rounds("strings", options.variant_rounds()));
        const int pictures = options.quick ? 3 : 7;
        figures.pictures = measure_pictures(pictures, *executor, progress.rounds("pictures", pictures));
        if (options.peers) progress.show("other engines");
        if (options.peers) figures.peers = compare_peers(options.variant_rounds());
    }
    if (options.json)
        std::cout << to_json(figures).dump(2) << '\n';
    else
        print_table(figures);
    return app::kFine;
}

}  // namespace
}  // namespace tendril::bench

namespace tendril::app {

Run add_bench_command(CLI::App& program)
{
    auto options = std::make_shared<bench::Options>();
    CLI::App* command = program.add_subcommand(kBenchCommand.name, kBenchCommand.description);
    command->add_flag("--json", options->json, "Print only JSON");
    command->add_option("--threads", options->threads, "Number of threads (default: one per core)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--quick", options->quick,
                      "Fewer rounds: takes seconds instead of half a minute, with more noise");
    command->add_flag("--peers", options->peers, "Also measure other engines on the same ropes (needs Bullet)");
    command->footer(
        "Examples:\n"
        "  tendril bench                    the whole table, on all cores\n"
        "  tendril bench --quick --json     for scripts\n"
        "  tendril bench --threads 1        the speed of one core\n"
        "  tendril bench --peers            also Bullet's ropes");
    return [options] { return bench::run(*options); };
}

}  // namespace tendril::app
