#!/usr/bin/env bash
# What a tool costs to compile: a crate of 100 tools of four arguments, with `#[tool]` and with what one writes by hand
# instead: a struct of arguments with the derives of serde and schemars, and a function that decodes it and calls.
#
#   toolkit/benches/compile.sh [ROUNDS]      (3 rounds where none is given)
#
# Both crates are compiled in turn, and the CPU time of that crate alone is compared, macro expansion included: the
# ratio means something on a busy machine, the seconds do not. Prints the medians and the ratio, hand-written = 1.
set -euo pipefail
exec 3>&2
rounds=${1:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
here=${CARGO_TARGET_DIR:-$root/target}/compile-bench
rm -rf "$here/tools" "$here/hand"
mkdir -p "$here/tools/src" "$here/hand/src"

manifest() { # name
    cat <<EOF
[package]
name = "bench-$1"
version = "0.0.0"
edition = "2024"

[dependencies]
toolkit = { path = "$root/toolkit" }
schemars = { version = "1", default-features = false, features = ["derive", "std", "preserve_order"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
thiserror = "2"

[workspace]
EOF
}

errors() {
    cat <<'EOF'
//! Generated.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("no answer")]
    Timeout,
    #[error("there is no {0}")]
    Missing(String),
}
EOF
}

tools() {
    errors | sed 's/thiserror::Error)/thiserror::Error, toolkit::Classify)/; s/    #\[error("no answer")\]/&\n    #[class(timeout)]/; s/    #\[error("there is.*/&\n    #[class(not_found)]/'
    for i in $(seq 100); do
        cat <<EOF
/// Looks up item $i.
#[toolkit::tool(category = Read, max_retries = 3)]
pub async fn tool_$i(
    /// The number of the item.
    id: String,
    /// How many to return.
    count: u32,
    /// Whether the old ones count.
    old: bool,
    /// Where to look.
    place: Option<String>,
) -> Result<String, Failure> {
    if count == 0 { return Err(Failure::Missing(id)); }
    if old { return Err(Failure::Timeout); }
    Ok(format!("{id} {count} {place:?} $i"))
}
EOF
    done
}

hand() {
    errors
    for i in $(seq 100); do
        cat <<EOF
/// Looks up item $i.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args$i {
    /// The number of the item.
    pub id: String,
    /// How many to return.
    pub count: u32,
    /// Whether the old ones count.
    pub old: bool,
    /// Where to look.
    pub place: Option<String>,
}
pub async fn tool_$i(id: String, count: u32, old: bool, place: Option<String>) -> Result<String, Failure> {
    if count == 0 { return Err(Failure::Missing(id)); }
    if old { return Err(Failure::Timeout); }
    Ok(format!("{id} {count} {place:?} $i"))
}
pub fn schema_$i() -> schemars::Schema { schemars::schema_for!(Args$i) }
pub fn call_$i(text: &str) -> std::pin::Pin<Box<dyn Future<Output = Result<String, String>> + Send>> {
    let args: Result<Args$i, _> = serde_json::from_str(text);
    Box::pin(async move {
        let args = args.map_err(|error| error.to_string())?;
        tool_$i(args.id, args.count, args.old, args.place).await.map_err(|error| error.to_string())
    })
}
EOF
    done
    echo 'pub type Call = fn(&str) -> std::pin::Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;'
    echo 'pub const TOOLS: &[(&str, Call, fn() -> schemars::Schema)] = &['
    for i in $(seq 100); do echo "    (\"tool_$i\", call_$i, schema_$i),"; done
    echo '];'
}

for name in tools hand; do
    manifest "$name" > "$here/$name/Cargo.toml"
    "$name" > "$here/$name/src/lib.rs"
done

compile() { # crate, cargo arguments
    local name=$1
    shift
    CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$here/target" \
        cargo -q "$@" --manifest-path "$here/$name/Cargo.toml" 2> "$here/log" || { cat "$here/log" >&3; exit 1; }
}

cost() { # crate, cargo arguments: CPU seconds of compiling that crate alone
    local name=$1
    shift
    touch "$here/$name/src/lib.rs"
    TIMEFORMAT='%U %S'
    { time compile "$name" "$@"; } 2>&1 | awk '{ print $1 + $2 }'
}

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

printf '%-18s %10s %10s %8s\n' "100 tools" "#[tool]" "by hand" "ratio"
for mode in check build "build --release"; do
    # The dependencies first, so that they do not count.
    cost tools $mode > /dev/null
    cost hand $mode > /dev/null
    : > "$here/tools.times"
    : > "$here/hand.times"
    for _ in $(seq "$rounds"); do
        cost tools $mode >> "$here/tools.times"
        cost hand $mode >> "$here/hand.times"
    done
    a=$(median < "$here/tools.times")
    b=$(median < "$here/hand.times")
    printf '%-18s %9.2fs %9.2fs %8.2f\n' "$mode" "$a" "$b" "$(awk "BEGIN { print $a / $b }")"
done
