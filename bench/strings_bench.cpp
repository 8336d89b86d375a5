#include "strings_bench.h"

#include "lab/quotes.h"
#include "solvers/strings/string_step.h"

#include <algorithm>
#include <cmath>

namespace tendril::bench {
namespace {

constexpr double kStringStep = 0.01;  // [s], that of the paper
constexpr int kSubsteps = 2, kIterations = 3;
constexpr int kPrintedIterations = 50;  // over lengths, by the equations as printed
constexpr int kCrowd = 1000, kCrowdSegments = 100, kCrowdRow = 40;
constexpr double kCrowdApart = 0.008;  // [m]
// Radius of the individual motion of each end [m]; strings then brush but do not tangle.
constexpr double kCrowdStirred = 0.002;

/// Strings that hang from moving ends, with drag.
class Swaying {
public:
    explicit Swaying(std::shared_ptr<Executor> executor, Form form = Form::kStable)
        : executor_(std::move(executor)), substeps_per_step_(form == Form::kPaper ? 1 : kSubsteps)
    {
        in.h = kStringStep / substeps_per_step_;
        if (form == Form::kPaper) behaviour_.printed = PrintedStrings{.iterations = kPrintedIterations};
        behaviour_.air.fall = {0, static_cast<float>(-9.81 * in.h * in.h), 0};
        behaviour_.air.normal = behaviour_.air.tangential = static_cast<float>(1.0 * in.h);
        behaviour_.twist_spread = 100;
        in.behaviours = {&behaviour_, 1};
        in.iterations = form == Form::kPaper ? 1 : kIterations;
        in.contacts = StringContactSettings{};
        if (form == Form::kPaper) in.contacts->search = PairSearch::kSevenVoxels;
    }
    Swaying(const Swaying&) = delete;

    void add(const Vec3d& from, int segments, double length, double radius)
    {
        std::vector<Vec3d> positions;
        for (int i = 0; i <= segments; ++i) {
            const double along = length * i / segments;
            // The string hangs in loose folds with a phase of its own, so that neighbours touch.
            const double phase = 11 * from.x + 7 * from.z;
            positions.push_back(
                from + Vec3d{0.004 * std::sin(25 * along + phase), -along, 0.004 * std::cos(21 * along + phase)});
        }
        holds_.push_back({s.size(), from});
        from_.push_back(from);
        const std::vector<float> widths(positions.size(), static_cast<float>(2 * radius));
        StringMaterial cord = *string_material("rubber");
        add_string(s, positions, widths, cord);
        // The string is straight when relaxed.
        const size_t first = s.size() - positions.size();
        s.region_turn.resize(s.size());
        for (size_t i = first + 1; i < s.size(); ++i)
            s.rest_position[i] = s.rest_position[i - 1] - Vec3d{0, s.rest[i - 1], 0};
    }
    /// Takes steps and returns the time per step [ms].
    double run(int steps)
    {
        return 1e3 / steps * time_of([&] {
                   for (int i = 0; i < steps * substeps_per_step_; ++i) substep();
               });
    }
    void substep()
    {
        time_ += in.h;
        const double stirred = stir * std::min(1.0, 2 * time_);
        for (size_t i = 0; i < holds_.size(); ++i) {
            // Each end moves in a circle with its own frequency and phase.
            const auto k = static_cast<double>(i);
            const double turned = (4 + std::sin(3.7 * k)) * time_ + 2.4 * k;
            holds_[i].target = from_[i] + Vec3d{0.2 / 3 * std::sin(3 * time_) + stirred * std::cos(turned), 0,
                                                stirred * std::sin(turned)};
        }
        in.holds = holds_;
        stepper.substep(s, in, *executor_);
        contacts_ += stepper.contacts.contacts().size();
        pairs_ += stepper.contacts.pairs();
        ++substeps_;
    }
    void reset_counts() { contacts_ = pairs_ = substeps_ = 0; }
    /// Means over the substeps since `reset_counts`.
    size_t contacts() const { return contacts_ / std::max<size_t>(substeps_, 1); }
    size_t pairs() const { return pairs_ / std::max<size_t>(substeps_, 1); }

    double stir = 0;  ///< radius of the circles in which ends move [m]
    Strings s;
    StringStepper stepper;
    StringSubstep in{};

private:
    std::shared_ptr<Executor> executor_;
    int substeps_per_step_;
    StringBehaviour behaviour_;
    std::vector<StringHold> holds_;
    std::vector<Vec3d> from_;  // ends at the start
    double time_ = 0;
    size_t contacts_ = 0, pairs_ = 0, substeps_ = 0;
};

/// Time of a pass over all pieces, per step [ms].
template <class Pass>
double pass_ms(Swaying& strings, double per_step, const Pass& pass)
{
    constexpr int kTimes = 50;
    return 1e3 * per_step / kTimes * time_of([&] {
               for (int i = 0; i < kTimes; ++i)
                   for (const StringPiece& piece : strings.s.pieces) pass(strings.s, piece);
           });
}

}  // namespace

StringFigures measure_strings(const std::shared_ptr<Executor>& executor, int rounds,
                              const std::function<void(int)>& progress)
{
    StringFigures figures;
    figures.substeps = kSubsteps;
    figures.iterations = kIterations;
    constexpr std::pair<int, double> published[] = {{100, app::quoted("rungjiratananon11/table1/100/total")},
                                                    {150, app::quoted("rungjiratananon11/table1/150/total")},
                                                    {200, app::quoted("rungjiratananon11/table1/200/total")},
                                                    {746, app::quoted("rungjiratananon11/table1/746/total")}};
    for (const auto& [segments, ms] : published) {
        figures.sizes.emplace_back();
        figures.sizes.back().segments = segments;
        figures.sizes.back().published = ms;
    }
    std::vector<Measurement> list;
    for (StringFigures::Size& size : figures.sizes) {
        auto strings = std::make_shared<Swaying>(make_serial_executor());
        strings->add({0, 0, 0}, size.segments, 0.01 * size.segments, 0.003);
        strings->run(20);
        auto still = std::make_shared<Swaying>(make_serial_executor());  // for single passes
        still->add({0, 0, 0}, size.segments, 0.01 * size.segments, 0.003);
        still->run(5);
        // All sizes run for about the same time, so that other programs disturb them alike.
        const int steps = 20 * published[std::size(published) - 1].first / size.segments;
        list.push_back({[strings, steps] { return strings->run(steps); }, &size.total});
        const double h = still->in.h;
        list.push_back({[still, h] {
                            return pass_ms(*still, kSubsteps,
                                           [&](Strings& s, const StringPiece& p) { match_shapes(s, p, {}, h); });
                        },
                        &size.shape});
        list.push_back({[still] {
                            return pass_ms(*still, kSubsteps, [](Strings& s, const StringPiece& p) {
                                twist_centreline(s, p);
                                carry_frames(s, p);
                                spread_twist(s, p, 100);
                            });
                        },
                        &size.twist});
        list.push_back({[still, h] {
                            return pass_ms(*still, kSubsteps, [h](Strings& s, const StringPiece& p) {
                                begin_lengths(s, p, h);
                                for (int i = 0; i < kIterations; ++i) solve_lengths(s, p, h, 1);
                                yield_material(s, p);
                            });
                        },
                        &size.tension});
        auto as_printed = std::make_shared<Swaying>(make_serial_executor(), Form::kPaper);
        as_printed->add({0, 0, 0}, size.segments, 0.01 * size.segments, 0.003);
        as_printed->run(20);
        list.push_back({[as_printed, steps] { return as_printed->run(steps); }, &size.printed});
        auto alone = std::make_shared<Swaying>(make_serial_executor());  // without contacts
        alone->add({0, 0, 0}, size.segments, 0.01 * size.segments, 0.003);
        alone->in.contacts.reset();
        alone->run(20);
        // The difference to `total` is the time of contacts; the rest after the other stages is integration.
        list.push_back({[alone, steps] { return alone->run(steps); }, &size.integration});
    }
    auto crowd = std::make_shared<Swaying>(executor);
    crowd->stir = kCrowdStirred;
    for (int i = 0; i < kCrowd; ++i)
        crowd->add(Vec3d{1.0 * (i % kCrowdRow), 0, 1.0 * (i / kCrowdRow)} * kCrowdApart, kCrowdSegments,
                   0.01 * kCrowdSegments, 0.0015);
    crowd->run(100);  // until they touch
    crowd->reset_counts();
    list.push_back({[crowd] { return crowd->run(4); }, &figures.crowd});
    measure_in_turns(list, rounds, progress);
    figures.crowd_contacts = crowd->contacts();
    figures.crowd_pairs = crowd->pairs();
    for (StringFigures::Size& size : figures.sizes) {
        size.contacts.add(std::max(0.0, size.total.median() - size.integration.median()));
        const double rest =
            size.integration.median() - size.shape.median() - size.twist.median() - size.tension.median();
        size.integration = {};
        size.integration.add(std::max(0.0, rest));
    }
    return figures;
}

std::vector<std::vector<double>> drawn_strengths(size_t grooms, size_t particles, double variation, uint64_t seed)
{
    std::vector<std::vector<double>> out;
    for (size_t g = 0; g < grooms; ++g) {
        // As in StringMovement: by the index of the particle in the store, with one seed per groom.
        Strings s;
        s.strength.assign(particles, 1.0);
        vary_strength(s, variation, seed + g + 1, g * particles);
        out.emplace_back(s.strength.begin(), s.strength.end() - 1);
    }
    return out;
}

}  // namespace tendril::bench
