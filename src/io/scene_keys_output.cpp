// Keys of what comes out: pictures and files.
#include "io/scene_key_tables.h"

namespace tendril {

using namespace keys;

namespace {

std::vector<KeyOf<SceneRender>> camera_keys()
{
    using R = SceneRender;
    return {
        choice<&R::camera>("camera", {"framed", "orbit", "look_at"},
                           "`\"framed\"`: as near as shows all of the first picture; `\"orbit\"`: around `target` at "
                           "`distance`; `\"look_at\"`: from `eye` to `target`."),
        number<&R::azimuth>("azimuth", "rad", {-100, 100}, "Framed and orbit: where from, from +z towards +x."),
        number<&R::elevation>("elevation", "rad", {-1.57, 1.57}, "Framed and orbit: how far from above."),
        number<&R::zoom>("zoom", "", {0.01, 100}, "Framed: nearer by this factor."),
        number<&R::distance>("distance", "m", {1e-4, 1e6}, "Orbit: from the target."),
        vector<&R::target>("target", "m", {-1e8, 1e8}, "Orbit and look_at: what is in the middle of the picture."),
        vector<&R::eye>("eye", "m", {-1e8, 1e8}, "Look_at: where the camera is."),
        number<&R::field>("field", "rad", {0.01, 3}, "Field of view from bottom to top; 0.5 is a portrait lens."),
        number<&R::aperture>("aperture", "m", {0, 10},
                             "Radius of the lens: what is not in focus blurs; good and final only. 0: all is sharp."),
        number<&R::focus>("focus", "m", {0, 1e6}, "Distance that is sharp; 0: the target."),
        number<&R::shutter>("shutter", "", {0, 1},
                            "Open for this share of the time between pictures: what moves blurs; 0: not at all."),
    };
}

}  // namespace

SceneTable render_table()
{
    using R = SceneRender;
    std::vector<KeyOf<R>> keys{
        integer<&R::width>("width", {1, 16384}, "Pixels from left to right."),
        integer<&R::height>("height", {1, 16384}, "Pixels from top to bottom."),
        choice<&R::quality>("quality", {"draft", "good", "final"},
                            "`\"draft\"`: drawn, fast and without noise; `\"good\"` and `\"final\"`: light is followed "
                            "over a few or many bounces."),
        integer<&R::samples>("samples", {0, 1e6}, "Good and final: paths per pixel; 0: 32 and 256."),
        integer<&R::bounces>("bounces", {0, 1000}, "Good and final: bounces of a path; 0: 30 and 100."),
        integer<&R::every>("every", {1, 1e6}, "Frames from one picture to the next; films play in real time."),
        number<&R::exposure>("exposure", "", {-20, 20}, "In stops: 1 is twice as bright."),
        text<&R::hair>("hair",
                       "Colour of the hair: black, brown, blonde, red, grey, white, or groom: the colours that the "
                       "strands have."),
        number<&R::width_scale>("width_scale", "", {0, 1e3},
                                "Strands are drawn so many times as thick, so that few may stand for many; 0: as their "
                                "number and the picture ask for."),
        vector<&R::skin>("skin", "", {0, 1}, "Red, green and blue of the bodies."),
        vector<&R::string>("string", "", {0, 1}, "Red, green and blue of strings."),
        vector<&R::stripe>("stripe", "", {0, 1}, "Red, green and blue of the stripes along them, which show twist."),
        integer<&R::stripes>("stripes", {0, 16}, "So many stripes around a string."),
    };
    for (const auto& key : camera_keys()) keys.push_back(key);
    keys.push_back(choice<&R::ground>("ground", {"auto", "off", "on"},
                                      "A floor; auto: under bodies that stand, which the bust does not."));
    keys.push_back(number<&R::ground_height>("ground_height", "m", {-1e8, 1e8}, "Where it is when it is `\"on\"`."));
    keys.push_back(choice<&R::overlay>("overlay", {"none", "id", "speed", "stretch", "tension", "contact"},
                                       "Colours strands by what they do, blue for little and red for much."));
    keys.push_back(number<&R::poster>("poster", "", {0, 1}, "Which picture is the poster, as a share of the film."));
    return single<&Scene::render>("render", "How pictures look.", keys);
}

SceneTable output_table()
{
    using O = SceneOutput;
    return single<&Scene::output>(
        "output", "What `tendril run` leaves behind.",
        std::vector{
            text<&O::folder>("folder", "Everything goes to a folder in this one that is called as the scene."),
            boolean<&O::cache>("cache", "Keep the curves of all frames."),
            boolean<&O::frames>("frames", "Keep the single pictures beside the film."),
        });
}

SceneTable compare_table()
{
    return single<&Scene::compare>(
        "compare", "What `tendril compare` says of the scene.",
        std::vector{
            text<&SceneCompare::published>("published", "What a paper found, to stand beside what is measured."),
        });
}

}  // namespace tendril
