/// Strings without a world, for tests that run single substeps.
#pragma once

#include "solvers/strings/string_step.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tendril::test {

inline std::vector<Vec3d> straight_line(int segments, const Vec3d& from, const Vec3d& to)
{
    std::vector<Vec3d> positions;
    for (int i = 0; i <= segments; ++i) positions.push_back(from + (to - from) * (static_cast<double>(i) / segments));
    return positions;
}

/// A material that bends and twists but is practically inextensible.
inline StringMaterial stiff_material()
{
    return {1000, 1e9, 1e15, 1e8, 1e15, 1e6, 1e6};
}

class StringBench {
public:
    StringBench() { in.behaviours = {&behaviour, 1}; }
    StringBench(const StringBench&) = delete;

    Strings strings;
    StringStepper stepper;
    StringSubstep in{};
    StringBehaviour behaviour;
    AirSubstep& air = behaviour.air;
    std::vector<StringHold> holds;
    std::vector<StringClamp> clamps;
    Vec3d gravity{0, -9.81, 0};
    double drag = 0;  ///< [1/s]
    double time = 0;
    std::shared_ptr<Executor> executor = make_serial_executor();

    void add(const std::vector<Vec3d>& positions, double radius, const StringMaterial& material)
    {
        const std::vector<float> widths(positions.size(), static_cast<float>(2 * radius));
        add_string(strings, positions, widths, material);
    }
    void hold(size_t particle) { holds.push_back({particle, strings.position[particle]}); }
    void load(size_t particle, double mass)
    {
        strings.mass[particle] += mass;
        strings.inverse_mass[particle] = 1 / strings.mass[particle];
        strings.half_width = 0;  // forces the regions to be prepared again
    }
    void step(double h)
    {
        in.h = h;
        air.fall = to_float(gravity * (h * h));
        air.normal = air.tangential = static_cast<float>(drag * h);
        in.holds = holds;
        in.clamps = clamps;
        stepper.substep(strings, in, *executor);
        time += h;
    }
    void run(double seconds, double h)
    {
        for (const double end = time + seconds; time < end - h / 2;) step(h);
    }
    /// Uses substeps that are short enough for accurate tensions, chosen again every hundredth of a second.
    void run_exactly(double seconds)
    {
        for (const double end = time + seconds; time < end - 1e-9;) {
            const double left = std::min(0.01, end - time), longest = longest_substep(strings);
            const int n = std::max(8, static_cast<int>(std::ceil(left / longest)));
            for (int i = 0; i < n; ++i) step(left / n);
        }
    }
    double kinetic() const
    {
        double sum = 0;
        for (size_t i = 0; i < strings.size(); ++i)
            sum += strings.mass[i] * dot(strings.velocity[i], strings.velocity[i]) / 2;
        return sum;
    }
};

}  // namespace tendril::test
