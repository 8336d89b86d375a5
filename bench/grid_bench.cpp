#include "grid_bench.h"

#include "dftl_bench.h"
#include "interaction/grid.h"

namespace tendril::bench {
namespace {

constexpr uint32_t kGridStrands = 31'250, kGridParticles = 32;

/// Runs and times one pass after another.
class GridBench {
public:
    explicit GridBench(Executor& executor) : hair_(make_hair(kGridStrands, kGridParticles)), executor_(executor)
    {
        DftlVariant falling;
        falling.substeps = 8;
        falling.keep_previous = true;
        for (int frame = 0; frame < 60; ++frame) hair_.step(falling, executor);
        groom_ = {&hair_.groom(), &hair_.strands(), 0, 1e-6, kSubstep, 1};
        run();
    }

    struct Times {
        double bound, add, normalise, act;
        double total() const { return bound + add + normalise + act; }
    };
    Times run()
    {
        constexpr InteractionStep kStep{8 * kSubstep, 8 * kSubstep};
        const std::span<const InteractingGroom> grooms(&groom_, 1);
        std::span<const GriddedGroom> on_grid;
        Times t{};
        t.bound = ns([&] {
            interaction_.gather_clusters(grooms, executor_);
            on_grid = interaction_.lay_out(grooms, 0, kStep, executor_);
        });
        t.add = ns([&] { interaction_.grid().add(on_grid, executor_); });
        t.normalise = ns([&] { interaction_.grid().normalise(executor_); });
        t.act = ns([&] { interaction_.grid().act(on_grid, executor_); });
        return t;
    }
    double cell() const { return interaction_.cell(); }

private:
    static double ns(const std::function<void()>& work)
    {
        return 1e9 / (static_cast<double>(kGridStrands) * kGridParticles) * time_of(work);
    }

    HairOnHead hair_;
    Executor& executor_;
    GridInteraction interaction_{GridSettings{}};
    InteractingGroom groom_{};
};

}  // namespace

GridFigures measure_grid(int rounds, Executor& executor, const std::function<void(int)>& progress)
{
    GridFigures figures;
    GridBench bench(executor);
    const std::vector<Measurement> list{{[&] { return bench.run().bound; }, &figures.bound},
                                        {[&] { return bench.run().add; }, &figures.add},
                                        {[&] { return bench.run().normalise; }, &figures.normalise},
                                        {[&] { return bench.run().act; }, &figures.act},
                                        {[&] { return bench.run().total(); }, &figures.total}};
    measure_in_turns(list, rounds, progress);
    figures.cell = bench.cell();
    return figures;
}

}  // namespace tendril::bench
