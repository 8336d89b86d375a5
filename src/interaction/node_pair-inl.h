// Loads, stores and arithmetic for pairs of nodes of a density grid.

#if defined(TENDRIL_INTERACTION_NODE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TENDRIL_INTERACTION_NODE_PAIR_INL_H_
#undef TENDRIL_INTERACTION_NODE_PAIR_INL_H_
#else
#define TENDRIL_INTERACTION_NODE_PAIR_INL_H_
#endif

#include "interaction/grid_kernels.h"
#include "math/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tendril {
namespace HWY_NAMESPACE {

using NodeTag = hn::FixedTag<float, kNodeFloats>;
using Node = hn::Vec<NodeTag>;

/// Two nodes that are neighbours along x, in one register if it is wide enough, otherwise in two. The results have the
/// same bits.
#if HWY_MAX_BYTES >= 32
using PairTag = hn::FixedTag<float, 2 * kNodeFloats>;
struct NodePair {
    hn::Vec<PairTag> v;
    HWY_INLINE Node low() const { return hn::LowerHalf(NodeTag(), v); }
    HWY_INLINE Node high() const { return hn::UpperHalf(NodeTag(), v); }
};
HWY_INLINE NodePair make_pair(Node low, Node high)
{
    return {hn::Combine(PairTag(), high, low)};
}
HWY_INLINE NodePair load_pair(const float* at)
{
    return {hn::LoadU(PairTag(), at)};
}
HWY_INLINE void store_pair(const NodePair& a, float* at)
{
    hn::StoreU(a.v, PairTag(), at);
}
HWY_INLINE NodePair splat_pair(float a)
{
    return {hn::Set(PairTag(), a)};
}
HWY_INLINE NodePair operator+(const NodePair& a, const NodePair& b)
{
    return {hn::Add(a.v, b.v)};
}
HWY_INLINE NodePair operator-(const NodePair& a, const NodePair& b)
{
    return {hn::Sub(a.v, b.v)};
}
HWY_INLINE NodePair operator*(const NodePair& a, const NodePair& b)
{
    return {hn::Mul(a.v, b.v)};
}
/// Densities of the nodes of four pairs: those of the lower nodes in the lower half.
HWY_INLINE NodePair densities_of(const NodePair& a, const NodePair& b, const NodePair& c, const NodePair& e)
{
    const hn::Repartition<double, PairTag> twos;
    const auto ab = hn::BitCast(twos, hn::InterleaveLower(PairTag(), a.v, b.v));
    const auto ce = hn::BitCast(twos, hn::InterleaveLower(PairTag(), c.v, e.v));
    return {hn::BitCast(PairTag(), hn::InterleaveLower(twos, ab, ce))};
}
#else
struct NodePair {
    Node a, b;
    HWY_INLINE Node low() const { return a; }
    HWY_INLINE Node high() const { return b; }
};
HWY_INLINE NodePair make_pair(Node low, Node high)
{
    return {low, high};
}
HWY_INLINE NodePair load_pair(const float* at)
{
    return {hn::LoadU(NodeTag(), at), hn::LoadU(NodeTag(), at + kNodeFloats)};
}
HWY_INLINE void store_pair(const NodePair& a, float* at)
{
    hn::StoreU(a.a, NodeTag(), at);
    hn::StoreU(a.b, NodeTag(), at + kNodeFloats);
}
HWY_INLINE NodePair splat_pair(float a)
{
    return {hn::Set(NodeTag(), a), hn::Set(NodeTag(), a)};
}
HWY_INLINE NodePair operator+(const NodePair& a, const NodePair& b)
{
    return {hn::Add(a.a, b.a), hn::Add(a.b, b.b)};
}
HWY_INLINE NodePair operator-(const NodePair& a, const NodePair& b)
{
    return {hn::Sub(a.a, b.a), hn::Sub(a.b, b.b)};
}
HWY_INLINE NodePair operator*(const NodePair& a, const NodePair& b)
{
    return {hn::Mul(a.a, b.a), hn::Mul(a.b, b.b)};
}
HWY_INLINE Node first_of(Node a, Node b, Node c, Node e)
{
    const NodeTag d;
    return hn::ConcatLowerLower(d, hn::InterleaveLower(d, c, e), hn::InterleaveLower(d, a, b));
}
HWY_INLINE NodePair densities_of(const NodePair& a, const NodePair& b, const NodePair& c, const NodePair& e)
{
    return {first_of(a.a, b.a, c.a, e.a), first_of(a.b, b.b, c.b, e.b)};
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace tendril
HWY_AFTER_NAMESPACE();
#endif
