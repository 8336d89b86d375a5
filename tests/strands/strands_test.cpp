#include "strands/strands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

namespace tendril {
namespace {

Groom hair(uint32_t strands, uint32_t particles)
{
    SphereStyle style;
    style.strands = strands;
    style.particles = particles;
    return std::move(*make_groom(*make_sphere_hair(style)));
}

// Strands with three different particle counts, in mixed order.
Groom mixed()
{
    GroomData data;
    data.first_point.push_back(0);
    for (uint32_t s = 0; s < 100; ++s) {
        const uint32_t n = s % 3 == 0 ? 5 : s % 3 == 1 ? 9 : 30;
        for (uint32_t i = 0; i < n; ++i)
            data.points.push_back(
                {0.1f * static_cast<float>(s), 0.02f * static_cast<float>(i * i % 7), -0.01f * static_cast<float>(i)});
        data.first_point.push_back(static_cast<uint32_t>(data.points.size()));
    }
    return std::move(*make_groom(std::move(data)));
}

TEST(Strands, PositionsMatchTheGroom)
{
    const Groom groom = mixed();
    const Strands strands(groom, RootKind::kOnBone);
    ASSERT_EQ(strands.strand_count(), groom.strand_count());
    EXPECT_EQ(strands.particle_count(), groom.point_count());
    EXPECT_EQ(strands.buckets().size(), 3u);
    for (size_t s = 0; s < groom.strand_count(); ++s) {
        ASSERT_EQ(static_cast<size_t>(strands.levels(s)), groom.points(s).size());
        for (int i = 0; i < strands.levels(s); ++i)
            EXPECT_LT(length(strands.position(s, i) - to_double(groom.points(s)[static_cast<size_t>(i)])), 1e-6);
    }
}

TEST(Strands, RestLengthsHoldToTheLastBits)
{
    const Groom groom = mixed();
    const Strands strands(groom, RootKind::kOnBone);
    for (size_t s = 0; s < strands.strand_count(); ++s)
        for (int i = 1; i < strands.levels(s); ++i)
            EXPECT_NEAR(length(to_double(strands.edge(s, i))) / strands.rest_length(s, i), 1, 2e-7);
}

TEST(Strands, EverySlotIsUsedOnce)
{
    const Groom groom = hair(1000, 8);
    const Strands strands(groom, RootKind::kOnBone);
    std::set<std::pair<uint32_t, uint32_t>> taken;
    for (size_t s = 0; s < 1000; ++s) {
        const Slot slot = strands.slot(s);
        EXPECT_EQ(strands.strand_at(slot.bucket, slot.block, slot.lane), static_cast<int64_t>(s));
        EXPECT_TRUE(taken.insert({slot.block, slot.lane}).second);
    }
}

// Neighbours in Morton order go to different blocks: the nearest strand in the same block is many spacings away.
TEST(Strands, StrandsOfABlockAreFarApart)
{
    const Groom groom = hair(4096, 4);
    const Strands strands(groom, RootKind::kOnBone);
    auto root = [&](size_t block, size_t lane) {
        return strands.root(static_cast<size_t>(strands.strand_at(0, block, lane)));
    };
    double mean = 0;
    for (size_t block = 0; block < strands.buckets()[0].blocks; ++block)
        for (size_t a = 0; a < kLanes; ++a) {
            double nearest = 1e9;
            for (size_t b = 0; b < kLanes; ++b)
                if (a != b) nearest = std::min(nearest, length(root(block, a) - root(block, b)));
            mean += nearest / 4096;
        }
    EXPECT_GT(mean, 0.04);  // the spacing of the roots is about 0.004
}

TEST(Strands, BlocksAreAligned)
{
    const Groom groom = mixed();
    Strands strands(groom, RootKind::kOnBone);
    for (size_t b = 0; b < strands.buckets().size(); ++b)
        for (size_t block = 0; block < strands.buckets()[b].blocks; ++block)
            EXPECT_EQ(reinterpret_cast<uintptr_t>(strands.blocks(b, block).state) % 64, 0u);
}

TEST(Strands, MemoryPerParticleIsSmall)
{
    const Groom groom = hair(16000, 32);
    const Strands strands(groom, RootKind::kOnBone);
    EXPECT_LE(static_cast<double>(strands.bytes()) / static_cast<double>(strands.particle_count()), 64);
}

TEST(Strands, SnapshotRestoresEverything)
{
    const Groom groom = mixed();
    const auto executor = make_serial_executor();
    Strands a(groom, RootKind::kOnBone), b(groom, RootKind::kOnBone);
    a.set_drift(17, 2, {1, 2, 3});
    a.set_edge(42, 1, {0, 0.5f, 0});
    a.frame.position = {1, 2, 3};
    EXPECT_NE(a.hash(*executor), b.hash(*executor));
    std::vector<std::byte> bytes;
    a.save(bytes);
    std::span<const std::byte> in(bytes);
    ASSERT_TRUE(b.load(in));
    EXPECT_TRUE(in.empty());
    EXPECT_EQ(a.hash(*executor), b.hash(*executor));
    in = std::span<const std::byte>(bytes).first(bytes.size() / 2);
    EXPECT_FALSE(b.load(in));
    const Groom other = hair(10, 5);
    Strands c(other, RootKind::kOnBone);
    in = bytes;
    EXPECT_FALSE(c.load(in));
}

TEST(Strands, HashSeesEveryNumber)
{
    const Groom groom = mixed();
    const auto executor = make_serial_executor();
    Strands strands(groom, RootKind::kOnBone);
    std::set<uint64_t> seen{strands.hash(*executor)};
    for (size_t s = 0; s < 20; ++s) {
        Vec3f d = strands.drift(s, 3);
        d.y += 1e-7f;
        strands.set_drift(s, 3, d);
        EXPECT_TRUE(seen.insert(strands.hash(*executor)).second);
    }
}

// A teleport rotates edges and velocities with the frame, and changes nothing else.
TEST(Strands, CarryRotatesEdgesAndVelocities)
{
    const Groom groom = mixed();
    Strands strands(groom, RootKind::kOnBone);
    strands.set_drift(5, 2, {1, 0, 0});
    const Pose to{{100, 5, -3}, rotation_about({0, 1, 0}, 1.5707963267948966)};
    const Vec3d before = strands.position(5, 4);
    strands.carry([&](size_t) { return to; });
    strands.frame = to;
    EXPECT_LT(length(strands.position(5, 4) - transform_point(to, before)), 1e-6);
    EXPECT_NEAR(strands.drift(5, 2).z, -1, 1e-6);
    for (int i = 1; i < strands.levels(5); ++i)
        EXPECT_NEAR(length(to_double(strands.edge(5, i))) / strands.rest_length(5, i), 1, 1e-6);
}

}  // namespace
}  // namespace tendril
