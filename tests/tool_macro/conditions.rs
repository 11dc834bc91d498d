//! `#[cfg]` on functions, arguments and methods: what is not there leaves no trace.

use serde_json::json;
use toolkit::{Registry, tool, tools};

use super::{keys, required, run, submitted};

/// Some arguments are there.
#[tool(category = Read)]
async fn pick(
    #[cfg(all())] kept: u8,
    #[cfg(any())] gone: u8,
    #[cfg(target_os = "none")] also_gone: String,
    /// Documented, limited and gone.
    #[cfg(any())]
    #[arg(default = no_such_constant, range = 1..=2)]
    limited: NoSuchType,
    #[cfg(not(any()))]
    #[arg(default = 2)]
    second: u8,
) -> u8 {
    kept + second
}

#[tokio::test]
async fn an_argument_may_be_conditional() {
    assert_eq!(keys::<pick>(), ["kept", "second"]);
    assert_eq!(required::<pick>(), ["kept"]);
    assert_eq!(run::<pick>(json!({"kept": 1})).await, "3");
}

/// Two of one name, of which one is there.
#[tool(category = Read)]
async fn either(
    #[cfg(any())] n: String,
    #[cfg(all())] n: u8,
    #[cfg(any())]
    #[state]
    db: &NoSuchType,
) -> u8 {
    n
}

#[tokio::test]
async fn alternatives_share_a_name() {
    assert_eq!(keys::<either>(), ["n"]);
    assert_eq!(run::<either>(json!({"n": 7})).await, "7");
}

/// Never there.
#[tool(category = Read, name = "condition_below")]
#[cfg(any())]
async fn below(n: NoSuchType) -> u8 {
    n
}

#[cfg(any())]
/// Never there.
#[tool(category = Read, name = "condition_above")]
async fn above(n: NoSuchType) -> u8 {
    n
}

/// Never there.
#[tool(category = Read, name = "condition_inside")]
#[cfg_attr(all(), cfg(any()))]
async fn inside(n: NoSuchType) -> u8 {
    n
}

/// There.
#[tool(category = Read, name = "condition_met")]
#[cfg(all())]
#[cfg_attr(all(), cfg(all()), inline)]
#[cfg_attr(any(), cfg(any()))]
async fn met() {}

/// Never there, sync and with everything.
#[tool(category = Read, name = "condition_sync", check = no_such_check, handle = NoSuchHandle)]
#[cfg(any())]
fn sync(#[state] db: &NoSuchType, ctx: &toolkit::ToolContext) -> NoSuchType {
    db.clone()
}

#[test]
fn a_tool_may_be_conditional() {
    assert_eq!(submitted("condition_"), ["condition_met"]);
}

struct Desk;

#[tools]
impl Desk {
    /// There.
    #[tool(category = Read)]
    #[cfg(all())]
    async fn desk_there(&self, #[cfg(any())] gone: NoSuchType, kept: u8) -> u8 {
        kept
    }

    /// Not there.
    #[tool(category = Read)]
    #[cfg(any())]
    async fn desk_gone(&self, gone: NoSuchType) -> NoSuchType {
        gone
    }

    /// Not there either.
    #[cfg(any())]
    #[tool(category = Read)]
    async fn desk_gone_too(&self, gone: NoSuchType) -> NoSuchType {
        gone
    }

    /// One of two.
    #[cfg(all())]
    #[tool(category = Read)]
    fn desk_either() -> u8 {
        1
    }

    /// The other one.
    #[cfg(any())]
    #[tool(category = Read)]
    fn desk_either() -> u8 {
        2
    }
}

#[cfg(any())]
#[tools]
impl NoSuchType {
    /// Not there.
    #[tool(category = Read)]
    fn nowhere(&self) {}
}

#[tools]
#[cfg(any())]
impl NoSuchType {
    /// Not there.
    #[tool(category = Read)]
    fn nowhere(&self) {}
}

#[test]
fn a_method_may_be_conditional() {
    let registry = Registry::builder().service(Desk).build().unwrap();
    assert_eq!(registry.names(), ["desk_either", "desk_there"]);
    assert_eq!(registry.get("desk_there").unwrap().input_schema()["required"], json!(["kept"]));
}
