/// Contacts of rigid bodies with Bullet [Coumans15]: its narrow phase and its sequential impulse solver. Its world is
/// not used, since that keeps pairs, contacts and impulses from step to step, in an order that depends on the history.
#include "body/rigid/rigid_contacts.h"

#ifdef TENDRIL_RIGID

#include "body/rigid/rigid_shapes.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <tuple>
#include <utility>

namespace tendril {

namespace {

// Without warm starting, the solver needs many iterations, and more in proportion to the mass ratio. It stops early
// when velocities change by less than kConverged [m/s].
constexpr int kIterations = 200, kMaxIterations = 1000;
constexpr double kConverged = 1e-7;
// Larger mass ratios than this use over-relaxation; without it, an iteration reduces the error only by the share
// 1 / ratio.
constexpr double kUneven = 10, kOverRelaxed = 1.8;
constexpr double kSlop = 2e-4;          // penetration that is tolerated, so that resting bodies stay in contact [m]
constexpr double kTouch = 1e-3;         // gap below which a contact is created [m]
constexpr double kSlowestBounce = 0.2;  // slower impacts do not bounce; Bullet's own default [m/s]
constexpr double kFastShare = 0.5;      // bodies that move farther than this share of the inner radius may tunnel

/// Bullet's solver, except that it returns the pose corrections instead of applying them: the owner keeps the poses.
class ContactSolver final : public btSequentialImpulseConstraintSolver {
public:
    /// The `user index` of a body is its index in `bodies`.
    void solve(std::vector<btCollisionObject*>& objects, std::vector<btPersistentManifold*>& manifolds,
               std::span<RigidState> bodies, double h, double mass_ratio)
    {
        bodies_ = bodies;
        btContactSolverInfo info;
        info.m_timeStep = h;
        info.m_numIterations = static_cast<int>(std::clamp<double>(4 * mass_ratio, kIterations, kMaxIterations));
        info.m_sor = mass_ratio > kUneven ? kOverRelaxed : 1;
        info.m_leastSquaresResidualThreshold = kConverged * kConverged;
        info.m_solverMode = SOLVER_USE_2_FRICTION_DIRECTIONS;
        // Split impulses resolve every penetration by a shift that leaves velocities unchanged and adds no energy.
        info.m_splitImpulse = 1;
        info.m_splitImpulsePenetrationThreshold = 0;
        info.m_linearSlop = kSlop;
        info.m_restitutionVelocityThreshold = kSlowestBounce;
        turn_share_ = info.m_splitImpulseTurnErp;
        solveGroup(objects.data(), static_cast<int>(objects.size()), manifolds.data(),
                   static_cast<int>(manifolds.size()), nullptr, 0, info, nullptr, nullptr);
    }

private:
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject**, int, const btContactSolverInfo& info) override
    {
        writeBackContacts(0, m_tmpSolverContactConstraintPool.size(), info);
        for (int i = 0; i < m_tmpSolverBodyPool.size(); ++i) {
            const btSolverBody& solved = m_tmpSolverBodyPool[i];
            if (!solved.m_originalBody || solved.m_originalBody->isKinematicObject()) continue;
            RigidState& state = bodies_[static_cast<size_t>(solved.m_originalBody->getUserIndex())];
            state.motion.velocity =
                from_bullet(solved.m_linearVelocity + solved.m_deltaLinearVelocity + solved.m_externalForceImpulse);
            state.motion.spin = from_bullet(solved.m_angularVelocity + solved.m_deltaAngularVelocity);
            state.shift = from_bullet(solved.m_pushVelocity);
            state.turn = from_bullet(solved.m_turnVelocity * turn_share_);
        }
        m_tmpSolverContactConstraintPool.resizeNoInitialize(0);
        m_tmpSolverNonContactConstraintPool.resizeNoInitialize(0);
        m_tmpSolverContactFrictionConstraintPool.resizeNoInitialize(0);
        m_tmpSolverContactRollingFrictionConstraintPool.resizeNoInitialize(0);
        m_tmpSolverBodyPool.resizeNoInitialize(0);
        return 0;
    }

    std::span<RigidState> bodies_;
    btScalar turn_share_ = 0;
};

/// A body or one part of an obstacle.
struct Item {
    RigidPart part;
    RigidBody settings;  ///< for an obstacle only friction and restitution
    size_t owner = 0;    ///< index of the body or obstacle
    bool is_body = false;
    std::unique_ptr<btRigidBody> object;
    btVector3 low{0, 0, 0}, high{0, 0, 0};  ///< bounding box of its motion during the step
};

class BulletContacts final : public RigidContacts {
public:
    BulletContacts()
    {
        // Round shapes give one contact point per query. Four more queries with a slightly tilted shape find the others
        // at once instead of over several steps.
        configuration_.setConvexConvexMultipointIterations(4, 4);
    }

    void add_body(const RigidBody& body) override
    {
        Item item{body_part(body), body, bodies_++, true, nullptr};
        item.object = make_object(item, body.mass, to_bullet(rigid_inertia(body)));
        // The owner integrates the free rotation, so Bullet's gyroscopic term is off.
        item.object->setFlags(0);
        items_.push_back(std::move(item));
    }

    void add_obstacle(const Collider& shape, const RigidSurface& surface) override
    {
        RigidBody settings;
        settings.friction = surface.friction;
        settings.restitution = surface.restitution;
        for (RigidPart& part : obstacle_parts(shape)) {
            Item item{std::move(part), settings, obstacles_, false, nullptr};
            item.object = make_object(item, 0, {0, 0, 0});
            item.object->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
            items_.push_back(std::move(item));
        }
        ++obstacles_;
    }

    void solve(std::span<RigidState> bodies, std::span<const RigidMotion> obstacles, const Vec3d& gravity, double h,
               std::vector<RigidTouch>& touches) override
    {
        objects_.clear();
        for (Item& item : items_) {
            update_object(item, item.is_body ? bodies[item.owner].motion : obstacles[item.owner], gravity, h);
            objects_.push_back(item.object.get());
        }
        find_pairs();
        for (const auto& [a, b] : pairs_) find_contacts(items_[a], items_[b], h);
        solver_.solve(objects_, manifolds_, bodies, h, mass_ratio());
        report(touches);
        release_contacts();
    }

private:
    std::unique_ptr<btRigidBody> make_object(Item& item, double mass, const btVector3& inertia)
    {
        btCollisionShape* shape = &plane_;
        if (item.part.shape) shape = item.part.shape.get();
        auto object = std::make_unique<btRigidBody>(mass, nullptr, shape, inertia);
        object->setActivationState(DISABLE_DEACTIVATION);
        object->setUserIndex(static_cast<int>(item.owner));
        object->setUserIndex2(static_cast<int>(items_.size()));
        object->setWorldArrayIndex(static_cast<int>(items_.size()));
        return object;
    }

    static void update_object(Item& item, const RigidMotion& motion, const Vec3d& gravity, double h)
    {
        btRigidBody& object = *item.object;
        const Vec3d arm = rotate(motion.pose.rotation, item.part.pose.position);
        const Vec3d velocity = motion.velocity + cross(motion.spin, arm);
        object.setCenterOfMassTransform(
            to_bullet(Pose{motion.pose.position + arm, motion.pose.rotation * item.part.pose.rotation}));
        object.setLinearVelocity(to_bullet(velocity));
        object.setAngularVelocity(to_bullet(motion.spin));
        object.clearForces();
        // Gravity is applied as a force, so that Bullet does not treat the speed of one step of free fall as an impact.
        if (item.is_body) object.applyCentralForce(to_bullet(gravity * item.settings.mass));
        if (!item.part.shape) return;
        item.part.shape->getAabb(object.getWorldTransform(), item.low, item.high);
        const btVector3 travel = to_bullet((velocity + gravity * (item.is_body ? h : 0)) * h);
        const btVector3 zero(0, 0, 0), gap(kTouch, kTouch, kTouch);
        btVector3 backward = travel, forward = travel;
        backward.setMin(zero);
        forward.setMax(zero);
        item.low += backward - gap;
        item.high += forward + gap;
    }

    /// All pairs that may touch, sorted by their indices so that the order does not depend on the sweep.
    void find_pairs()
    {
        pairs_.clear();
        order_.clear();
        for (size_t i = 0; i < items_.size(); ++i)
            if (items_[i].part.shape)
                order_.push_back(i);
            else
                for (size_t k = 0; k < items_.size(); ++k)
                    if (items_[k].is_body) pairs_.emplace_back(k, i);
        std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
            return std::pair(items_[a].low.x(), a) < std::pair(items_[b].low.x(), b);
        });
        for (size_t i = 0; i < order_.size(); ++i)
            for (size_t k = i + 1; k < order_.size(); ++k) {
                size_t first = order_[i], second = order_[k];
                if (items_[second].low.x() > items_[first].high.x()) break;
                if (!items_[first].is_body) std::swap(first, second);  // obstacles come second
                const Item &a = items_[first], &b = items_[second];
                if (!a.is_body || a.low.y() > b.high.y() || b.low.y() > a.high.y() || a.low.z() > b.high.z() ||
                    b.low.z() > a.high.z())
                    continue;
                if (b.is_body && second < first) std::swap(first, second);
                pairs_.emplace_back(first, second);
            }
        std::sort(pairs_.begin(), pairs_.end());
    }

    void find_contacts(Item& a, Item& b, double h)
    {
        if (!b.part.shape)
            add_plane_contacts(a, b, h);
        else if (!find_overlap(a, b, h))
            add_speculative_contact(a, b, h);
    }

    /// Bullet's narrow phase. Returns false if the two do not touch.
    bool find_overlap(Item& a, Item& b, double h)
    {
        const btCollisionObjectWrapper wrap_a(nullptr, a.part.shape.get(), a.object.get(),
                                              a.object->getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper wrap_b(nullptr, b.part.shape.get(), b.object.get(),
                                              b.object->getWorldTransform(), -1, -1);
        btCollisionAlgorithm* algorithm =
            dispatcher_.findAlgorithm(&wrap_a, &wrap_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        btManifoldResult result(&wrap_a, &wrap_b);
        algorithm->processCollision(&wrap_a, &wrap_b, btDispatcherInfo(), &result);
        algorithms_.push_back(algorithm);
        found_.resizeNoInitialize(0);
        algorithm->getAllContactManifolds(found_);
        bool any = false;
        for (int i = 0; i < found_.size(); ++i) {
            remove_skins(*found_[i]);
            finish_points(*found_[i], h);
            manifolds_.push_back(found_[i]);
            any |= found_[i]->getNumContacts() > 0;
        }
        return any;
    }

    /// Speculative contact: bodies fast enough to pass each other within a step get a contact at their nearest points
    /// in advance. It lets them close the gap in this step, but no more.
    void add_speculative_contact(const Item& a, const Item& b, double h)
    {
        const double travel = h * (a.object->getLinearVelocity() - b.object->getLinearVelocity()).length();
        if (travel < kFastShare * std::min(a.part.inner_radius, b.part.inner_radius)) return;
        btGjkPairDetector detector(a.part.shape.get(), b.part.shape.get(), &simplex_, &penetration_);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = a.object->getWorldTransform();
        input.m_transformB = b.object->getWorldTransform();
        btPointCollector nearest;
        detector.getClosestPoints(input, nearest, nullptr);
        if (!nearest.m_hasResult || nearest.m_distance > travel + kTouch) return;
        btPersistentManifold& manifold = new_manifold(a, b);
        add_point(manifold, nearest.m_pointInWorld, nearest.m_normalOnBInWorld, nearest.m_distance);
        remove_skins(manifold);
        finish_points(manifold, h);
    }

    /// A half-space has no other side: everything below it, now or within the step, touches it at up to four lowest
    /// points.
    void add_plane_contacts(const Item& a, const Item& plane, double h)
    {
        const btTransform& at = a.object->getWorldTransform();
        const btVector3 normal = plane.object->getWorldTransform().getBasis().getColumn(1);
        const btVector3 foot = plane.object->getWorldTransform().getOrigin();
        const LowPoints low = low_points(a.settings, from_bullet(normal * at.getBasis()) * -1.0);
        std::array<std::pair<double, size_t>, std::tuple_size_v<decltype(low.at)>> nearest;
        nearest.fill({BT_LARGE_FLOAT, 0});
        for (size_t k = 0; k < low.count; ++k) {
            const btVector3 p = at(to_bullet(low.at[k]));
            const double closing = -relative_velocity(*a.object, *plane.object, p).dot(normal);
            const double gap = (p - foot).dot(normal);
            if (gap <= std::max(kTouch, closing * h)) nearest[k] = {gap, k};
        }
        std::partial_sort(nearest.begin(), nearest.begin() + MANIFOLD_CACHE_SIZE, nearest.end());
        if (nearest[0].first == BT_LARGE_FLOAT) return;
        btPersistentManifold& manifold = new_manifold(a, plane);
        for (size_t k = 0; k < MANIFOLD_CACHE_SIZE && nearest[k].first < BT_LARGE_FLOAT; ++k) {
            const auto [gap, which] = nearest[k];
            add_point(manifold, at(to_bullet(low.at[which])) - normal * gap, normal, gap);
        }
        finish_points(manifold, h);
    }

    static btVector3 relative_velocity(const btRigidBody& a, const btRigidBody& b, const btVector3& p)
    {
        return a.getVelocityInLocalPoint(p - a.getWorldTransform().getOrigin()) -
               b.getVelocityInLocalPoint(p - b.getWorldTransform().getOrigin());
    }

    /// Manifolds of our own, which are reused in every step. Their addresses stay valid when more are added.
    btPersistentManifold& new_manifold(const Item& a, const Item& b)
    {
        if (own_used_ == own_manifolds_.size()) own_manifolds_.emplace_back();
        btPersistentManifold& manifold = own_manifolds_[own_used_++];
        manifold = btPersistentManifold(a.object.get(), b.object.get(), 0, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
        manifolds_.push_back(&manifold);
        return manifold;
    }

    static void add_point(btPersistentManifold& manifold, const btVector3& on_b, const btVector3& normal, double gap)
    {
        const btVector3 on_a = on_b + normal * gap;
        btManifoldPoint point(manifold.getBody0()->getWorldTransform().invXform(on_a),
                              manifold.getBody1()->getWorldTransform().invXform(on_b), normal, gap);
        point.m_positionWorldOnA = on_a;
        point.m_positionWorldOnB = on_b;
        manifold.addManifoldPoint(point, true);
    }

    void remove_skins(btPersistentManifold& manifold) const
    {
        const double skins = item_of(manifold.getBody0()).part.skin + item_of(manifold.getBody1()).part.skin;
        for (int i = 0; i < manifold.getNumContacts(); ++i)
            manifold.getContactPoint(i).setDistance(manifold.getContactPoint(i).getDistance() + skins);
    }

    /// Sets friction and restitution of a pair. Bullet confuses the remaining gap with the rebound speed. Points that
    /// meet within the step and bounce therefore bounce now, and the others do not bounce yet.
    void finish_points(btPersistentManifold& manifold, double h) const
    {
        const Item &a = item_of(manifold.getBody0()), &b = item_of(manifold.getBody1());
        for (int i = manifold.getNumContacts() - 1; i >= 0; --i) {
            btManifoldPoint& p = manifold.getContactPoint(i);
            if (!std::isfinite(p.getDistance()) || !is_finite(from_bullet(p.m_normalWorldOnB)) ||
                !is_finite(from_bullet(p.getPositionWorldOnB()))) {
                manifold.removeContactPoint(i);
                continue;
            }
            p.m_combinedFriction = std::sqrt(a.settings.friction * b.settings.friction);
            p.m_combinedRestitution = std::max(a.settings.restitution, b.settings.restitution);
            if (!(p.getDistance() > -kSlop)) continue;
            const double closing =
                -relative_velocity(*a.object, *b.object, p.getPositionWorldOnB()).dot(p.m_normalWorldOnB);
            if (p.m_combinedRestitution > 0 && closing > kSlowestBounce && closing * h > p.getDistance())
                p.setDistance(-kSlop);
            else
                p.m_combinedRestitution = 0;
        }
    }

    /// The largest mass ratio of two touching bodies, >= 1.
    double mass_ratio() const
    {
        double largest = 1;
        for (const btPersistentManifold* manifold : manifolds_) {
            const Item &a = item_of(manifold->getBody0()), &b = item_of(manifold->getBody1());
            if (!a.is_body || !b.is_body || manifold->getNumContacts() == 0) continue;
            const double ratio = a.settings.mass / b.settings.mass;
            largest = std::max({largest, ratio, 1 / ratio});
        }
        return largest;
    }

    const Item& item_of(const btCollisionObject* object) const
    {
        return items_[static_cast<size_t>(object->getUserIndex2())];
    }

    void report(std::vector<RigidTouch>& touches) const
    {
        for (const btPersistentManifold* manifold : manifolds_) {
            const Item &a = item_of(manifold->getBody0()), &b = item_of(manifold->getBody1());
            for (int i = 0; i < manifold->getNumContacts(); ++i) {
                const btManifoldPoint& p = manifold->getContactPoint(i);
                if (!(p.getAppliedImpulse() > 0)) continue;
                const double sign = a.is_body ? 1 : -1;
                RigidTouch touch{a.is_body ? a.owner : b.owner,
                                 RigidTouch::kNone,
                                 RigidTouch::kNone,
                                 from_bullet(p.getPositionWorldOnB()),
                                 from_bullet(p.m_normalWorldOnB) * sign,
                                 p.getAppliedImpulse()};
                if (a.is_body && b.is_body)
                    touch.other = b.owner;
                else
                    touch.obstacle = a.is_body ? b.owner : a.owner;
                touches.push_back(touch);
            }
        }
    }

    void release_contacts()
    {
        manifolds_.clear();
        own_used_ = 0;
        for (btCollisionAlgorithm* algorithm : algorithms_) {
            algorithm->~btCollisionAlgorithm();
            dispatcher_.freeCollisionAlgorithm(algorithm);
        }
        algorithms_.clear();
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver penetration_;
    btStaticPlaneShape plane_{btVector3(0, 1, 0), 0};
    ContactSolver solver_;

    std::vector<Item> items_;
    size_t bodies_ = 0, obstacles_ = 0;

    // Scratch data of one step.
    std::vector<btCollisionObject*> objects_;
    std::vector<size_t> order_;
    std::vector<std::pair<size_t, size_t>> pairs_;
    std::vector<btCollisionAlgorithm*> algorithms_;
    std::vector<btPersistentManifold*> manifolds_;
    std::deque<btPersistentManifold> own_manifolds_;
    size_t own_used_ = 0;
    btManifoldArray found_;
};

}  // namespace

std::unique_ptr<RigidContacts> RigidContacts::create()
{
    return std::make_unique<BulletContacts>();
}

}  // namespace tendril

#else

namespace tendril {

std::unique_ptr<RigidContacts> RigidContacts::create()
{
    return nullptr;
}

}  // namespace tendril

#endif
