/// Sessions for tests, and the positions that they show.
#pragma once

#include "tendril/session.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace tendril::test {

inline std::string scene_text(const std::string& name)
{
    std::ifstream in(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".toml");
    EXPECT_TRUE(in) << name;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline std::unique_ptr<session::Session> opened(const std::string& toml, const Overrides& overrides = {},
                                                const std::string& folder = std::string(TENDRIL_SOURCE_DIR) + "/scenes")
{
    auto session = session::Session::open(toml, "test.toml", overrides, folder, make_serial_executor());
    EXPECT_TRUE(session) << session.error();
    return session ? std::move(*session) : nullptr;
}

inline nlohmann::json info_of(const session::Session& session)
{
    return nlohmann::json::parse(session.info_json());
}

/// The position of a point of a part in the world.
inline Vec3d position(const session::Frame& frame, size_t part, size_t point)
{
    return frame.strands[part].origin + to_double(frame.strands[part].points[point]);
}

/// The coordinates of all points, for exact comparison.
inline std::vector<double> coordinates(const session::Frame& frame)
{
    std::vector<double> all;
    for (size_t k = 0; k < frame.strands.size(); ++k)
        for (size_t i = 0; i < frame.strands[k].points.size(); ++i) {
            const Vec3d p = position(frame, k, i);
            all.insert(all.end(), {p.x, p.y, p.z});
        }
    return all;
}

inline constexpr double kFrame = 1.0 / 60;

/// A rope of 1 m that hangs from the origin.
inline constexpr const char* kRopeScene = R"(
[sim]
dt = 0.01
substeps = 2
[body]
[groom]
style = "rope"
length = 1
particles = 30
direction = [0, -1, 0]
)";
/// The same as a string.
inline const std::string kString =
    std::string(kRopeScene) + "material = \"rubber\"\n[solver]\ntype = \"chain_shape\"\n";

/// A horizontal ray along -z at a height, from two metres in front of the rope.
inline session::Ray ray_at(double height, double cone = 0.02)
{
    return {{0, height, 2}, {0, 0, -1}, cone};
}

}  // namespace tendril::test
