# Sourced by compile.sh. Writes crates of tools twice: with `#[tool]`, and with what one writes by hand for the same: a
# struct of arguments with the derives of serde and schemars, a function that decodes it and calls, the schema of each,
# and a table of them. `$count` says how many.

manifest() { # name, lines more
    cat <<EOF
[package]
name = "bench-$1"
version = "0.0.0"
edition = "2024"

[profile.release]
strip = true

[dependencies]
schemars = { version = "1", default-features = false, features = ["derive", "std", "preserve_order"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
thiserror = "2"
$2

[workspace]
EOF
}

errors() { # with Classify where a first argument is given
    cat <<EOF
//! Generated.
#[derive(Debug, thiserror::Error${1:+, toolkit::Classify})]
pub enum Failure {
    #[error("no answer")]
    ${1:+#[class(timeout)]}
    Timeout,
    #[error("there is no {0}")]
    ${1:+#[class(not_found)]}
    Missing(String),
}
EOF
}

# The arguments of a tool and what is done with them, in both crates the same.
plain() { # number, what stands before a field
    cat <<EOF
    /// The number of the item.
    $2id: String,
    /// How many to return.
    $2count: u32,
    /// Whether the old ones count.
    $2old: bool,
    /// Where to look.
    $2place: Option<String>,
EOF
}

nested() { # number, what stands before a field
    cat <<EOF
    /// The number of the item.
    $2id: String,
    /// How many to return.
    $2count: u32,
    /// Where to look.
    $2place: Place$1,
    /// What counts.
    $2filter: Filter$1,
EOF
}

plain_body() { # number
    cat <<EOF
    if count == 0 { return Err(Failure::Missing(id)); }
    if old { return Err(Failure::Timeout); }
    Ok(format!("{id} {count} {place:?} $1"))
EOF
}

nested_body() { # number
    cat <<EOF
    if count == 0 { return Err(Failure::Missing(id)); }
    if matches!(filter.order, Order$1::Price) { return Err(Failure::Timeout); }
    Ok(format!("{id} {count} {} {:?} {:?} {:?} $1", place.city, place.street, filter.tags, filter.below))
EOF
}

plain_types() { :; }

nested_types() { # number
    cat <<EOF
/// A place.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place$1 {
    /// The town.
    pub city: String,
    /// The street, where it is known.
    pub street: Option<String>,
}
/// What comes first.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order$1 { Newest, Oldest, Price }
/// What counts.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Filter$1 {
    /// Words that all must have.
    pub tags: Vec<String>,
    /// The price they must be below.
    pub below: Option<f64>,
    /// What comes first.
    pub order: Order$1,
}
EOF
}

tools() { # plain or nested
    errors classified
    for i in $(seq "$count"); do
        "$1_types" "$i"
        echo "/// Looks up item $i."
        echo "#[toolkit::tool(category = Read, max_retries = 3)]"
        echo "pub async fn tool_$i("
        "$1" "$i" ""
        echo ") -> Result<String, Failure> {"
        "$1_body" "$i"
        echo "}"
    done
}

hand() { # plain or nested
    local names
    names=$("$1" 1 "" | sed -n 's/^ *\([a-z]*\):.*/\1/p' | paste -sd' ')
    errors
    for i in $(seq "$count"); do
        "$1_types" "$i"
        cat <<EOF
/// Looks up item $i.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args$i {
$("$1" "$i" "pub ")
}
pub async fn tool_$i($("$1" "$i" "" | grep -v ///)) -> Result<String, Failure> {
$("$1_body" "$i")
}
pub fn schema_$i() -> schemars::Schema { schemars::schema_for!(Args$i) }
pub fn call_$i(text: &str) -> std::pin::Pin<Box<dyn Future<Output = Result<String, String>> + Send>> {
    let args: Result<Args$i, _> = serde_json::from_str(text);
    Box::pin(async move {
        let args = args.map_err(|error| error.to_string())?;
        tool_$i($(for name in $names; do printf 'args.%s, ' "$name"; done)).await.map_err(|error| error.to_string())
    })
}
EOF
    done
    echo 'pub type Call = fn(&str) -> std::pin::Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;'
    echo 'pub const TOOLS: &[(&str, Call, fn() -> schemars::Schema)] = &['
    for i in $(seq "$count"); do echo "    (\"tool_$i\", call_$i, schema_$i),"; done
    echo '];'
}

# Programs of those tools: without arguments they print what a request to a model takes, else they call the tool of that
# name with that text.
tools_main() {
    cat <<'EOF'
mod tools;
use toolkit::{Arguments, Executor, Provider, Registry, ToolCall};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::discover()?;
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(text)) = (arguments.next(), arguments.next()) else {
        println!("{}", Provider::OpenAiChat.tools(&registry)?);
        return Ok(());
    };
    let executor = Executor::builder(registry).build()?;
    let call = executor.call(ToolCall::new(name, Arguments::raw(text)));
    println!("{}", tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(call).text());
    Ok(())
}
EOF
}

hand_main() {
    cat <<'EOF'
mod tools;
use std::collections::HashMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools: HashMap<&str, _> = tools::TOOLS.iter().map(|tool| (tool.0, tool.1)).collect();
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(text)) = (arguments.next(), arguments.next()) else {
        let functions = tools::TOOLS.iter().map(|(name, _, schema)| {
            let mut schema = schema();
            let description = schema.remove("description");
            schema.remove("$schema");
            schema.remove("title");
            serde_json::json!({
                "type": "function",
                "function": { "name": name, "description": description, "parameters": schema }
            })
        });
        println!("{}", functions.collect::<serde_json::Value>());
        return Ok(());
    };
    let call = tools.get(&*name).ok_or("there is no such tool")?(&text);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    println!("{}", runtime.block_on(call).unwrap_or_else(|error| error));
    Ok(())
}
EOF
}

# The crates of a kind in `$here`: libraries, or programs of the plain tools.
write_crates() { # plain, nested or program
    local side uses='toolkit = { path = "'"$root"'/toolkit" }' tokio='tokio = { version = "1", default-features = false, features = ["rt", "time"] }'
    rm -rf "${here:?}/$1"
    for side in tools hand; do
        mkdir -p "$here/$1/$side/src"
        if [ "$1" = program ]; then
            [ "$side" = tools ] || uses=
            manifest "$1-$side" "$uses
$tokio" > "$here/$1/$side/Cargo.toml"
            "$side" plain | sed '1d' > "$here/$1/$side/src/tools.rs"
            "${side}_main" > "$here/$1/$side/src/main.rs"
        else
            # Both have the library, so that both find the same crates built.
            manifest "$1-$side" "$uses" > "$here/$1/$side/Cargo.toml"
            "$side" "$1" > "$here/$1/$side/src/lib.rs"
        fi
    done
}
