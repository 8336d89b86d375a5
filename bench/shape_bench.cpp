#include "shape_bench.h"

#include "dftl_bench.h"
#include "shaped_baseline.h"

#include <algorithm>

namespace tendril::bench {
namespace {

constexpr uint32_t kShapeStrands = 32'768, kShapeParticles = 32;
constexpr int kStepsAtOnce = 16;  // after the plain code, the second core sleeps and the caches are cold
const ShapeSettings kShape{.local = 1000, .global = 100};

DftlVariant shaped()
{
    DftlVariant variant;
    variant.shape = kShape;
    return variant;
}

/// Plain code on the same head.
class Plain {
public:
    explicit Plain(const Groom& groom) : hair_(groom) {}
    double step(Executor& executor)
    {
        const Pose before = head_pose(time_);
        time_ += kSubstep;
        const ShapedBaseline::Step step{before, head_pose(time_), to_float(kGravity), static_cast<float>(kSubstep),
                                        kShape};
        return time_of([&] { hair_.step(step, executor); });
    }
    const ShapedBaseline& hair() const { return hair_; }

private:
    ShapedBaseline hair_;
    double time_ = 0;
};

double difference()
{
    const auto serial = make_serial_executor();
    HairOnHead hair(make_hair(64, kShapeParticles));
    Plain plain(hair.groom());
    for (int k = 0; k < 48; ++k) {
        hair.step(shaped(), *serial);
        plain.step(*serial);
    }
    double largest = 0;
    for (size_t s = 0; s < hair.groom().strand_count(); ++s)
        largest = std::max(largest, length(hair.strands().position(s, kShapeParticles - 1) -
                                           to_double(plain.hair().position(s, kShapeParticles - 1))));
    return largest;
}

}  // namespace

ShapeFigures measure_shapes(std::shared_ptr<Executor> executor, int rounds, const std::function<void(int)>& progress)
{
    ShapeFigures figures;
    figures.particles = static_cast<size_t>(kShapeStrands) * kShapeParticles;
    const double to_ns = 1e9 / static_cast<double>(figures.particles);
    const auto serial = make_serial_executor();
    HairOnHead hair(make_hair(kShapeStrands, kShapeParticles));
    Plain plain(hair.groom());
    const std::vector<Measurement> list{{[&] {
                                             double sum = 0;
                                             for (int i = 0; i < kStepsAtOnce; ++i)
                                                 sum += hair.step(shaped(), *executor);
                                             return to_ns * sum / kStepsAtOnce;
                                         },
                                         &figures.step},
                                        {[&] { return to_ns * plain.step(*serial); }, &figures.baseline}};
    measure_in_turns(list, rounds, progress);
    figures.difference = difference();
    return figures;
}

}  // namespace tendril::bench
