#include "solvers/second_strand.h"

#include "math/bytes.h"
#include "math/random.h"
#include "math/vectors.h"

namespace tendril {

void SecondStrandSolver::reset(const Strands& strands)
{
    if (!second_.empty()) start(strands);
}

void SecondStrandSolver::carry(const Strands& strands, const Strands::MotionOf& motion)
{
    if (second_.empty()) return;
    for (size_t s = 0; s < strands.strand_count(); ++s) {
        const Quat turn = motion(s).rotation;
        for (int i = 1; i < strands.levels(s); ++i)
            second_.set_vector(s, i, 0, to_float(rotate(turn, to_double(second_.vector(s, i, 0)))));
    }
}

uint64_t SecondStrandSolver::hash(uint64_t h) const
{
    return second_.empty() ? h : mix_bits(h ^ hash_bytes(second_.data(), second_.size() * sizeof(float)));
}

void SecondStrandSolver::save(std::vector<std::byte>& out) const
{
    const uint64_t size = second_.size();
    append_bytes(out, &size, 1);
    append_bytes(out, second_.data(), second_.size());
}

bool SecondStrandSolver::load(const Strands& strands, std::span<const std::byte>& in)
{
    uint64_t size = 0;
    if (!take_bytes(in, &size, 1)) return false;
    second_ = size > 0 ? ParticleRows(strands.layout(), 3) : ParticleRows();
    return second_.size() == size && take_bytes(in, second_.data(), second_.size());
}

void SecondStrandSolver::prepare(PointsTask& task, SolveReport&)
{
    if (second_.empty()) {
        second_ = ParticleRows(task.strands->layout(), 3);
        start(*task.strands);
    }
    task.second = &second_;
}

}  // namespace tendril
