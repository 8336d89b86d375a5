// What the program does with its files and streams: inputs that block, outputs that cannot be written, that would
// replace an input, or that another program is writing.
#include "support/cli.h"
#include "tendril/cache.h"
#include "tendril/curve_file.h"

#include <sys/stat.h>

namespace tendril::test {
namespace {

class Files : public Cli {
protected:
    /// Expects exit code 2 and one line on stderr that contains `part`.
    void expect_problem(const std::string& line, const std::string& part) const
    {
        const Outcome outcome = shell(line);
        EXPECT_EQ(outcome.code, 2) << line << ": " << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << line << ": " << outcome.err;
        EXPECT_NE(outcome.err.find(part), std::string::npos) << line << ": " << outcome.err;
    }

    /// Expects that a command refuses to replace `input`, and leaves it as it was.
    void expect_kept(const std::string& input, const std::string& arguments, const std::string& part) const
    {
        const std::string before = text_of(file(input));
        ASSERT_FALSE(before.empty()) << input;
        expect_problem("$TENDRIL " + arguments, part);
        EXPECT_TRUE(text_of(file(input)) == before) << arguments;
    }

    /// A triangle as OBJ, and the same as glTF with a buffer and with morph targets.
    void write_meshes() const
    {
        std::ofstream(file("t.obj")) << "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n";
        const float points[9] = {0, 0, 0, 0, 0, 1, 1, 0, 0};
        std::ofstream(file("t.bin"), std::ios::binary).write(reinterpret_cast<const char*>(points), sizeof points);
        std::ofstream(file("t.gltf"))
            << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
            << R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"targets":[{"POSITION":0},{"POSITION":0}]}]}],)"
            << R"("buffers":[{"uri":"t.bin","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],)"
            << R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)"
            << R"("min":[0,0,0],"max":[1,0,1]}]})";
    }
    std::string hello() const { return "'" + scene("hello") + "'"; }
};

TEST_F(Files, AMessageThatCannotBeWrittenKeepsTheExitCode)
{
    for (const char* command :
         {"sim nosuch", "groom info nosuch", "sim --bogus", "nosuch", "lab nosuch", "bench --threads 0"})
        for (const char* nowhere : {"2>/dev/full", "2>&-"})
            EXPECT_EQ(shell(std::string("$TENDRIL ") + command + " " + nowhere).code, 2) << command << nowhere;
}

TEST_F(Files, AClosedStreamDoesNotWriteIntoAnOutput)
{
    EXPECT_EQ(shell("$TENDRIL sim " + hello() + " --frames 2 --report r.json >&- 2>&-").code, 2);
    EXPECT_TRUE(nlohmann::json::accept(text_of(file("r.json")))) << text_of(file("r.json"));
    EXPECT_EQ(shell("$TENDRIL sim " + hello() + " -q --frames 2 --report r.json >&- 2>&-").code, 0);
}

TEST_F(Files, StandardOutputThatCannotBeWrittenIsAnError)
{
    ASSERT_EQ(run("groom make '" + file("x.hair") + "' --strands 10").code, 0);
    for (const char* command : {"groom info x.hair", "groom info --json x.hair", "--help", "sim --keys", "--version",
                                "sim --help", "groom convert x.hair y.hair", "lab --list", "lab --help"})
        expect_problem(std::string("$TENDRIL ") + command + " >/dev/full", "cannot write to standard output");
    expect_problem("$TENDRIL groom info x.hair >&-", "cannot write to standard output");
    expect_problem("$TENDRIL sim " + hello() + " --frames 1 >/dev/full", "cannot write to standard output");
}

TEST_F(Files, EmptyValuesAreRefusedByTheNameOfTheirKey)
{
    for (const char* key : {"groom.file", "groom.length_map", "groom.density_map", "groom.groups", "output.folder"})
        expect_problem("$TENDRIL sim " + hello() + " -q --frames 1 --set " + key + "=$UNSET",
                       std::string("the value of ") + key + " is empty; is a variable not set?");
    expect_problem("$TENDRIL sim " + hello() + " -q --frames 1 --set 'body.mesh=\"\"'",
                   "body.mesh must not be empty; its default is \"none\"");
    expect_problem("$TENDRIL run " + hello() + " -q --set 'output.folder=\"\"'", "output.folder must not be empty");
    EXPECT_EQ(shell("$TENDRIL sim " + hello() + " -q --frames 1 --set 'groom.file=\"\"'").code, 0);
    expect_problem("$TENDRIL groom info ''", "the name is empty");
}

TEST_F(Files, PointsThatAreNotFiniteAreNotWrittenInAnyFormat)
{
    std::ofstream(file("nan.usda")) << "#usda 1.0\ndef BasisCurves \"H\" { uniform token type = \"linear\"\n"
                                       "int[] curveVertexCounts = [4]\n"
                                       "point3f[] points = [(0, 0, 0), (0, nan, 0), (0, 2, 0), (0, 3, 0)] }\n";
    for (const char* ending : {"obj", "hair", "data", "tfx", "tendril", "usda"}) {
        expect_problem(std::string("$TENDRIL groom convert nan.usda n.") + ending,
                       "numbers that are not finite cannot be written; --repair");
        EXPECT_FALSE(fs::exists(file(std::string("n.") + ending)));
    }
    expect_problem("$TENDRIL groom convert nan.usda n.obj --resample 8", "not finite");
}

TEST_F(Files, MessagesNameWhatTheyAreAbout)
{
    fs::create_symlink("loop", file("loop"));
    expect_problem("$TENDRIL sim " + hello() + " -q --frames 1 --cache loop", "loop: cannot be written: Too many");
    const Outcome piped =
        shell("($TENDRIL sim " + hello() + " -q --frames 1 --cache /dev/stdout; echo $? >code) | cat");
    EXPECT_EQ(text_of(file("code")), "2\n");
    EXPECT_NE(piped.err.find("/dev/stdout: this is a folder, a device or a pipe"), std::string::npos) << piped.err;
    expect_problem("$TENDRIL render " + hello() + " -q --set sim.frames=20 --last 3 --every 5",
                   "no picture up to --last 3: the first one shows frame 5");
    ASSERT_EQ(shell("$TENDRIL sim " + hello() + " -q --frames 2 --cache c.tendril").code, 0);
    std::string cache = text_of(file("c.tendril"));
    cache[52] = 1;  // the size of the header
    std::ofstream(file("c.tendril"), std::ios::binary) << cache;
    expect_problem("$TENDRIL groom info c.tendril", "the header is damaged");
}

TEST_F(Files, ShortFurOnALargeBodyIsProbablyInCentimetres)
{
    std::ofstream(file("large.obj")) << "v 0 0 0\nv 20 0 0\nv 0 0 20\nf 1 3 2\n";
    std::ofstream(file("fur.obj")) << "v 1 0 1\nv 1 1.2 1\nl 1 2\nv 2 0 2\nv 2 1.2 2\nl 3 4\n";
    const std::string body = " --set body.mesh='" + file("large.obj") + "' --set groom.file='" + file("fur.obj") + "'";
    const auto warned = [&](const std::string& more) {
        const std::vector<std::string> all = warnings_of(hello() + " --frames 1" + body + more);
        return std::any_of(all.begin(), all.end(), [](const std::string& warning) {
            return warning.find(
                       "but their body's size suggests centimetres; set groom.unit_scale = 0.01, and "
                       "body.unit_scale = 0.01 for the body") != std::string::npos;
        });
    };
    EXPECT_TRUE(warned(""));
    EXPECT_FALSE(warned(" --set groom.unit_scale=0.01 --set body.unit_scale=0.01"));
    EXPECT_FALSE(warned(" --set body.mesh=bust"));
}

TEST_F(Files, APipeFromWhichNobodyReadsIsRefusedInsteadOfBlocking)
{
    ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
    const std::string nobody = "cannot write 'pipe': nobody reads from this pipe", sim = "timeout 20 $TENDRIL sim ";
    expect_problem(sim + hello() + " -q --frames 1 --report pipe", nobody);
    expect_problem(sim + hello() + " -q --frames 1 --save-state pipe", nobody);
    expect_problem("timeout 20 $TENDRIL compare " + hello() + " --frames 1 --report pipe", nobody);
    expect_problem(sim + hello() + " -q --frames 1 --cache pipe", "a pipe; write to a file");
    // With a reader it works, even if the reader comes a little later.
    EXPECT_EQ(
        shell("(sleep 0.2; cat pipe > read.json) & $TENDRIL sim " + hello() + " -q --frames 1 --report pipe && wait")
            .code,
        0);
    EXPECT_TRUE(nlohmann::json::accept(text_of(file("read.json")))) << text_of(file("read.json"));
}

TEST_F(Files, NamesOfUnfinishedFilesAreRefused)
{
    const std::string unfinished = "names that end in .part are those of unfinished files";
    for (const char* option : {"--cache", "--report", "--save-state"})
        expect_problem("$TENDRIL sim " + hello() + " -q --frames 1 " + option + " s.tendril.part", unfinished);
    ASSERT_EQ(mkfifo(file("c.tendril.part").c_str(), 0600), 0);
    expect_problem("timeout 20 $TENDRIL sim " + hello() + " -q --frames 1 --cache c.tendril", "a pipe; remove it");
}

// Otherwise a run would end with the frames of another, or with success although its result is lost.
TEST_F(Files, ARunWhoseUnfinishedFileIsRemovedOrReplacedFails)
{
    CurveFile curves;
    curves.data.first_point = {0, 1};
    curves.data.points = {{0, 0, 0}};
    const auto lose = [&](const char* name, bool replace) {
        auto writer = CacheWriter::create(file(name), curves);
        ASSERT_TRUE(writer) << writer.error();
        ASSERT_TRUE(writer->append(0, {0, 0, 0}, curves.data.points));
        fs::remove(file(name) + ".part");
        if (replace) std::ofstream(file(name) + ".part") << "of another run";
        const auto finished = writer->finish();
        ASSERT_FALSE(finished);
        EXPECT_NE(finished.error().find("was removed or replaced meanwhile"), std::string::npos) << finished.error();
        EXPECT_FALSE(fs::exists(file(name)));
    };
    lose("a.tendril", false);
    lose("b.tendril", true);
    EXPECT_EQ(text_of(file("b.tendril.part")), "of another run");
}

TEST_F(Files, ALimitOnTheSizeOfFilesIsLikeAFullDisk)
{
    const std::string limited = "ulimit -f 10; $TENDRIL sim " + hello() + " -q --frames 100 ";
    expect_problem(limited + "--cache c.tendril", "File too large");
    EXPECT_FALSE(fs::exists(file("c.tendril")));
    expect_problem(limited + "--save-state s.state", "File too large");
    expect_problem("ulimit -f 10; $TENDRIL groom make big.hair --strands 1000", "File too large");
    EXPECT_FALSE(fs::exists(file("big.hair")));
    EXPECT_FALSE(fs::exists(file("big.hair.part")));
}

TEST_F(Files, APipeWithoutAWriterIsRefused)
{
    for (const char* name : {"p", "p.toml", "p.obj", "p.glb", "p.png"}) ASSERT_EQ(mkfifo(file(name).c_str(), 0600), 0);
    const std::string program = "timeout -k 1 20 $TENDRIL ";
    expect_problem(program + "groom info p", "p: nobody writes to this pipe");
    expect_problem(program + "sim p.toml", "p.toml: nobody writes to this pipe");
    expect_problem(program + "compare p.toml", "nobody writes to this pipe");
    expect_problem(program + "render p", "nobody writes to this pipe");
    for (const char* mesh : {"p.obj", "p.glb"})
        expect_problem(program + "groom make x.hair --mesh " + mesh, "nobody writes to this pipe");
    expect_problem(program + "groom make x.hair --mesh bust --set groom.density_map=p.png",
                   "nobody writes to this pipe");
    expect_problem(program + "sim " + hello() + " --load-state p", "'p' is a pipe or a device");
}

TEST_F(Files, PipesWithAWriterAreRead)
{
    ASSERT_EQ(run("groom make '" + file("x.hair") + "' --strands 10").code, 0);
    ASSERT_EQ(mkfifo(file("p").c_str(), 0600), 0);
    for (const char* line :
         {"cat x.hair | $TENDRIL groom info /dev/stdin", "$TENDRIL groom info /dev/stdin <x.hair",
          "cat x.hair | $TENDRIL groom info /dev/fd/0", "cat x.hair >p & $TENDRIL groom info p",
          "{ sleep 1.5; cat x.hair; } >p & $TENDRIL groom info p",
          "{ sleep 0.3; cat x.hair >p; } & $TENDRIL groom info p", "bash -c '$TENDRIL groom info <(cat x.hair)'"}) {
        const Outcome outcome = shell(line);
        EXPECT_EQ(outcome.code, 0) << line << ": " << outcome.err;
        EXPECT_NE(outcome.out.find("10 x 32 points"), std::string::npos) << line << ": " << outcome.out;
    }
    const Outcome scene = shell("cat " + hello() + " | $TENDRIL sim /dev/stdin --frames 1");
    EXPECT_EQ(scene.code, 0) << scene.err;
}

TEST_F(Files, NoOutputReplacesAnInput)
{
    write_meshes();
    fs::copy(scene("hello"), file("mine.toml"));
    ASSERT_EQ(shell("$TENDRIL groom make x.tendril --strands 10 --mesh bust").code, 0);
    ASSERT_EQ(shell("$TENDRIL sim mine.toml -q --frames 2 --save-state s.state").code, 0);
    ASSERT_EQ(shell("$TENDRIL render x.tendril -q --size 8x8 -o map.png").code, 0);
    fs::create_directories(file("pictures"));
    fs::copy(file("map.png"), file("pictures/000001.png"));
    fs::copy(file("x.tendril"), file("y.tendril.part"));

    const std::string fur = "sim " + hello() + " --frames 1 --set body.mesh=t.obj --set groom.style=straight ";
    expect_kept("t.obj", "groom make t.obj --mesh t.obj", "'t.obj' is a file of the scene; write to another file");
    expect_kept("t.obj", fur + "--save-state t.obj", "'t.obj' is a file of the scene");
    expect_kept("t.obj", fur + "--report ./t.obj", "'./t.obj' is a file of the scene");
    expect_kept("t.bin", "sim " + hello() + " --set body.mesh=t.gltf --report t.bin", "'t.bin' is a file of the scene");
    expect_kept("x.tendril", "sim " + hello() + " --set groom.file=x.tendril --cache x.tendril",
                "is a file of the scene");
    expect_kept("map.png",
                "sim " + hello() +
                    " --set body.mesh=bust --set groom.style=straight --set groom.density_map=map.png --report map.png",
                "is a file of the scene");
    expect_kept("map.png",
                "render " + hello() +
                    " --frame 1 --size 8x8 --set body.mesh=bust --set groom.style=straight "
                    "--set groom.length_map=map.png -o map.png",
                "is a file of the scene");
    expect_kept("mine.toml", "sim mine.toml --cache mine.toml", "is the scene");
    expect_kept("mine.toml", "compare mine.toml --report mine.toml", "is the scene");
    expect_kept("s.state", "sim mine.toml --frames 3 --load-state s.state --save-state s.state",
                "is the state to load");
    expect_kept("pictures/000001.png",
                "render " + hello() +
                    " --last 2 --size 8x8 --set body.mesh=bust --set groom.style=straight "
                    "--set groom.density_map=pictures/000001.png -o pictures/",
                "may be overwritten by a picture");
    fs::create_directories(file("films/mine"));
    fs::copy(file("x.tendril"), file("films/mine/mine.tendril"));
    expect_kept("films/mine/mine.tendril", "run mine.toml --out films --set groom.file=films/mine/mine.tendril",
                "is a file of the scene");
    expect_kept("x.tendril", "groom convert x.tendril x.tendril", "is the input file");
    expect_kept("y.tendril.part", "groom convert y.tendril.part y.tendril",
                "'y.tendril.part' is the input file, and is overwritten while 'y.tendril' is being written");
}

TEST_F(Files, LinksAreTheFileThatTheyLeadTo)
{
    write_meshes();
    fs::create_symlink("t.obj", file("soft.obj"));
    fs::create_hard_link(file("t.obj"), file("hard.obj"));
    fs::create_directory_symlink(".", file("here"));
    for (const char* out : {"soft.obj", "hard.obj", "here/t.obj"})
        expect_kept("t.obj", std::string("groom make ") + out + " --mesh t.obj", "is a file of the scene");
    expect_problem("$TENDRIL sim " + hello() + " --frames 1 --report a.json --save-state here/a.json",
                   "--report and --save-state are the same file, 'a.json' and 'here/a.json'");
}

TEST_F(Files, NoOutputReplacesAnother)
{
    const std::string sim = "$TENDRIL sim " + hello() + " --frames 1 ";
    expect_problem(sim + "--report a --cache a", "--report and --cache are both 'a'");
    expect_problem(sim + "--save-state a --cache a", "--save-state and --cache are both 'a'");
    expect_problem(sim + "--report a.json --save-state a.time.svg", "--save-state and a plot are both 'a.time.svg'");
    expect_problem(sim + "--report a --save-state a.part", "use the same temporary file");
    expect_problem("$TENDRIL compare " + hello() + " --frames 2 --report a.mp4 --film a.mp4",
                   "--report and --film are both 'a.mp4'");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2) << "nothing but out and err";
}

TEST_F(Files, AFileThatAnotherProgramWritesIsRefused)
{
    ASSERT_EQ(run("groom make '" + file("x.hair") + "' --strands 10").code, 0);
    const std::string endless = "rm -f c.tendril.part; $TENDRIL sim " + hello() +
                                " -q --frames 1000000000 --cache c.tendril --report r.json 2>/dev/null & "
                                "while ! test -s c.tendril.part; do sleep 0.05; done; ";
    const std::string end = "; code=$?; kill $!; wait $!; exit $code";
    const std::string again = "$TENDRIL sim " + hello() + " -q --frames 3 ";
    for (const std::string& second :
         {again + "--cache c.tendril", again + "--report r.json", again + "--save-state r.energy.svg",
          std::string("$TENDRIL groom convert x.hair c.tendril")})
        expect_problem(endless + second + end, "another program is writing it");
    const auto part = read_curves(file("c.tendril.part"));
    ASSERT_TRUE(part) << part.error();
    EXPECT_GT(part->samples.size(), 0u) << "the first program was not disturbed";
    EXPECT_EQ(shell(again + "--cache c.tendril").code, 0) << "the lock ends with the program";
    EXPECT_EQ(read_curves(file("c.tendril"))->samples.size(), 3u);
}

TEST_F(Files, EmptyNamesAreRefused)
{
    for (const char* arguments :
         {"sim hello --cache", "sim hello --report", "sim hello --save-state", "sim hello --load-state",
          "run hello --out", "render hello --out", "render hello --cache", "compare hello --report",
          "compare hello --film", "lab --out", "groom make", "groom convert x.hair", "view --page"}) {
        const Outcome outcome = shell(std::string("$TENDRIL ") + arguments + " \"$UNSET\"");
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_NE(outcome.err.find("the name is empty"), std::string::npos) << arguments << ": " << outcome.err;
    }
}

TEST_F(Files, AFilmWithoutPicturesIsRefused)
{
    expect_problem("$TENDRIL run " + hello() + " --out films --frames 0", "0 frames make no film");
    expect_problem("$TENDRIL run " + hello() + " --out films --frames 5 --every 6",
                   "5 frames make no film, as there is a picture every 6");
    EXPECT_FALSE(fs::exists(file("films/hello")));
}

TEST_F(Files, IgnoredMorphTargetsAreAWarning)
{
    write_meshes();
    const char* warning = "warning: the 2 morph targets of the mesh are ignored";
    const Outcome made = shell("$TENDRIL groom make x.hair --mesh t.gltf --strands 10");
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.err.find(warning), std::string::npos) << made.err;
    EXPECT_NE(made.out.find("repaired: morph targets ignored: 2"), std::string::npos) << made.out;
    const Outcome simulated =
        shell("$TENDRIL sim '" + scene("fur") +
              "' -q --frames 1 --set body.mesh=t.gltf --set body.clip=still --set body.collide=none "
              "--set 'groom.groups=\"\"' --set groom.strands=10");
    EXPECT_EQ(simulated.code, 0) << simulated.err;
    EXPECT_NE(simulated.err.find(warning), std::string::npos) << simulated.err;
}

TEST_F(Files, NumbersThatAreNotFiniteNameTheRemedy)
{
    std::ofstream(file("nan.tfx")) << "version 2.0\nscale 1.0\nbothEndsImmovable 0\nnumStrands 2\nis sorted 1\n"
                                      "strand 0 numVerts 2 texcoord 0.5 0.25\n0, 1, 2\n3, 4, -1.#INF\n"
                                      "strand 1 numVerts 2 texcoord 0.5 0.25\n0, 1, 2\n3, 4, 5\n";
    expect_problem("$TENDRIL groom convert nan.tfx x.usda", "--repair leaves out what is not finite");
    const Outcome repaired = shell("$TENDRIL groom convert nan.tfx x.usda --repair");
    EXPECT_EQ(repaired.code, 0) << repaired.err;
    EXPECT_NE(repaired.out.find("x.usda: 1 strands"), std::string::npos) << repaired.out;
}

TEST_F(Files, GroomsThatAreMadeCanBeResampled)
{
    std::ofstream(file("uneven.obj")) << "v 0 0 0\nv 0 1 0\nv 0 2 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\nl 4 5\n";
    const std::string make = "$TENDRIL groom make x.tfx --mesh none --set groom.file=uneven.obj";
    expect_problem(make, "use --resample N");
    const Outcome outcome = shell(make + " --resample 8");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("2 strands, 16 points"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace tendril::test
