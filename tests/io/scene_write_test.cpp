// Scenes that are written as TOML and read again.
#include "tendril/scene_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <random>

namespace tendril::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> scene_files()
{
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/scenes"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

/// The values of all keys as text.
std::string values_of(const Scene& scene)
{
    std::string all;
    for (const SceneTable& table : scene_tables())
        for (size_t i = 0; i < table.count(scene); ++i)
            for (const Setting& key : table.settings)
                all += fmt::format("{}.{}.{} = {}\n", table.name, i, key.name,
                                   value_text(key, value_of(scene, table, i, key)));
    return all;
}

void expect_round_trip(const Scene& scene, const std::string& what)
{
    const std::string text = write_scene(scene);
    const auto again = parse_scene(text, "written.toml");
    ASSERT_TRUE(again) << what << ": " << again.error() << "\n" << text;
    EXPECT_EQ(values_of(*again), values_of(scene)) << what;
    EXPECT_EQ(write_scene(*again), text) << what;
}

/// A random value for the key, as the text of an override.
std::string random_value(const Setting& key, std::mt19937& random)
{
    const double least = std::max(key.range.min, -1e6), most = std::min(key.range.max, 1e6);
    const auto number = [&] { return fmt::format("{}", std::uniform_real_distribution(least, most)(random)); };
    switch (key.type) {
        case SettingType::kNumber: return number();
        case SettingType::kInteger: return fmt::format("{:.0f}", std::uniform_real_distribution(least, most)(random));
        case SettingType::kBoolean: return random() % 2 ? "true" : "false";
        case SettingType::kChoice: return key.choices[random() % key.choices.size()];
        case SettingType::kText: return random() % 2 ? "two words" : R"("\" \\ \u00fc \t")";
        default: return fmt::format("[{}, {}, {}]", number(), number(), number());
    }
}

TEST(WriteScene, EverySceneReadsBackWithTheSameValues)
{
    ASSERT_GE(scene_files().size(), 30u);
    for (const std::string& file : scene_files()) {
        const auto scene = read_scene(file);
        ASSERT_TRUE(scene) << scene.error();
        expect_round_trip(*scene, file);
    }
}

TEST(WriteScene, RandomValuesOfRandomKeysReadBack)
{
    std::mt19937 random(7);
    size_t accepted = 0;
    for (const std::string& file : scene_files()) {
        const auto plain = read_scene(file);
        ASSERT_TRUE(plain) << plain.error();
        for (const SceneTable& table : scene_tables()) {
            if (table.count(*plain) == 0) continue;
            for (int i = 0; i < 4; ++i) {
                const Setting& key = table.settings[random() % table.settings.size()];
                const auto scene =
                    read_scene(file, {{fmt::format("{}.{}", table.name, key.name), random_value(key, random)}});
                if (!scene) continue;  // inconsistent scenes are refused
                ++accepted;
                expect_round_trip(*scene, fmt::format("{} with another {}.{}", file, table.name, key.name));
            }
        }
    }
    EXPECT_GT(accepted, 500u);
}

TEST(WriteScene, WritesOnlyValuesThatDifferFromTheDefaults)
{
    const auto scene = parse_scene("[groom]\nlength = 0.58\n[sim]\ngravity = 9.81\nsubsteps = 2\n", "s.toml");
    ASSERT_TRUE(scene) << scene.error();
    EXPECT_EQ(write_scene(*scene), "[sim]\nsubsteps = 2\n\n[groom]\n");
}

TEST(WriteScene, StringsKeepTheirCharacters)
{
    for (const char* name : {"plain", "\xc3\xbc", "a \\\" b", "\xc3\xbc \\\" \\\\"}) {
        const auto scene = parse_scene(fmt::format("[groom]\n[body]\nname = \"{}\"\n", name), "s.toml");
        if (!scene) continue;  // non-ASCII characters next to escapes are refused by the reader
        expect_round_trip(*scene, name);
    }
    Scene scene;
    scene.grooms.emplace_back();
    scene.bodies.emplace_back().name = "\xc3\xbc \" \\ \t";
    expect_round_trip(scene, "escaped characters");
}

TEST(WriteScene, FileNamesAreWrittenAsInTheScene)
{
    const auto scene = parse_scene("[groom]\nfile = \"shapes/knot.obj\"\n", "some/folder/s.toml");
    ASSERT_TRUE(scene) << scene.error();
    EXPECT_EQ(write_scene(*scene), "[groom]\nfile = \"shapes/knot.obj\"\n");
}

}  // namespace
}  // namespace tendril::test
