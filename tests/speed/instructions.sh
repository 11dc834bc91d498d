#!/usr/bin/env bash
# Counts the instructions of one call on the three paths that matter most, and compares them with those of `instructions.txt`.
# Seconds depend on the machine and on who else is on it; instructions hardly do.
#
#   tests/speed/instructions.sh            compares; fails where a path takes more than 5 % more than is written
#   tests/speed/instructions.sh --write    writes `instructions.txt` anew
#
# A path is run twice, with twice as many calls the second time, and the difference is counted, so that what is made once
# does not count. The middle of three such differences stands for it. What is left of chance are the seeds of hash tables
# and where the allocator finds room: 0.01 % where a call succeeds, and up to 2 % where one is refused. Another compiler
# or another libc counts differently; then the figures are shown and nothing fails.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")"
tolerance=5
calls=500
target=${CARGO_TARGET_DIR:-$PWD/../../target}/speed
figures=instructions.txt

command -v valgrind > /dev/null || { echo "valgrind is not installed, so nothing was counted" >&2; exit 2; }
cargo build -q --release --bin instructions --target-dir "$target"

collected() { # path, calls: the instructions of a whole run
    local log
    log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$target/release/instructions" "$@" 2>&1) \
        || { echo "valgrind failed: $log" >&2; return 1; }
    awk '/Collected/ { print $4; seen = 1 } END { exit !seen }' <<< "$log"
}

of_a_call() { # path
    local once twice
    for _ in 1 2 3; do
        once=$(collected "$1" "$calls")
        twice=$(collected "$1" $((2 * calls)))
        echo $(((twice - once) / calls))
    done | sort -n | sed -n 2p
}

on="# On $(rustc -V), $(ldd --version 2>&1 | sed -n '1s/^ldd /libc /p')"
counted=$(for path in two-arguments an-order refused; do
    count=$(of_a_call "$path")
    [ "$count" -gt 0 ] || { echo "nothing was counted for $path" >&2; exit 1; }
    echo "$path $count"
done)

if [ "${1:-}" = --write ]; then
    { echo "# Instructions of one call, written by instructions.sh --write"; echo "$on"; echo "$counted"; } > "$figures"
fi

awk -v on="$on" -v tolerance="$tolerance" '
    FNR == NR && /^# On / { same = $0 == on; was = $0 }
    FNR == NR { if (!/^#/) written[$1] = $2; next }
    {
        if (!($1 in written)) { printf "%-14s %8d, and none written\n", $1, $2; missing = 1; next }
        change = ($2 / written[$1] - 1) * 100
        printf "%-14s %8d instructions a call, %8d written, %+.1f %%\n", $1, $2, written[$1], change
        if (change > tolerance) dearer = dearer " " $1
        if (change < -tolerance) cheaper = cheaper " " $1
    }
    END {
        if (cheaper) print "cheaper than written:" cheaper "; tests/speed/instructions.sh --write keeps it"
        if (!same) { print "nothing is judged: this is\n" on "\nand the figures were written\n" was; exit }
        if (missing) { print "tests/speed/instructions.sh --write writes what is missing"; exit 1 }
        if (dearer) {
            print "dearer by more than " tolerance " %:" dearer
            print "where that is meant, tests/speed/instructions.sh --write writes the new figures"
            exit 1
        }
    }
' "$figures" <(echo "$counted")
