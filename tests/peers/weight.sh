#!/usr/bin/env bash
# What a project takes in with the library, and with its peers: crates, and the CPU time of a first build.
#
#   tests/peers/weight.sh                  counts the crates
#   tests/peers/weight.sh --cold [ROUNDS]  builds all of them from nothing too, in turn (3 rounds where none are given)
#
# Each stands alone in a package that depends on nothing else, with the versions of this folder's lock file. A crate counts
# once a version, with the proc macros that it needs and without what their build scripts and tests need; the crates of
# the project itself do not count. A build is `cargo build` of a library with nothing in it; its CPU time is compared, the
# middle round of each, rmcp = 1.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
here=${CARGO_TARGET_DIR:-$root/target}/weight
rm -rf "$here"

alone() { # name, dependency
    mkdir -p "$here/$1/src"
    printf '[package]\nname = "alone"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n%s\n\n[workspace]\n' "$2" \
        > "$here/$1/Cargo.toml"
    touch "$here/$1/src/lib.rs"
    cp Cargo.lock "$here/$1/"
}

pinned() { sed -n "s/^\($1 = { version = \"[^\"]*\"\).*/\1/p" Cargo.toml; }

alone "toolkit" "toolkit = { path = \"$root/toolkit\" }"
alone "toolkit, no features" "toolkit = { path = \"$root/toolkit\", default-features = false }"
alone "rmcp, a server" "$(pinned rmcp), default-features = false, features = [\"macros\", \"server\"] }"
alone "rig-core" "$(pinned rig-core) }"
alone "rig-agent" "$(pinned rig-agent) }"
alone "swiftide" "$(pinned swiftide), default-features = false, features = [\"macros\", \"swiftide-agents\"] }"

crates() { # name
    cargo tree -q --manifest-path "$here/$1/Cargo.toml" -e normal --prefix none \
        | awk '{ print $1, $2 }' | sort -u | grep -vcE "^(alone|${1%%[,-]*}[^ ]*) "
}

printf '%-24s %8s\n' "" "crates"
for name in "toolkit" "toolkit, no features" "rmcp, a server" "rig-core" "rig-agent" "swiftide"; do
    printf '%-24s %8s\n' "$name" "$(crates "$name")"
done
[ "${1:-}" = --cold ] || exit 0

built=("rmcp, a server" "toolkit" "toolkit, no features")
cold() { # name: CPU seconds of a build from nothing
    rm -rf "$here/target"
    TIMEFORMAT='%U %S'
    { time CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$here/target" \
        cargo -q build --manifest-path "$here/$1/Cargo.toml" 2> "$here/log"; } 2>&1 | awk '{ print $1 + $2 }'
}
median() { sort -n "$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

for name in "${built[@]}"; do cargo fetch -q --manifest-path "$here/$name/Cargo.toml"; done
for _ in $(seq "${2:-3}"); do
    for name in "${built[@]}"; do
        cold "$name" >> "$here/$name/times" || { cat "$here/log" >&2; exit 1; }
    done
done
first=$(median "$here/${built[0]}/times")
printf '\n%-24s %8s %8s\n' "" "built in" "ratio"
for name in "${built[@]}"; do
    median "$here/$name/times" | awk -v name="$name" -v first="$first" '{ printf "%-24s %7.1fs %8.2f\n", name, $1, $1 / first }'
done
