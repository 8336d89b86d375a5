#!/usr/bin/env python3
"""Abuses the program with damaged files, odd command lines and extreme scenes, and stores every case that fails.

Suites, each for the given number of seconds:
  files     small files of every format, truncated, with flipped bytes, lost or repeated lines, and absurd numbers
  commands  random combinations of real options with empty, huge, negative, repeated, missing and non-UTF-8 values,
            outputs that are inputs, and standard streams that are full or closed
  scenes    random keys of `tendril sim --keys` with values at the ends of their ranges and beyond

A case fails if the program is killed by a signal, takes too long or too much memory, exits with a code other than 0, 1
or 2, exits with 2 without exactly one line on stderr besides warnings, changes one of its inputs, reports values that are not finite, or
exits with 0 although a method that keeps lengths has stretched a segment.

  ./dev abuse [SECONDS]                      60 seconds for each suite
  ./dev abuse 600 --seed 7 --suite scenes    other cases, of one suite
  ./dev abuse --cases 10                     ten cases of each suite instead of a time
  ./dev abuse --again build/abuse/findings/scenes-1-17

Cases depend only on the seed, the suite and their number. A finding is a folder with the files of the case, case.json
and the output of the program.
"""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASE = "case.json"
KEEPS_LENGTHS = {"dftl", "direct", "tractrix", "tractrix_emulation", "tractrix_split", "tractrix_ftl"}
METHODS = sorted(KEEPS_LENGTHS | {"pbd", "xpbd", "mass_spring", "implicit_spring", "tressfx", "chain_shape"})
MAX_STRETCH = 1e-4
# A scene that takes milliseconds, for files and options that need one.
TINY_SCENE = """[sim]
frames = 3
[body]
mesh = "sphere"
clip = "sway"
[groom]
style = "sphere"
strands = 5
particles = 6
length = 0.2
[render]
width = 32
height = 24
samples = 1
"""

# ----------------------------------------------------------------------------------------------------------------------
# Running a case


class Case:
    """A command line, the files of its folder, and where its output goes.

    `inputs` are the files that the command must not change. The words may contain bytes that are not UTF-8, as
    surrogates.
    """

    def __init__(self, words, files, inputs=(), stdout="pipe", stderr="pipe"):
        self.words, self.files, self.inputs = words, files, list(inputs)
        self.stdout, self.stderr = stdout, stderr

    def write(self, folder):
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        rest = {k: v for k, v in vars(self).items() if k != "files"}
        rest["files"] = sorted(self.files)
        (folder / CASE).write_text(json.dumps(rest, indent=1), encoding="ascii")

    @staticmethod
    def read(folder):
        rest = json.loads((folder / CASE).read_text(encoding="ascii"))
        files = {name: (folder / name).read_bytes() for name in rest.pop("files")}
        return Case(files=files, **rest)

    def text(self):
        return "tendril " + " ".join(w if re.fullmatch(r"[\w./=-]+", w) else ascii(w) for w in self.words)


class Program:
    """The program under test and the limits that it must keep."""

    def __init__(self, path, timeout, megabytes):
        self.path, self.timeout, self.bytes = os.path.abspath(path), timeout, megabytes << 20

    def output_of(self, *words):
        return subprocess.run([self.path, *words], capture_output=True, text=True, check=True).stdout

    def run(self, case, folder):
        """Runs a case whose files are in the folder. Returns what is wrong, or nothing, and the output."""
        before = {name: digest(folder / name) for name in case.inputs}
        out, err = folder / "stdout.txt", folder / "stderr.txt"
        with open(target(case.stdout, out), "wb") as stdout, open(target(case.stderr, err), "wb") as stderr:
            process = subprocess.Popen([self.path, *map(os.fsencode, case.words)], cwd=folder, stdin=subprocess.DEVNULL,
                                       stdout=stdout, stderr=stderr, start_new_session=True,
                                       preexec_fn=lambda: self.limit(case))
            status, usage = self.wait(process)
        messages = err.read_bytes() if err.exists() else b""
        wrong = self.judge(case, folder, status, usage, messages)
        changed = [name for name, was in before.items() if digest(folder / name) != was]
        return wrong or (f"changes its input {changed[0]}" if changed else ""), messages

    def limit(self, case):
        # Three times the limit on real memory, because threads and libraries reserve more than they use.
        resource.setrlimit(resource.RLIMIT_AS, (3 * self.bytes, 3 * self.bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number, kind in ((1, case.stdout), (2, case.stderr)):
            if kind == "closed":
                os.close(number)

    def wait(self, process):
        end = time.monotonic() + self.timeout
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = status  # already waited for
                return status, usage
            if time.monotonic() > end:
                os.killpg(process.pid, signal.SIGKILL)
                _, _, usage = os.wait4(process.pid, 0)
                process.returncode = -signal.SIGKILL
                return None, usage
            time.sleep(0.002)

    def judge(self, case, folder, status, usage, messages):
        if status is None:
            return f"takes more than {self.timeout} s ({usage.ru_utime + usage.ru_stime:.0f} s of computing)"
        if os.WIFSIGNALED(status):
            return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
        if usage.ru_maxrss << 10 > self.bytes:
            return f"takes {usage.ru_maxrss >> 10} MB"
        code = os.WEXITSTATUS(status)
        if code not in (0, 1, 2):
            return f"exit code {code}"
        lines = [line for line in messages.decode(errors="replace").splitlines() if "warning: " not in line]
        if code == 2 and case.stderr == "pipe" and len(lines) != 1:
            return f"exit code 2 with {len(lines)} lines on stderr"
        return judge_report(folder / "report.json", code)


def judge_report(file, code):
    """Returns what a report says that no report may say, or nothing."""
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "" if not file.exists() or file.stat().st_size == 0 or code != 0 else "the report is not JSON"
    if not isinstance(report, dict) or "nonfinite" not in report:
        return ""
    if report["nonfinite"]:
        return f"{report['nonfinite']} particles are not finite"
    stretch = report["stretch"]["max"]
    keeps = all(groom["solver"] in KEEPS_LENGTHS for groom in report["grooms"])
    if code == 0 and keeps and not (stretch is not None and stretch <= MAX_STRETCH):
        return f"exit code 0 with a stretch of {stretch}"
    return ""


def target(kind, file):
    return {"pipe": file, "full": "/dev/full"}.get(kind, os.devnull)


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None


# ----------------------------------------------------------------------------------------------------------------------
# Damaged files

ABSURD_NUMBERS = ["nan", "-nan", "inf", "-inf", "1e308", "-1e308", "1e39", "-1e38", "1e-320", "0", "-0", "-1",
                  "2147483648", "4294967295", "-9223372036854775809", "99999999999999999999", "0x7f", "1e", "", "1.2.3"]
ABSURD_WORDS = [struct.pack("<f", float(x)) for x in ("nan", "inf", "-inf", "3e38", "-3e38", "1e-44")] + [
    struct.pack("<I", x) for x in (0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x01000000)]


def is_text(data):
    return b"\0" not in data and sum(byte > 126 for byte in data) < len(data) / 10


def damaged(data, rng):
    """Applies one to three damages to the content of a file."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        data = rng.choice([truncate, flip_bytes, lose_piece, repeat_piece, replace_number, replace_number])(data, rng)
    return data


def truncate(data, rng):
    return data[:rng.randrange(len(data) + 1)]


def flip_bytes(data, rng):
    out = bytearray(data)
    for _ in range(rng.choice([1, 3, 20]) if out else 0):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def pieces(data, rng):
    """Returns the lines of a text, or a cut of other data into three."""
    if is_text(data):
        return data.splitlines(keepends=True)
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return [data[:a], data[a:b], data[b:]]


def lose_piece(data, rng):
    parts = pieces(data, rng)
    if parts:
        del parts[rng.randrange(len(parts))]
    return b"".join(parts)


def repeat_piece(data, rng):
    parts = pieces(data, rng)
    if parts:
        k = rng.randrange(len(parts))
        parts[k] *= rng.choice([2, 3, 200])
    return b"".join(parts)


def replace_number(data, rng):
    if not is_text(data):
        if len(data) < 4:
            return data
        at = rng.randrange(len(data) // 4) * 4
        return data[:at] + rng.choice(ABSURD_WORDS) + data[at + 4:]
    numbers = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", data))
    if not numbers:
        return data
    found = rng.choice(numbers)
    return data[:found.start()] + rng.choice(ABSURD_NUMBERS).encode() + data[found.end():]


class Files:
    """One damaged file, and a command that reads it."""

    QUIET = ["--quiet", "--threads", "1", "--report", "report.json"]
    CURVES = ["tfx", "hair", "usc_data", "obj_curves", "usd", "cache"]  # folders of the corpus

    def __init__(self, program, corpus):
        self.seeds = []  # (command for a file name, other files, name, content)
        others = {"tiny.toml": TINY_SCENE.encode()}
        for file in sorted(corpus.rglob("*.*")):
            for command in self.commands(file.parent.name):
                self.seeds.append((command, others, file.name, file.read_bytes()))
        others = {**others, "4.tfx": (corpus / "tfx/4.tfx").read_bytes()}
        bones = lambda f: ["sim", "tiny.toml", *self.QUIET, "--set", "groom.file=4.tfx", "--set", f"groom.bones={f}"]
        self.seeds.append((bones, others, "a.tfxbone", (corpus / "tfxbone/a.tfxbone").read_bytes()))
        load = lambda f: ["sim", "tiny.toml", *self.QUIET, "--frames", "5", "--load-state", f]
        self.seeds.append((load, others, "saved.state", self.state(program)))

    @staticmethod
    def state(program):
        with tempfile.TemporaryDirectory() as folder:
            scene, state = Path(folder) / "tiny.toml", Path(folder) / "saved.state"
            scene.write_text(TINY_SCENE, encoding="ascii")
            program.output_of("sim", str(scene), "--quiet", "--save-state", str(state))
            return state.read_bytes()

    def commands(self, reader):
        sim = lambda key, *more: lambda f: ["sim", "tiny.toml", *self.QUIET, "--set", f"{key}={f}", *more]
        grown = ["--set", "groom.style=straight"]
        if reader in self.CURVES:
            convert = lambda ending: lambda f: ["groom", "convert", f, f"out.{ending}", "--resample", "4"]
            return [lambda f: ["groom", "info", f], lambda f: ["groom", "info", f, "--json"],
                    *map(convert, ["tfx", "hair", "data", "obj", "usda", "tendril"]), sim("groom.file"),
                    sim("groom.file", "--set", "groom.bind=nearest", "--set", "body.collide=field"),
                    lambda f: ["render", f, "--out", "out.png", "--size", "32x24", "--quiet", "--threads", "1"]]
        if reader == "mesh":
            make = lambda f: ["groom", "make", "out.hair", "--mesh", f, "--strands", "5", "--particles", "4"]
            return [make, sim("body.mesh", *grown), sim("body.mesh", *grown, "--set", "body.collide=triangles"),
                    sim("body.mesh", *grown, "--set", "body.collide=field", "--set", "body.clip=a")]
        if reader == "map":
            bust = [*grown, "--set", "body.mesh=bust"]
            return [sim("groom.density_map", *bust), sim("groom.stiffness_map", *bust)]
        if reader == "scene":
            return [lambda f: ["sim", f, *self.QUIET, "--frames", "3"]]
        return []

    def case(self, rng):
        command, others, name, data = rng.choice(self.seeds)
        return Case(command(name), {**others, name: damaged(data, rng)}, [*others, name])


# ----------------------------------------------------------------------------------------------------------------------
# Odd command lines

INPUTS = ["tiny.toml", "4.tfx", "a.obj", "a.glb", "a.png", "a.tendril"]
OUTPUT_OPTIONS = {"--report", "--cache", "--save-state", "--out", "--film"}
ODD_VALUES = ["", " ", "-", "--", "-1", "0", "1", "2", "nan", "-inf", "1e300", "-1e300", "99999999999999999999", "%s%n",
              "\udcff\udcfe", "a" * 5000, "x\ny", "/dev/full", "/nowhere/x", ".", "..", "=", "a=b", "sim.dt=0.01",
              "solver.type=", "1x1", "0x0", "99999999x1", "groom.strands=-1", "groom.strands=2", "groom.length=1e99",
              "all", "dftl,direct"]


class Commands:
    """A random command line with real options and odd values."""

    # The usual arguments. `view` waits for a browser; `lab` and `bench` take minutes.
    COMMANDS = {
        ("sim",): ["tiny.toml"],
        ("run",): ["tiny.toml"],
        ("render",): ["tiny.toml"],
        ("compare",): ["tiny.toml"],
        ("groom", "info"): ["4.tfx"],
        ("groom", "convert"): ["4.tfx", "out.hair"],
        ("groom", "make"): ["out.usda"],
    }
    USUAL_VALUES = {
        "--threads": "1", "--frames": "2", "--frame": "1", "--every": "1", "--set": "sim.dt=0.01", "--size": "32x24",
        "--methods": "dftl,direct", "--mesh": "sphere", "--strands": "5", "--particles": "4", "--length": "0.1",
        "--report": "out.json", "--cache": "out.tendril", "--save-state": "out.state", "--out": "out",
        "--film": "out.mp4", "--quality": "draft", "--up": "z", "--from-up": "y", "--scale": "0.01",
    }

    def __init__(self, program, corpus):
        self.options = {}
        for command in self.COMMANDS:
            text = program.output_of(*command, "--help")
            self.options[command] = re.findall(r"^ +(?:-\w,\s*)?(--[\w-]+)", text, re.MULTILINE)
        self.files = {file.name: file.read_bytes() for file in sorted(corpus.rglob("*.*")) if file.name in INPUTS}
        self.files["a.obj"] = (corpus / "mesh/a.obj").read_bytes()
        self.files["tiny.toml"] = TINY_SCENE.encode()

    def case(self, rng):
        command = rng.choice(list(self.COMMANDS))
        words, inputs = list(command), []
        for position, usual in enumerate(self.arguments(command, rng)):
            words.append(usual if rng.random() < 0.8 else self.odd_value(rng))
            # The second file of `convert` and the first of `make` are outputs.
            if not (command[-1] == "convert" and position == 1) and not (command[-1] == "make" and position == 0):
                inputs.append(words[-1])
        for _ in range(rng.choice([0, 1, 2, 4])):
            option = rng.choice(self.options[command])
            value = self.USUAL_VALUES.get(option) if rng.random() < 0.5 else None
            both = [option, value or self.odd_value(rng)]
            words += rng.choice([both, both, both, both * 2, ["=".join(both)], [option]])
            if option not in OUTPUT_OPTIONS:
                inputs.append(both[1])
        if rng.random() < 0.3:
            key, file = rng.choice(["body.mesh", "groom.file", "groom.density_map"]), rng.choice(INPUTS)
            words += ["--set", f"{key}={file}"]
            inputs.append(file)
        streams = ["pipe"] * 6 + ["null", "full", "closed"]
        inputs = sorted(set(inputs) & set(self.files))
        return Case(words, self.files, inputs, rng.choice(streams), rng.choice(streams))

    def arguments(self, command, rng):
        usual = self.COMMANDS[command]
        return rng.choice([usual, usual, usual, usual, usual, usual[:-1], [*usual, rng.choice(INPUTS)]])

    @staticmethod
    def odd_value(rng):
        return rng.choice(INPUTS) if rng.random() < 0.3 else rng.choice(ODD_VALUES)


# ----------------------------------------------------------------------------------------------------------------------
# Abusive scenes


class Key:
    """A key of a scene and its range, from a row of `tendril sim --keys`."""

    MOST_WORK = 64  # larger integers are valid, but take long

    def __init__(self, name, values):
        self.name, self.values = name, values
        self.whole = values.startswith("an integer")
        self.words = re.findall(r'"([^"]*)"', values)
        self.range = None
        if found := re.search(r"\[([-+.\de]+), ([-+.\de]+)\]", values):
            self.range = float(found[1]), float(found[2])
        elif found := re.search(r"(?:at least|above) ([-+.\de]+)", values):
            self.range = float(found[1]), 1e12

    def value(self, rng):
        if self.words and rng.random() < 0.95:
            return json.dumps(rng.choice(self.words))
        if self.values == "true or false":
            return rng.choice(["true", "false"])
        if "three numbers" in self.values:
            return "[" + ", ".join(self.number(rng) for _ in range(3)) + "]"
        return self.number(rng)

    def number(self, rng):
        low, high = self.range or (-1e3, 1e3)
        if rng.random() < 0.02:
            beyond = [str(2 * high + 1), str(low - abs(low) - 1)]
            return rng.choice(["nan", "inf", "-inf", "1e300", '"text"', "[]", *beyond])
        if self.whole:
            return str(int(rng.uniform(low, min(high, low + self.MOST_WORK))))
        small = 10.0**rng.uniform(-12, 12)
        value = rng.choice([low, high, low + small, high - small, small, -small, rng.uniform(low, high)])
        return repr(min(max(value, low), high))


class Scenes:
    """A small scene with random keys at the ends of their ranges."""

    SKIPPED_TABLES = ("render", "output", "compare")
    # Files belong to another suite. The others decide how long a simulation takes.
    SKIPPED_KEYS = re.compile("file|bones|.*_map|mesh|name|body|bone|"
                              "frames|substeps|strands|particles|copies|settle|settle_wind|follow_hairs")

    def __init__(self, program, _):
        self.keys, table = [], ""
        for line in program.output_of("sim", "--keys").splitlines():
            if found := re.match(r"#+ \[+([\w.]+)\]", line):
                table = found[1]
            elif (found := re.match(r"\| `(\w+)`[^|]*\| ([^|]*) \|", line)) and not self.is_skipped(table, found[1]):
                self.keys.append(Key(f"{table}.{found[1]}", found[2].strip()))
        if len(self.keys) < 50:
            raise SystemExit("abuse: `tendril sim --keys` has another form than expected")

    def is_skipped(self, table, key):
        return table.split(".")[0] in self.SKIPPED_TABLES or self.SKIPPED_KEYS.fullmatch(key)

    def case(self, rng):
        mesh = rng.choice(["none", "sphere", "bust", "creature"])
        styles = {"none": ["rope"], "sphere": ["rope", "sphere", "straight"]}
        chosen = {
            "sim.frames": str(rng.choice([2, 10])),
            "sim.substeps": str(rng.choice([1, 1, 3])),
            "solver.type": rng.choice(METHODS),
            "body.mesh": mesh,
            "groom.style": rng.choice(styles.get(mesh, ["rope", "straight", "curly"])),
            "groom.strands": str(rng.choice([1, 5, 20])),
            "groom.particles": str(rng.choice([2, 3, 12, 40])),
            "groom.length": "0.3",
        }
        if mesh != "none":
            chosen["body.collide"] = rng.choice(["none", "shapes", "field", "marching", "triangles"])
        if rng.random() < 0.3:
            chosen |= {"interaction.method": rng.choice(["grid", "sph", "contacts"])}
        if rng.random() < 0.5:
            chosen |= {"body.clip": rng.choice(["sway", "circle", "turn", "nod", "twist", "pull"]),
                       "body.amplitude": repr(10.0**rng.uniform(-3, 6)), "body.period": repr(10.0**rng.uniform(-2, 2))}
        for key in rng.sample(self.keys, rng.choice([1, 3, 8])):
            chosen[key.name] = key.value(rng)
        words = ["sim", "empty.toml", "--quiet", "--threads", rng.choice(["1", "2"]), "--report", "report.json"]
        for name, value in chosen.items():
            words += ["--set", f"{name}={value}"]
        return Case(words, {"empty.toml": b"[body]\n[groom]\n"}, ["empty.toml"])


SUITES = {"files": Files, "commands": Commands, "scenes": Scenes}

# ----------------------------------------------------------------------------------------------------------------------


class Abuse:
    """Runs the cases of a suite and stores those that fail."""

    def __init__(self, program, findings, seed):
        self.program, self.findings, self.seed = program, findings, seed
        self.passed = self.failed = 0

    def run_suite(self, name, suite, seconds, cases, jobs):
        end = time.monotonic() + seconds
        numbers = range(cases) if cases else count()
        with ThreadPoolExecutor(jobs) as pool:
            waiting = set()
            for number in numbers:
                if not cases and time.monotonic() > end:
                    break
                waiting.add(pool.submit(self.run_case, name, suite, number))
                while len(waiting) >= 2 * jobs:
                    done = {job for job in waiting if job.done()}
                    for job in done:
                        self.take(*job.result())
                    waiting -= done
                    time.sleep(0.002)
            for job in waiting:
                self.take(*job.result())

    def run_case(self, name, suite, number):
        case = suite.case(random.Random(f"{self.seed} {name} {number}"))
        with tempfile.TemporaryDirectory(prefix="tendril_abuse_") as temporary:
            folder = Path(temporary)
            case.write(folder)
            wrong, messages = self.program.run(case, folder)
        finding = self.findings / f"{name}-{self.seed}-{number}"
        shutil.rmtree(finding, ignore_errors=True)
        if wrong:
            finding.mkdir(parents=True)
            case.write(finding)
            (finding / "stderr.txt").write_bytes(messages)
            (finding / "wrong.txt").write_text(f"{wrong}\n{case.text()}\n", encoding="ascii", errors="replace")
        return finding, wrong, case

    def take(self, finding, wrong, case):
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong:
            print(f"{finding.name}: {wrong}: {case.text()[:300]}", flush=True)


def run_again(program, finding):
    case = Case.read(finding)
    with tempfile.TemporaryDirectory(prefix="tendril_abuse_") as temporary:
        case.write(Path(temporary))
        wrong, messages = program.run(case, Path(temporary))
    sys.stdout.write(f"{case.text()}\n{messages.decode(errors='replace')}")
    print(f"{finding}: {wrong or 'passed'}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(prog="abuse", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=60, help="for each suite")
    parser.add_argument("--suite", choices=SUITES, action="append", help="only this suite; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, help="number of cases of each suite, instead of a time")
    parser.add_argument("--again", type=Path, metavar="FINDING", help="repeat a stored case")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at the same time")
    parser.add_argument("--timeout", type=float, default=20, help="for a case [s]")
    parser.add_argument("--memory", type=int, default=1500, help="of a case [MB]")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/bin/tendril")
    parser.add_argument("--corpus", type=Path, default=ROOT / "build/abuse/corpus", help="folder of undamaged files")
    parser.add_argument("--corpus-program", type=Path, help="tendril_corpus, which writes them first")
    parser.add_argument("--findings", type=Path, default=ROOT / "build/abuse/findings")
    options = parser.parse_args()
    program = Program(options.program, options.timeout, options.memory)
    if options.again:
        return run_again(program, options.again)
    if options.corpus_program:
        subprocess.run([options.corpus_program, options.corpus], check=True)
    if not options.corpus.is_dir():
        parser.error(f"there is no folder {options.corpus}; tendril_corpus writes it")
    abuse = Abuse(program, options.findings, options.seed)
    for name in options.suite or SUITES:
        abuse.run_suite(name, SUITES[name](program, options.corpus), options.seconds, options.cases, options.jobs)
    if abuse.failed:
        print(f"The cases that failed are in {options.findings}; to repeat one: ./dev abuse --again FINDING")
    print(f"{abuse.passed} passed, {abuse.failed} failed")
    return 1 if abuse.failed else 0


if __name__ == "__main__":
    sys.exit(main())
