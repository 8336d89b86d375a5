// The keys of pictures and other output.
#include "io/scene_tables.h"

namespace tendril {

using namespace describe;

namespace {

std::vector<SettingOf<SceneRender>> camera_keys()
{
    using R = SceneRender;
    return {
        choice<&R::camera>("camera", {"framed", "orbit", "look_at"},
                           "`\"framed\"`: as near as possible with all strands and bodies in the picture. `\"orbit\"`: "
                           "at `distance` from `target`. `\"look_at\"`: from `eye` to `target`."),
        number<&R::azimuth>(
            "azimuth", "rad", {-100, 100},
            "`\"framed\"` and `\"orbit\"`: direction of the camera around the y axis, from +z towards +x."),
        number<&R::elevation>("elevation", "rad", {-1.57, 1.57},
                              "`\"framed\"` and `\"orbit\"`: angle of the camera above the horizontal."),
        number<&R::zoom>("zoom", "", {0.01, 100}, "`\"framed\"`: the camera is nearer by this factor."),
        number<&R::distance>("distance", "m", {1e-4, 1e6}, "`\"orbit\"`: distance of the camera from the target."),
        vector<&R::target>("target", "m", {-1e8, 1e8},
                           "`\"orbit\"` and `\"look_at\"`: the point in the centre of the picture."),
        vector<&R::eye>("eye", "m", {-1e8, 1e8}, "`\"look_at\"`: position of the camera."),
        number<&R::field>("field", "rad", {0.01, 3}, "Vertical field of view; 0.5 is a portrait lens."),
        number<&R::aperture>("aperture", "m", {0, 10},
                             "Radius of the lens. With `\"good\"` and `\"final\"`, points that are out of focus blur. "
                             "0: everything is sharp."),
        number<&R::focus>("focus", "m", {0, 1e6}, "Focus distance; 0: the distance to the target."),
        number<&R::shutter>(
            "shutter", "", {0, 1},
            "Share of the time between pictures for which the shutter is open, which blurs motion; 0: no motion blur."),
    };
}

}  // namespace

const SettingTable& look_settings()
{
    using L = SceneLook;
    static const SettingTable table = table_of(
        "look", "How strands look in pictures.",
        std::vector{
            text<&L::hair>("hair",
                           "Colour of the hair: black, brown, blonde, red, grey, white, or groom for the colours of "
                           "the strands."),
            number<&L::width_scale>("width_scale", "", {0, 1e3},
                                    "Factor on the width of strands, so that few can stand in for many; 0: chosen from "
                                    "their number and the picture."),
            vector<&L::string>("string", "", {0, 1}, "Colour of strings: red, green and blue."),
            vector<&L::stripe>("stripe", "", {0, 1},
                               "Colour of the stripes along strings, which show twist: red, green and blue."),
            integer<&L::stripes>("stripes", {0, 16}, "Number of stripes around a string."),
        });
    return table;
}

SceneTable render_table()
{
    using R = SceneRender;
    std::vector<SettingOf<R>> keys{
        integer<&R::width>("width", {1, 16384}, "Width of a picture in pixels."),
        integer<&R::height>("height", {1, 16384}, "Height of a picture in pixels."),
        choice<&R::quality>("quality", {"draft", "good", "final"},
                            "`\"draft\"`: rasterized, fast and without noise. `\"good\"` and `\"final\"`: path traced, "
                            "with few or many bounces."),
        integer<&R::samples>("samples", {0, 1e6}, "`\"good\"` and `\"final\"`: paths per pixel; 0: 32 and 256."),
        integer<&R::bounces>("bounces", {0, 1000}, "`\"good\"` and `\"final\"`: bounces of a path; 0: 30 and 100."),
        integer<&R::every>("every", {1, 1e6},
                           "Number of frames from one picture to the next; films play in real time."),
        number<&R::exposure>("exposure", "", {-20, 20}, "Exposure in stops; 1 is twice as bright."),
        vector<&R::skin>("skin", "", {0, 1}, "Colour of the bodies: red, green and blue."),
    };
    for (const auto& key : camera_keys()) keys.push_back(key);
    keys.push_back(choice<&R::ground>("ground", {"auto", "off", "on"},
                                      "Whether there is a floor. `\"auto\"`: at the lowest point of strands and "
                                      "bodies, if a body has a mesh other than `\"sphere\"` and `\"bust\"`."));
    keys.push_back(
        number<&R::ground_height>("ground_height", "m", {-1e8, 1e8}, "Height of the floor if `ground` is `\"on\"`."));
    keys.push_back(choice<&R::overlay>(
        "overlay", {"none", "id", "speed", "stretch", "tension", "contact"},
        "Colours strands by this quantity instead of their look, from blue for low values to red for high ones."));
    keys.push_back(number<&R::poster>("poster", "", {0, 1}, "Time of the poster, as a share of the film."));
    SettingTable table = table_of("render", "Pictures of the scene.", keys);
    table.groups = {{"look", "Look of the strands; `[groom.look]` replaces it for a groom."}};
    append_nested<&R::look>(table.settings, "look", look_settings().settings);
    return single<&Scene::render>(table);
}

SceneTable output_table()
{
    using O = SceneOutput;
    return single<&Scene::output>(table_of(
        "output", "Files that `tendril run` writes.",
        std::vector{
            text<&O::folder>("folder",
                             "Parent of the folder that all files are written to, which has the name of the scene."),
            boolean<&O::cache>("cache", "Whether to keep the curves of all frames."),
            boolean<&O::frames>("frames", "Whether to keep the single pictures beside the film."),
        }));
}

SceneTable compare_table()
{
    return single<&Scene::compare>(
        table_of("compare", "Text for the results of `tendril compare`.",
                 std::vector{
                     text<&SceneCompare::published>(
                         "published", "Result that a paper has published, which is printed beside the measured ones."),
                 }));
}

}  // namespace tendril
