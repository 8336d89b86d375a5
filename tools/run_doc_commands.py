#!/usr/bin/env python3
"""Runs the commands in README.md and docs/*.md as a reader would, and prints each one that fails.

Commands are the lines in fenced blocks (``` or ```sh) that begin with `tendril` or `./dev`; "#" begins a comment, and a
backslash at the end of a line continues it. The commands of a page run one after another in a temporary folder with the
scenes of the repository and a hair file, hair.tfx. To finish within seconds, sizes are reduced (see `shortened`). Lab
commands run only claims that are named individually; otherwise they only list the claims. For `./dev`, only the
existence of the command is checked.

A block below a line `<!-- not run: reason -->` is skipped. A block below `<!-- file: NAME -->` is the content of a file
that the reader is asked to write.

  tools/run_doc_commands.py --program build/release/bin/tendril [PAGE]...
"""
import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRAMES, STRANDS, PIXELS = "3", 100, "64x48"
TIMEOUT = 300  # [s] for one command; generous, because the machine may be busy


def blocks(page):
    """Yields the fenced blocks: (number of the first line, language, text of the comment above, lines)."""
    block, first, language, comment = None, 0, "", ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if block is None:
                language, block, first = line[3:], [], number + 1
            else:
                yield first, language, comment, block
                block, comment = None, ""
        elif block is not None:
            block.append(line)
        elif line.strip():
            found = re.match(r"<!-- (.*) -->$", line)
            comment = found[1] if found else ""


def files(page):
    """Yields (name, text) of every file that a page asks the reader to write."""
    for _, _, comment, lines in blocks(page):
        if comment.startswith("file: "):
            yield comment.removeprefix("file: "), "\n".join(lines) + "\n"


def commands(page):
    """Yields (line, words) of every command on a page."""
    for number, language, comment, lines in blocks(page):
        if language not in ("", "sh") or comment.startswith("not run: "):
            continue
        command, start = "", number
        for here, line in enumerate(lines, number):
            if not command:
                start = here
            command += line
            if command.endswith("\\"):
                command = command[:-1]
                continue
            words = shlex.split(command, comments=True)
            if words and words[0] in ("tendril", "./dev"):
                yield start, words
            command = ""


def scene_text(words):
    """Returns the text of the scene that a command names, or an empty string if it is not in the repository."""
    for word in words[2:]:
        for path in (ROOT / "scenes").rglob("*.toml"):
            if word in (path.stem, str(path.relative_to(ROOT))):
                return path.read_text(encoding="utf-8")
    return ""


def with_value(words, option, value):
    """Returns the words with an option set to a value."""
    if option in words:
        at = words.index(option)
        return words[: at + 1] + [value] + words[at + 2 :]
    return [*words, option, value]


def shortened(words):
    """Returns the same command with sizes that run quickly."""
    subcommand = words[1] if len(words) > 1 else ""
    if "--keys" in words or "--help" in words or "--list" in words:
        return words
    if subcommand in ("sim", "run", "compare"):
        words = with_value(words, "--frames", FRAMES)
    if subcommand in ("sim", "run", "render", "compare") and "." not in Path(words[2]).name.removesuffix(".toml"):
        words = [*words, "--set", "sim.settle=0"]
        counts = [int(count) for count in re.findall(r"^strands = (\d+)", scene_text(words), re.M)]
        if max(counts, default=0) > STRANDS and 'style = "rope"' not in scene_text(words):
            words = [*words, "--set", f"groom.strands={STRANDS}"]
    if subcommand in ("run", "render"):
        words = with_value(words, "--size", PIXELS)
        words = [*words, "--set", "render.samples=1", "--set", "render.bounces=2"]
        words = with_value(words, "--every", "1")
    if subcommand == "render":
        for option in ("--frame", "--first", "--last"):
            words = with_value(words, option, "2") if option in words else words
        if not any(option in words for option in ("--frame", "--last", "--cache")) and scene_text(words):
            words = [*words, "--last", FRAMES]
    if subcommand == "compare":
        words = with_value(words, "--reference-substeps", "8")
        words = words if "--methods" in words else [*words, "--methods", "dftl,pbd"]
        words = with_value(words, "--size", PIXELS) if "--film" in words else words
        words = [*words, "--every", FRAMES]
    if words[1:3] == ["groom", "make"]:
        words = with_value(words, "--strands", str(STRANDS))
    if subcommand == "bench" and "--quick" not in words:
        words = [*words, "--quick"]
    if subcommand == "lab" and not any("/" in word for word in words[2:]):
        words = [*words, "--list"]  # all claims take minutes; only those named individually are run
    return words


def run(words, folder, program):
    """Runs a command, which may end in `> FILE`. Returns an error message, or an empty string."""
    output = None
    if ">" in words:
        output = words[words.index(">") + 1]
        words = words[: words.index(">")]
    arguments = [program, *words[1:]]
    target = folder / (output or ".output")
    target.parent.mkdir(parents=True, exist_ok=True)
    with open(target, "w") as out:
        done = subprocess.run(arguments, cwd=folder, stdout=out, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()}"


def serve(words, folder, program):
    """Runs `tendril view`, which must start, print its address, and exit with 0 when interrupted."""
    page = folder / "page"
    page.mkdir(exist_ok=True)
    (page / "index.html").write_text("<!doctype html>")
    words = with_value(words, "--port", "0")
    server = subprocess.Popen([program, *words[1:], "--no-browser", "--page", "page"], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    first = server.stdout.readline()
    server.send_signal(signal.SIGINT)
    try:
        _, problems = server.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        server.kill()
        return "does not exit on Ctrl-C"
    return "" if "http://" in first and server.returncode == 0 else f"exit code {server.returncode}: {problems.strip()}"


def check_dev(words):
    help_text = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    known = re.findall(r"^  ([\w-]+)", help_text, re.M)
    return "" if words[1] in known else f"./dev help does not list '{words[1]}'"


def faults_of(page, program, hair, verbose):
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.symlink(ROOT / "scenes", folder / "scenes")
        os.symlink(hair, folder / "hair.tfx")
        for file, text in files(page):
            (folder / file).write_text(text, encoding="utf-8")
        for line, words in commands(page):
            start = time.monotonic()
            if words[0] == "./dev":
                fault = check_dev(words)
            else:
                short = shortened(words)
                try:
                    fault = (serve if words[1:2] == ["view"] else run)(short, folder, program)
                except subprocess.TimeoutExpired:
                    fault = f"takes more than {TIMEOUT} s"
            if verbose:
                print(f"{time.monotonic() - start:6.1f} s  {page.name}:{line}: {' '.join(words)}", flush=True)
            if fault:
                faults.append(f"{page.relative_to(ROOT)}:{line}: {' '.join(words)}\n    {fault}")
    return faults


def main():
    parser = argparse.ArgumentParser(description="Runs the commands in README.md and docs/*.md.")
    parser.add_argument("--program", required=True, help="the tendril program")
    parser.add_argument("--verbose", action="store_true", help="print each command and its run time")
    parser.add_argument("pages", nargs="*", type=Path, help="default: README.md and docs/*.md")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    named = [page.resolve() for page in options.pages]
    pages = named or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    with tempfile.TemporaryDirectory() as name:
        hair = Path(name) / "hair.tfx"
        subprocess.run([program, "groom", "make", hair, "--strands", "200"], check=True, stdout=subprocess.DEVNULL)
        with ThreadPoolExecutor(2) as pool:
            work = [pool.submit(faults_of, page, program, hair, options.verbose) for page in pages]
            faults = [fault for done in work for fault in done.result()]
    count = sum(1 for page in pages for _ in commands(page))
    print("\n".join([*faults, f"{count} commands, {len(faults)} failed"]))
    return 1 if faults or (count == 0 and not named) else 0


if __name__ == "__main__":
    sys.exit(main())
