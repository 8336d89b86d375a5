#!/usr/bin/env bash
# Checks the structure of the source tree and prints every error with its file and line:
#   - a file in src/<folder> may include only its own folder and earlier ones;
#   - a public header may include only the standard library and other public headers;
#   - only src/math, src/strands and kernels (-inl.h and files with HWY_TARGET_INCLUDE) may use kLanes, the number of
#     strands in a block; tests, fuzzers and examples may use it too;
#   - every folder of src with code must have a README.md;
#   - the table in docs/architecture.md must list exactly the folders that each folder includes;
#   - no line of code may be longer than 120 columns.
# The programs in apps/, lab/ and bench/ come after all folders of src/ and have rows in the table as well; tests/, fuzz/
# and examples/ may include anything.
#
#   tools/check_layers.sh [ROOT]        checks the tree at ROOT (default: this repository); exits with 1 on an error
#   tools/check_layers.sh --self-test   tests the checker on small trees, each with one error
set -euo pipefail

order="math settings body groom strands interaction solvers world io render session"
programs="apps lab bench"
columns=120
table=docs/architecture.md

code_files() {
    local folder
    for folder in include src apps lab bench tests fuzz examples tools; do
        [[ ! -d $folder ]] || find "$folder" -type f -not -path '*/node_modules/*' \( -name '*.h' -o -name '*.cpp' -o -name '*.inl' \)
    done | LC_ALL=C sort
}

# Prints one "file:line: reason" per error. LC_ALL=C makes awk count bytes; bytes 80 to BF continue a UTF-8 character.
line_faults() {
    # shellcheck disable=SC2016  # awk expands these
    code_files | LC_ALL=C xargs -r awk -v order="$order" -v columns="$columns" '
        function fault(reason) { print FILENAME ":" FNR ": " reason }
        BEGIN {
            count = split(order, names, " ")
            for (i = 1; i <= count; ++i) rank[names[i]] = i
            outside["apps"]; outside["lab"]; outside["bench"]; outside["tests"]; outside["fuzz"]; outside["examples"]
        }
        FNR == 1 {
            split(FILENAME, parts, "/")
            knows_lanes = FILENAME ~ /-inl\.h$|^src\/(math|strands)\/|^(tests|fuzz|examples)\//
        }
        /HWY_TARGET_INCLUDE/ { knows_lanes = 1 }
        /(^|[^A-Za-z0-9_])kLanes([^A-Za-z0-9_]|$)/ && !knows_lanes {
            fault("kLanes is private to src/math, src/strands and kernels")
        }
        {
            line = $0
            sub(/\r$/, "", line)
            gsub(/[\200-\277]/, "", line)
            if (length(line) > columns) fault("the line has " length(line) " columns; the limit is " columns)
        }
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            path = $0
            sub(/^[^"<]*["<]/, "", path)
            sub(/[">].*/, "", path)
            target = path
            if (!sub(/\/.*/, "", target)) next  # no folder: the standard library or a file in the same folder
            if (parts[1] == "include") {
                if (target != "tendril")
                    fault("a public header includes \"" path "\"; only the standard library and tendril/ are allowed")
            } else if (parts[1] == "src" && parts[2] in rank) {
                if (target == "..")
                    fault("\"" path "\" leaves its folder; use the path from src/")
                else if (target in outside)
                    fault("src/" parts[2] " includes \"" path "\", which is not part of the library")
                else if (target in rank && rank[target] > rank[parts[2]])
                    fault("src/" parts[2] " includes \"" path "\", a later folder; the order is: " order)
            }
        }'
}

folder_faults() {
    local folder name
    for folder in src/*/; do
        [[ -d $folder ]] || continue
        name=$(basename "$folder")
        [[ " $order " == *" $name "* ]] ||
            echo "src/$name:1: the folder is missing in the order of tools/check_layers.sh; add it"
        if [[ -n $(find "$folder" -name '*.cpp' -print -quit) && ! -f src/$name/README.md ]]; then
            echo "src/$name:1: the folder has code but no README.md (input, output, invariants)"
        fi
    done
}

# Prints the included folders: one "folder other" per line, and "folder folder" for each folder with code. apps/, lab/ and
# bench/ count as one folder each.
included_folders() {
    # shellcheck disable=SC2016  # awk expands these
    code_files | LC_ALL=C xargs -r awk -v order="$order" -v programs="$programs" '
        BEGIN {
            count = split(order, names, " ")
            for (i = 1; i <= count; ++i) known[names[i]]
            count = split(programs, names, " ")
            for (i = 1; i <= count; ++i) is_program[names[i]]
        }
        FNR == 1 {
            split(FILENAME, parts, "/")
            folder = parts[1] == "src" ? parts[2] : parts[1] in is_program ? parts[1] : ""
            if (folder != "") print folder, folder
        }
        folder != "" && /^[ \t]*#[ \t]*include[ \t]*["<][a-z]+\// {
            target = $0
            sub(/^[^"<]*["<]/, "", target)
            sub(/\/.*/, "", target)
            if (target in known) print folder, target
        }' | LC_ALL=C sort -u
}

# The table has one row per folder: | `name` | included folders and remarks | description |
table_faults() {
    # shellcheck disable=SC2016  # awk expands these
    included_folders | awk -v order="$order" -v programs="$programs" -v table="$table" '
        # The other folders that `folder` includes according to `set`, in order.
        function others(set, folder,    text, i) {
            for (i = 1; i <= count; ++i)
                if (names[i] != folder && (folder, names[i]) in set) text = text (text == "" ? "" : ", ") names[i]
            return text == "" ? "nothing" : text
        }
        BEGIN {
            count = split(order, names, " ")
            while ((getline line <table) > 0) {
                ++number
                if (line !~ /^\| `/) continue
                split(line, cell, "|")
                gsub(/[ `]/, "", cell[2])
                row[cell[2]] = number
                words = split(cell[3], word, /[^a-z_]+/)
                for (i = 1; i <= words; ++i) said[cell[2], word[i]]
            }
        }
        { real[$1, $2] }
        END {
            all = split(order " " programs, folders, " ")
            for (n = 1; n <= all; ++n) {
                folder = folders[n]
                if (!(folder in row)) {
                    if ((folder, folder) in real) print table ":1: the table has no row for `" folder "`"
                } else if (others(said, folder) != others(real, folder))
                    print table ":" row[folder] ": `" folder "` includes " others(real, folder) \
                        "; the table says " others(said, folder)
            }
        }'
}

check() {
    local faults
    cd "$1"
    faults=$(line_faults && folder_faults && table_faults)
    [[ -n $faults ]] || return 0
    printf '%s\n' "$faults" >&2
    return 1
}

# ---------------------------------------------------------------------------------------------------------------------

self_test() {
    local tool tree bad=0
    tool=$(realpath "${BASH_SOURCE[0]}")
    tree=$(mktemp -d)
    # shellcheck disable=SC2064  # the path is known now
    trap "rm -rf '$tree'" EXIT

    # A valid tree: includes of an earlier folder, the same folder, public and third-party headers, and a line of 120
    # columns with an umlaut.
    valid_tree() {
        rm -rf "$tree"
        mkdir -p "$tree"/{include/tendril,src/math,src/strands,apps,bench,tests,docs}
        printf '| `%s` | %s | |\n' math '' strands 'math; not `tendril_render`' apps '`view` also render' bench strands \
            >"$tree/$table"
        touch "$tree/src/strands/README.md"
        printf '#include <cmath>\n#include "tendril/vec3.h"\n' >"$tree/include/tendril/a.h"
        printf '#include "math/a.h"\n#include "strands/b.h"\n#include <fmt/core.h>\n' >"$tree/src/strands/a.cpp"
        printf '//%117s\xc3\xbc\n' '' >>"$tree/src/strands/a.cpp"
        printf '#include "render/picture.h"\n' | tee "$tree/apps/a.cpp" >"$tree/tests/a.cpp"
        printf '#include "strands/b.h"\n' >"$tree/bench/a.cpp"
    }
    # expect NAME TEXT: the tree must be rejected with TEXT in the output, or accepted if TEXT is empty.
    expect() {
        local answer refused=false
        answer=$("$tool" "$tree" 2>&1) || refused=true
        if [[ -z $2 ]] && ! $refused; then return; fi
        if [[ -n $2 ]] && $refused && [[ $answer == *"$2"* ]]; then return; fi
        printf 'check_layers self-test: %s: got "%s", expected "%s"\n' "$1" "$answer" "$2" >&2
        bad=1
    }

    valid_tree
    expect "a valid tree" ""
    valid_tree && echo '#include "world/world.h"' >>"$tree/src/strands/a.cpp"
    expect "a later folder" 'src/strands/a.cpp:5: src/strands includes "world/world.h", a later folder'
    valid_tree && echo '  #  include <solvers/dftl.h>' >"$tree/src/math/a.h"
    expect "a later folder, in brackets" 'src/math/a.h:1: src/math includes "solvers/dftl.h"'
    valid_tree && echo '#include "../world/world.h"' >"$tree/src/math/a.h"
    expect "a path upwards" 'src/math/a.h:1: "../world/world.h" leaves'
    valid_tree && echo '#include "apps/view.h"' >"$tree/src/math/a.h"
    expect "a program" 'src/math/a.h:1: src/math includes "apps/view.h"'
    valid_tree && echo '#include "math/a.h"' >"$tree/include/tendril/b.h"
    expect "a private header in a public one" 'include/tendril/b.h:1: a public header'
    valid_tree && rm "$tree/src/strands/README.md"
    expect "no README" 'src/strands:1: the folder has code but no README.md'
    valid_tree && mkdir "$tree/src/utils"
    expect "an unknown folder" 'src/utils:1: the folder is missing in the order'
    valid_tree && printf '//%119s\n' '' >"$tree/src/math/a.h"
    expect "a long line" 'src/math/a.h:1: the line has 121 columns'
    valid_tree && echo 'size_t blocks = strands / kLanes;' >"$tree/apps/b.cpp"
    expect "the layout outside of kernels" 'apps/b.cpp:1: kLanes is private'
    valid_tree && printf '#define HWY_TARGET_INCLUDE "b.cpp"\nsize_t blocks = strands / kLanes;\n' >"$tree/apps/b.cpp"
    expect "the layout in a kernel" ''
    valid_tree && sed -i 's/ math; / math, body; /' "$tree/$table"
    expect "the table says too much" "$table:2: \`strands\` includes math; the table says math, body"
    valid_tree && echo '#include "math/a.h"' >"$tree/apps/b.cpp"
    expect "the table says too little" "$table:3: \`apps\` includes math, render; the table says render"
    valid_tree && echo '#include "math/a.h"' >"$tree/bench/b.cpp"
    expect "the table says too little about another program" "$table:4: \`bench\` includes math, strands; the table says strands"
    valid_tree && sed -i 2d "$tree/$table"
    expect "no row" "$table:1: the table has no row for \`strands\`"
    valid_tree && rm "$tree/$table"
    expect "no table" "$table:1: the table has no row for \`strands\`"
    return $bad
}

case ${1:-} in
--self-test) self_test ;;
*) check "${1:-$(dirname "${BASH_SOURCE[0]}")/..}" ;;
esac
