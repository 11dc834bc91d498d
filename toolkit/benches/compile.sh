#!/usr/bin/env bash
# What a tool costs to compile: crates of 100 tools of four arguments, with `#[tool]` and with what one writes by hand
# instead (`compile/crates.sh`).
#
#   toolkit/benches/compile.sh [ROUNDS] [ROW …]      (3 rounds and all rows where none are given)
#
# The rows: check, build, release (arguments of plain types), nested, nested-release (three types of the user's own a
# tool), edit (the body of one tool was edited, an incremental dev build), size (of a stripped program that reaches all
# tools, and of one that has a single tool).
#
# Both crates are compiled in turn, and the CPU time of that crate alone is compared, macro expansion and cargo included:
# the ratio means something on a busy machine, the seconds do not. Prints the medians and the ratio, hand-written = 1.
set -euo pipefail
shopt -s inherit_errexit
exec 3>&2
rounds=${1:-3}
shift || true
root=$(cd "$(dirname "$0")/../.." && pwd)
count=100
here=${CARGO_TARGET_DIR:-$root/target}/compile-bench
source "$(dirname "$0")/compile/crates.sh"
mkdir -p "$here"

compile() { # kind, side, cargo arguments
    local crate=$here/$1/$2
    shift 2
    CARGO_TARGET_DIR="$here/target" cargo -q "$@" --manifest-path "$crate/Cargo.toml" 2> "$here/log" \
        || { cat "$here/log" >&3; exit 1; }
}

cost() { # kind, side, cargo arguments: CPU seconds of compiling that crate alone
    touch "$here/$1/$2"/src/*.rs
    TIMEFORMAT='%U %S'
    { time compile "$@"; } 2>&1 | awk '{ print $1 + $2 }'
}

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

line() { # what, unit, figure of #[tool], figure by hand
    awk -v what="$1" -v unit="$2" -v a="$3" -v b="$4" \
        'BEGIN { printf "%-44s %9.2f%1s %9.2f%1s %6.2f\n", what, a, unit, b, unit, a / b }'
}

# Before a round of either side.
before() { :; }

compare() { # what, kind, cargo arguments
    local what=$1 kind=$2 side round
    shift 2
    write_crates "$kind"
    for side in tools hand; do
        # The dependencies first, so that they do not count.
        cost "$kind" "$side" "$@" > /dev/null
        : > "$here/$side.times"
    done
    for round in $(seq "$rounds"); do
        for side in tools hand; do
            before "$kind" "$side" "$round"
            cost "$kind" "$side" "$@" >> "$here/$side.times"
        done
    done
    line "$what" s "$(median < "$here/tools.times")" "$(median < "$here/hand.times")"
}

edit() { # kind, side, round: another text in the body of the fiftieth tool
    sed -i "s/ 50\( [0-9]*\)\?\"))\$/ 50 $3\"))/" "$here/$1/$2/src/lib.rs"
    grep -q " 50 $3\"))\$" "$here/$1/$2/src/lib.rs"
}

built() { # side: the bytes of the stripped program, which is seen to reach every tool
    local program=$here/target/release/bench-program-$1 answer
    compile program "$1" build --release
    answer=$("$program" "tool_$count" '{"id": "AB-1", "count": 2, "old": false, "place": null}')
    [ "$answer" = "AB-1 2 None $count" ] || { echo "$1 answers: $answer" >&2; exit 1; }
    answer=$("$program" | grep -o '"name":"tool_' | wc -l)
    [ "$answer" = "$count" ] || { echo "$1 shows $answer tools" >&2; exit 1; }
    stat -c %s "$program"
}

size() {
    local count=100 tools hand fixed_tools fixed_hand
    write_crates program
    tools=$(built tools)
    hand=$(built hand)
    count=1
    write_crates program
    fixed_tools=$(built tools)
    fixed_hand=$(built hand)
    line "a stripped program of them, MB" "" "$(mega "$tools")" "$(mega "$hand")"
    line "one of one tool, MB" "" "$(mega "$fixed_tools")" "$(mega "$fixed_hand")"
    line "each tool more, KB" "" "$(each "$tools" "$fixed_tools")" "$(each "$hand" "$fixed_hand")"
}

mega() { awk "BEGIN { print $1 / 1e6 }"; }
each() { awk "BEGIN { print ($1 - $2) / 99 / 1e3 }"; }

export CARGO_INCREMENTAL=0
printf '%-44s %10s %10s %6s\n' "$count tools" "#[tool]" "by hand" "ratio"
[ $# -gt 0 ] || set -- check build release nested nested-release edit size
for row; do
    case $row in
        check) compare "check" plain check ;;
        build) compare "build" plain build ;;
        release) compare "build --release" plain build --release ;;
        nested) compare "build, three own types a tool" nested build ;;
        nested-release) compare "build --release, three own types a tool" nested build --release ;;
        edit)
            before() { edit "$@"; }
            CARGO_INCREMENTAL=1 compare "build, incremental, one body edited" plain build
            before() { :; }
            ;;
        size) size ;;
        *) echo "there is no row $row" >&2; exit 1 ;;
    esac
done
