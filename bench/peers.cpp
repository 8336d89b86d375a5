#include "peers.h"

#include "rounds.h"
#include "tendril/world.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#ifdef TENDRIL_BENCH_BULLET
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#endif

namespace tendril::bench {
namespace {

constexpr uint32_t kRopes = 64;
constexpr uint32_t kPeerParticles = 30;
constexpr float kSegment = 0.02f;  // [m]
constexpr float kLength = kSegment * (kPeerParticles - 1);
constexpr float kSpacing = 0.1f;  // [m]
constexpr double kMass = 0.01;    // of a particle [kg]
constexpr double kDt = 0.01;      // [s]
constexpr double kGravity = 10;   // [m/s^2]
constexpr int kSteps = 200;

/// The initial direction of a rope, and the motion of its top along x.
struct Scenario {
    const char* name;
    Vec3f direction;
    double (*top)(double time);
};

constexpr double kTwoPi = 2 * std::numbers::pi;

const Scenario kScenarios[] = {
    {"swing", {1, 0, 0}, [](double) { return 0.0; }},
    {"drag", {0, -1, 0}, [](double time) { return 0.3 * std::sin(kTwoPi * time); }},
};

/// Ropes of one method. `add_stretch` is called after every step and is not timed.
class Ropes {
public:
    virtual ~Ropes() = default;
    virtual void step(double time) = 0;  ///< from `time` to `time + kDt`
    virtual void add_stretch(double& max, double& sum) const = 0;
};

class TendrilRopes final : public Ropes {
public:
    TendrilRopes(const Scenario& scenario, int substeps) : world_(settings(substeps), make_serial_executor())
    {
        BodyDescription hand;
        hand.function = [&scenario](double time, std::span<Pose> bones) {
            bones[0] = {{scenario.top(time), 0, 0}, {}};
        };
        GroomSettings groom;
        groom.body = world_.add_body(std::move(hand));
        groom.particle_mass = kMass;
        RopeStyle style;
        style.strands = kRopes;
        style.particles = kPeerParticles;
        style.length = kLength;
        style.spacing = kSpacing;
        style.direction = scenario.direction;
        (void)*world_.add_groom(*make_groom(*make_ropes(style)), groom);
    }

    void step(double) override { world_.step(); }

    void add_stretch(double& max, double& sum) const override
    {
        const Metrics metrics = world_.measure();
        max = std::max(max, metrics.stretch_max);
        sum += metrics.stretch_mean;
    }

private:
    static WorldSettings settings(int substeps)
    {
        WorldSettings s;
        s.dt = kDt;
        s.substeps = substeps;
        s.gravity = {0, -kGravity, 0};
        s.solver.dftl.velocity_correction = 1.0f;
        return s;
    }
    mutable World world_;
};

#ifdef TENDRIL_BENCH_BULLET
/// Bullet's soft body ropes, without collisions so that only their motion is timed.
class BulletRopes final : public Ropes {
public:
    BulletRopes(const Scenario& scenario, int iterations) : scenario_(scenario)
    {
        const btVector3 gravity(0, static_cast<btScalar>(-kGravity), 0);
        world_.setGravity(gravity);
        btSoftBodyWorldInfo& info = world_.getWorldInfo();
        info.m_gravity = gravity;
        info.air_density = info.water_density = 0;
        info.m_sparsesdf.Initialize();
        for (uint32_t i = 0; i < kRopes; ++i) {
            const btVector3 top(0, 0, static_cast<btScalar>(i) * kSpacing);
            const btVector3 along(scenario.direction.x, scenario.direction.y, scenario.direction.z);
            // A rope has two more nodes than its resolution; bit 1 fixes the first.
            btSoftBody* rope = btSoftBodyHelpers::CreateRope(info, top, top + along * kLength, kPeerParticles - 2, 1);
            rope->setTotalMass(static_cast<btScalar>(kMass * (kPeerParticles - 1)));
            rope->updateConstants();  // otherwise rest lengths are wrong
            rope->m_cfg.piterations = iterations;
            rope->m_cfg.collisions = 0;
            rope->setActivationState(DISABLE_DEACTIVATION);
            world_.addSoftBody(rope, 1, 0);
            ropes_.emplace_back(rope);
        }
    }
    ~BulletRopes() override
    {
        for (auto& rope : ropes_) world_.removeSoftBody(rope.get());
    }

    void step(double time) override
    {
        for (auto& rope : ropes_) {
            btSoftBody::Node& top = rope->m_nodes[0];
            top.m_v = btVector3(static_cast<btScalar>((scenario_.top(time + kDt) - top.m_x.x()) / kDt), 0, 0);
        }
        world_.stepSimulation(static_cast<btScalar>(kDt), 0);
    }

    void add_stretch(double& max, double& sum) const override
    {
        double total = 0;
        for (const auto& rope : ropes_)
            for (int i = 1; i < rope->m_nodes.size(); ++i) {
                const double length = (rope->m_nodes[i].m_x - rope->m_nodes[i - 1].m_x).length();
                const double stretch = std::abs(length / kSegment - 1);
                max = std::max(max, stretch);
                total += stretch;
            }
        sum += total / (kRopes * (kPeerParticles - 1));
    }

private:
    const Scenario& scenario_;
    btSoftBodyRigidBodyCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btSoftRigidDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btSoftBody>> ropes_;
};
#endif

struct Method {
    std::string name;
    std::function<std::unique_ptr<Ropes>(const Scenario&)> make;
};

std::vector<Method> methods()
{
    std::vector<Method> list;
    for (int substeps : {1, 8})
        list.push_back(
            {substeps == 1 ? "tendril dftl" : "tendril dftl, 8 substeps",
             [substeps](const Scenario& scenario) { return std::make_unique<TendrilRopes>(scenario, substeps); }});
#ifdef TENDRIL_BENCH_BULLET
    for (int iterations : {1, 10, 25})
        list.push_back(
            {"bullet rope, " + std::to_string(iterations) + (iterations == 1 ? " iteration" : " iterations"),
             [iterations](const Scenario& scenario) { return std::make_unique<BulletRopes>(scenario, iterations); }});
#endif
    return list;
}

}  // namespace

bool has_peers()
{
#ifdef TENDRIL_BENCH_BULLET
    return true;
#else
    return false;
#endif
}

std::vector<PeerFigures> compare_peers(int rounds)
{
    struct Row {
        PeerFigures figures;
        Samples seconds;
    };
    std::vector<Row> rows;
    std::vector<Measurement> measurements;
    const std::vector<Method> all = methods();
    rows.reserve(std::size(kScenarios) * all.size());
    for (const Scenario& scenario : kScenarios)
        for (const Method& method : all) {
            Row& row = rows.emplace_back();
            row.figures.scenario = scenario.name;
            row.figures.method = method.name;
            auto run = [&scenario, &method, &row] {
                const auto ropes = method.make(scenario);
                double seconds = 0, sum = 0;
                for (int k = 0; k < kSteps; ++k) {
                    seconds += time_of([&] { ropes->step(k * kDt); });
                    ropes->add_stretch(row.figures.stretch_max, sum);
                }
                row.figures.stretch_mean = sum / kSteps;
                return seconds / kSteps;
            };
            measurements.push_back({run, &row.seconds});
        }
    measure_in_turns(measurements, rounds, [](int) {});
    std::vector<PeerFigures> figures;
    for (Row& row : rows) {
        row.figures.ns_per_particle = row.seconds.median() * 1e9 / (kRopes * kPeerParticles);
        figures.push_back(row.figures);
    }
    return figures;
}

}  // namespace tendril::bench
