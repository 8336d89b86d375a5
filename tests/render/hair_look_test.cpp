// Named looks, and colours from pigments.
#include "tendril/hair_look.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tendril::test {
namespace {

Vec3f dense_colour(const char* name)
{
    const auto look = hair_look(name);
    EXPECT_TRUE(look) << name;
    return look ? colour_of_absorption(absorption_of(*look), look->side_roughness) : Vec3f{-1, -1, -1};
}

TEST(HairLook, HasTheDocumentedNames)
{
    EXPECT_EQ(hair_look_names(), (std::vector<std::string>{"black", "brown", "blonde", "red", "grey", "white"}));
    for (const std::string& name : hair_look_names()) {
        const auto look = hair_look(name);
        ASSERT_TRUE(look) << name;
        EXPECT_GE(look->roughness, 0.05f);
        EXPECT_LE(look->roughness, 1.0f);
        EXPECT_GE(look->side_roughness, 0.05f);
        EXPECT_LE(look->side_roughness, 1.0f);
    }
}

TEST(HairLook, UnknownNameIsRefusedWithASuggestion)
{
    const auto slip = hair_look("blond");
    ASSERT_FALSE(slip);
    EXPECT_EQ(slip.error(),
              "hair look: unknown look 'blond' (did you mean 'blonde'?); choose one of black, brown, blonde, "
              "red, grey, white");
    const auto unknown = hair_look("ultramarine");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().find("did you mean"), std::string::npos);
    EXPECT_NE(unknown.error().find("black, brown, blonde, red, grey, white"), std::string::npos);
    EXPECT_FALSE(hair_look(""));
}

TEST(HairLook, ColoursMatchTheirNames)
{
    const Vec3f black = dense_colour("black"), brown = dense_colour("brown"), blonde = dense_colour("blonde"),
                red = dense_colour("red"), grey = dense_colour("grey"), white = dense_colour("white");
    EXPECT_LT(black.x, 0.01f);
    EXPECT_LT(black.x, brown.x);
    EXPECT_LT(brown.x, red.x);
    EXPECT_LT(red.x, blonde.x);
    EXPECT_LT(grey.x, white.x);
    EXPECT_NEAR(grey.x, grey.y, 0.05f);  // grey is neutral
    EXPECT_NEAR(grey.x, grey.z, 0.05f);
    EXPECT_GT(white.z, 0.75f);
    EXPECT_GT(red.x / red.y, brown.x / brown.y);  // red is redder than brown
}

TEST(HairLook, PigmentsAddUp)
{
    HairLook look;
    look.eumelanin = 2;
    look.pheomelanin = 0.5f;
    const Vec3f absorption = absorption_of(look);
    EXPECT_FLOAT_EQ(absorption.x, 2 * 0.419f + 0.5f * 0.187f);
    EXPECT_FLOAT_EQ(absorption.y, 2 * 0.697f + 0.5f * 0.4f);
    EXPECT_FLOAT_EQ(absorption.z, 2 * 1.37f + 0.5f * 1.05f);
}

TEST(HairLook, ColourAndAbsorptionAreInverse)
{
    for (const float side : {0.05f, 0.3f, 0.7f, 1.0f})
        for (const float c : {1e-4f, 0.01f, 0.2f, 0.5f, 0.9f, 0.999f, 1.0f}) {
            const Vec3f back = colour_of_absorption(absorption_of_colour({c, 1 - c, 0.5f * c}, side), side);
            EXPECT_NEAR(back.x, c, 1e-5f) << side;
            EXPECT_NEAR(back.y, 1 - c, 1e-5f) << side;
            EXPECT_NEAR(back.z, 0.5f * c, 1e-5f) << side;
        }
    // [Chiang16] Eq. 9 by hand at beta_n = 1: (log 0.5 / 3.375)^2.
    EXPECT_NEAR(absorption_of_colour({0.5f, 0.5f, 0.5f}, 1).x, 0.042180f, 1e-5f);
}

TEST(HairLook, ExtremeColoursAreSafe)
{
    const Vec3f ends = absorption_of_colour({0, 1, 2}, 0.3f);
    EXPECT_TRUE(is_finite(ends));
    EXPECT_GT(ends.x, 1);
    EXPECT_EQ(ends.y, 0);
    EXPECT_EQ(ends.z, 0);
    EXPECT_TRUE(is_finite(absorption_of_colour({-1, 0, 0}, 0)));
    EXPECT_EQ(colour_of_absorption({0, 0, -1}, 0.3f), (Vec3f{1, 1, 1}));
}

}  // namespace
}  // namespace tendril::test
