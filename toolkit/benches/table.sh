#!/usr/bin/env bash
# Runs every benchmark and writes one table, in Markdown, with the date and the compiler. Progress goes to stderr.
#
#   toolkit/benches/table.sh [--peers] [--cold] [--rounds N]
#   toolkit/benches/table.sh --again
#
# `--peers` adds the calls of rmcp, rig and swiftide, `--cold` the first builds beside rmcp, and `--rounds` says how often
# the compile rows are compiled (3). What each program printed stays in `target/table`, and `--again` writes the table of
# it without running anything. A row whose figure cannot be found stands there with a question mark, and then the script
# fails.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
export CARGO_TARGET_DIR=$target
logs=$target/table
rounds=3
peers=
cold=
again=
while [ $# -gt 0 ]; do
    case $1 in
        --peers) peers=yes ;;
        --cold) cold=--cold ;;
        --again) again=yes ;;
        --rounds) rounds=$2; shift ;;
        *) echo "unknown: $1" >&2; exit 1 ;;
    esac
    shift
done

run() { # log, command …
    local log=$logs/$1.log
    shift
    printf '%4d s: %s\n' "$SECONDS" "$*" >&2
    "$@" > "$log" 2> "$logs/errors" || { cat "$logs/errors" >&2; exit 1; }
}

measure() {
    mkdir -p "$logs"
    rm -f "$logs"/*.log
    # First all that is built, so that nothing is measured beside a build.
    speed=(--release -q --manifest-path tests/speed/Cargo.toml --target-dir "$target/speed")
    run build cargo build "${speed[@]}"
    run build cargo bench -q -p toolkit --no-run
    run build cargo test -q -p toolkit-tests --test allocations --no-run
    for bench in call in_flight; do run "$bench" cargo run "${speed[@]}" --bin "$bench"; done
    for bench in decode classify export; do run "$bench" cargo bench -q -p toolkit --bench "$bench"; done
    run allocations cargo test -q -p toolkit-tests --test allocations
    # It fails where a path got dearer, which the table shows.
    run instructions bash -c "tests/speed/instructions.sh || true"
    if [ -n "$peers" ]; then
        of_peers=(--release -q --manifest-path tests/peers/Cargo.toml --target-dir "$target/peers")
        run build cargo build "${of_peers[@]}"
        run peers cargo run "${of_peers[@]}"
    fi
    run compile toolkit/benches/compile.sh "$rounds"
    run weight tests/peers/weight.sh $cold
}
[ -n "$again" ] || measure

missing=0

# The greatest number that stands where `(…)` is in the lines of a log.
figure() { # log, pattern
    sed -nE "s/$2/\1/p" "$logs/$1.log" | sort -g | tail -n 1
}

row() { # what, figure, unit, goal; without a goal the last is left out
    local met=
    if [ -z "$2" ]; then
        echo "| $1 | ${4:+≤ $4 $3} | ? | |" | sed 's/  *|/ |/g'
        missing=1
        return
    fi
    [ -z "${4:-}" ] || met=$(awk "BEGIN { print ($2 <= $4) ? \"yes\" : \"no\" }")
    echo "| $1 | ${4:+≤ $4 $3} | $2 $3 | $met |" | sed 's/  *|/ |/g'
}

scaled() { # log, pattern of a `Duration`: the greatest one, in microseconds
    sed -nE "s/$2/\1/p" "$logs/$1.log" | awk '
        /[0-9]ns$/ { n = $0 / 1e3 } /µs$/ { n = $0 + 0 } /ms$/ { n = $0 * 1e3 } /[0-9]s$/ { n = $0 * 1e6 }
        n > greatest { greatest = n } END { if (NR) print greatest }'
}

call() { # what, its line in the log of calls, the goal, the goal in nanoseconds
    row "$1" "$(figure call "^$2 .* ratio +([0-9.]+)$")" "" "$3"
    [ -z "${4:-}" ] || row "$1, ready" "$(figure call "^$2 +([0-9]+) ns.*")" ns "$4"
}

compiled() { # what, its line in the log of compiling, the goal
    row "$1" "$(figure compile "^$2 +[0-9.]+s? .* ([0-9.]+)$")" "" "${3:-}"
}

model=$(sed -n 's/^model name.*: //p' /proc/cpuinfo 2> /dev/null | head -n 1)
echo "Measured on $(date -r "$logs/weight.log" '+%-d %B %Y') with $(rustc -V | cut -d ' ' -f 1,2)${model:+, on $model}, by \`toolkit/benches/table.sh\`."
echo
echo "| a call: the bare work = 1 | goal | measured | met |"
echo "|---|---|---|---|"
call "two arguments" "two arguments" 1.8
row "the least of that: the bare work boxed, guarded, timed" "$(figure call '^the least of a call .*ratio +([0-9.]+)')" ""
call "the same with \`length\` and \`pattern\`" "two arguments, length and pattern" 2.0
call "an order of 1.4 KB" "an order of [0-9]+ bytes" 1.1
call "two arguments, refused with three problems" "two arguments, refused with three problems" 15 2000
call "the order, refused with three problems" "the order, refused with three problems" 5.5 15000
row "three retries without a wait, above a bare loop" "$(figure call '^three retries .*above +(-?[0-9]+) ns')" ns 150
row "the least of them: boxed, guarded, timed, recorded" "$(figure call '^the least of them .*above +(-?[0-9]+) ns')" ns
row "allocations above the function's own" \
    "$(sed -nE 's/.*: ([0-9]+) allocations, ([0-9]+) of.*/\1 \2/p' "$logs/allocations.log" \
        | awk '{ print $1 - $2 }' | sort -g | tail -n 1)" "" 4
row "reading two arguments, a struct by serde = 1" "$(figure decode '^two arguments: .* ratio ([0-9.]+)')" ""
row "reading an order, a struct by serde = 1" "$(figure decode '^an order .* ratio ([0-9.]+)')" ""
for path in two-arguments an-order refused; do
    row "instructions, ${path//-/ }" "$(figure instructions "^$path +([0-9]+) instructions.*")" ""
done
row "100,000 calls that wait a second, above a bare loop" "$(figure in_flight '^difference: +([-+0-9.]+) %.*')" % 5
row "each of them while it waits" "$(figure in_flight '^calls: .* ([0-9]+) bytes each')" bytes 1536
row "judging an error by its type, the dearest kind" \
    "$(sed '/^by text/,$d' "$logs/classify.log" | awk 'NR > 1 && NF { print $(NF - 1) }' | sort -g | tail -n 1)" ns 200
row "judging a text of 4 KiB, the dearest kind" \
    "$(sed '1,/^by text/d' "$logs/classify.log" | awk 'NF { print $NF / 1e3 }' | sort -g | tail -n 1)" µs 20
row "export of 100 tools, first, the dearest provider" "$(scaled export '^[a-z-]+ +first +([^ ,]+),.*')" µs 1000
row "the same, strict" "$(scaled export '^[a-z-]+ strict +first +([^ ,]+),.*')" µs 1000
row "export of 100 tools, later, the dearest provider" "$(scaled export '.* later +([^ ,]+),.*')" µs 1
echo
echo "| 100 tools: written by hand = 1 | goal | measured | met |"
echo "|---|---|---|---|"
compiled "CPU time of \`cargo check\`" "check"
compiled "of \`cargo build\`" "build" 0.40
compiled "of \`cargo build --release\`" "build --release" 0.32
compiled "of \`cargo build\`, three own types a tool" "build, three own types a tool" 0.95
compiled "of \`cargo build --release\`, three own types a tool" "build --release, three own types a tool"
compiled "of \`cargo build\` after an edit of one body, incremental" "build, incremental, one body edited" 0.4
compiled "a stripped program of them" "a stripped program of them, MB" 0.75
compiled "one of one tool" "one of one tool, MB"
compiled "what each tool more adds to it" "each tool more, KB"
row "crates" "$(figure weight '^toolkit +([0-9]+)$')" "" 40
row "crates, no features" "$(figure weight '^toolkit, no features +([0-9]+)$')" "" 30
row "crates of rmcp, a server" "$(figure weight '^rmcp, a server +([0-9]+)$')" ""
row "crates of rig-core" "$(figure weight '^rig-core +([0-9]+)$')" ""
if grep -q ratio "$logs/weight.log"; then
    row "first build, a server of rmcp = 1" "$(figure weight '^toolkit .*s +([0-9.]+)$')" "" 0.5
    row "the same without features" "$(figure weight '^toolkit, no features .*s +([0-9.]+)$')" "" 0.35
fi
if [ -f "$logs/peers.log" ]; then
    echo
    cat "$logs/peers.log"
fi
printf '%4d s: done\n' "$SECONDS" >&2
exit "$missing"
