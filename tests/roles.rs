//! Tools for some callers only, tools that share a budget, and the same of tools made at run time.

use std::time::Duration;

use serde_json::{Value, json};
use toolkit::{
    Category, DynamicTool, ErrorClass, Executor, Registry, StopReason, ToolCall, ToolContext, ToolError, ToolResult,
    tool,
};

use crate::scripted::told;

/// Wipes a disk.
#[tool(category = Write, roles = ["admin", "root"])]
async fn wipe_disk(disk: u8) -> String {
    format!("wiped {disk}")
}

/// Looks at a disk.
#[tool(category = Read)]
async fn show_disk(disk: u8) -> String {
    format!("disk {disk}")
}

/// For users by name.
#[tool(category = Read, roles = ["user"])]
async fn greet() -> String {
    "hello".to_owned()
}

/// Is down.
#[tool(category = Read, max_retries = 10, budget = "orders")]
async fn find_order() -> Result<(), ToolError> {
    Err(ToolError::new(ErrorClass::Network, "no route"))
}

/// Is down too.
#[tool(category = Read, max_retries = 10, budget = "orders", sequential)]
async fn count_orders() -> Result<(), ToolError> {
    Err(ToolError::new(ErrorClass::Network, "no route"))
}

/// Has a name that is also a budget's.
#[tool(category = Read, max_retries = 10)]
async fn orders() -> Result<(), ToolError> {
    Err(ToolError::new(ErrorClass::Network, "no route"))
}

/// Has nothing to do with them.
#[tool(category = Read, max_retries = 10)]
async fn weather(ctx: &ToolContext) -> Result<(), ToolError> {
    Err(ToolError::new(ErrorClass::Network, format!("attempt {}", ctx.attempt())))
}

fn executor() -> Executor {
    let registry = Registry::builder().tool::<wipe_disk>().tool::<show_disk>().tool::<greet>().build().unwrap();
    Executor::builder(registry).build().unwrap()
}

fn check_unknown(result: &ToolResult) {
    assert_eq!(result.stop(), Some(StopReason::UnknownTool), "{result:?}");
    assert_eq!(result.error().unwrap().class(), ErrorClass::NotFound);
    assert!(result.attempts().is_empty() && result.repairs().is_empty() && result.confirmation().is_none());
}

#[test]
fn the_keys_stand_in_the_specification() {
    let registry = Registry::builder().tool::<wipe_disk>().tool::<find_order>().tool::<count_orders>();
    let registry = registry.build().unwrap();
    let spec = |name| registry.get(name).unwrap();
    assert_eq!(spec("wipe_disk").roles(), ["admin", "root"]);
    assert_eq!((spec("wipe_disk").budget(), spec("wipe_disk").sequential()), (None, false));
    assert_eq!((spec("find_order").budget(), spec("find_order").sequential()), (Some("orders"), false));
    assert!(spec("count_orders").sequential() && spec("count_orders").roles().is_empty());
}

#[tokio::test]
async fn a_tool_is_there_for_its_roles_and_for_no_others() {
    let executor = executor();
    let call = || ToolCall::new("wipe_disk", json!({"disk": 1}));
    for roles in [vec!["admin"], vec!["guest", "root"]] {
        assert_eq!(executor.run("").roles(roles).call(call()).await.text(), "wiped 1");
    }
    for roles in [vec![], vec!["user"], vec!["Admin"], vec!["administrator", "guest"]] {
        let run = executor.run("").roles(roles);
        let hidden = run.call(call().confirmed(true)).await;
        check_unknown(&hidden);
        // It is told apart from a tool that is not there by nothing at all, however it is called.
        for (spelling, absent) in
            [("wipe_disk", "wipe_disc"), ("Wipe-Disk", "Wipe-Disc"), ("functions.wipe_disk", "functions.wipe_disc")]
        {
            for arguments in [json!({"disk": 1}), json!({"disk": "?"}), json!(3)] {
                let run = executor.run("").roles(["guest"]);
                let hidden = run.call(ToolCall::new(spelling, arguments.clone())).await;
                let absent = (absent, run.call(ToolCall::new(absent, arguments)).await);
                check_unknown(&hidden);
                assert_eq!(hidden.text().replace(spelling, "?"), absent.1.text().replace(absent.0, "?"));
                assert!(!hidden.text().replace(spelling, "").contains("wipe_disk"), "{}", hidden.text());
            }
        }
    }
    check_unknown(&executor.call(call()).await);
    // Who is nobody in particular is a user.
    assert!(executor.call(ToolCall::new("greet", "{}")).await.is_success());
    check_unknown(&executor.run("").roles(["admin"]).call(ToolCall::new("greet", "{}")).await);
    let near = executor.run("").roles(["admin"]).call(ToolCall::new("wipe_disc", "{}")).await;
    assert!(near.text().contains("did you mean `wipe_disk`?"), "{}", near.text());
}

#[tokio::test]
async fn a_run_says_which_tools_its_caller_sees() {
    let executor = executor();
    assert_eq!(executor.run("").registry().names(), ["greet", "show_disk"]);
    assert_eq!(executor.run("").roles(["admin"]).registry().names(), ["show_disk", "wipe_disk"]);
    assert_eq!(executor.registry().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn tools_of_one_upstream_pay_from_one_budget() {
    let tools = Registry::builder().tool::<find_order>().tool::<count_orders>().tool::<orders>().tool::<weather>();
    let executor = Executor::builder(tools.build().unwrap()).build().unwrap();
    let call = async |name: &str| {
        let result = executor.call(ToolCall::new(name, "{}")).await;
        (result.stop().unwrap(), result.attempts().len())
    };
    assert_eq!(call("find_order").await, (StopReason::Exhausted, 11));
    // Ten are spent, and one comes back in the ten seconds of waiting.
    for tool in ["count_orders", "orders", "find_order"] {
        let (stop, attempts) = call(tool).await;
        assert!(stop == StopReason::Budget && attempts <= 3, "{tool}: {attempts}");
    }
    assert_eq!(call("weather").await, (StopReason::Exhausted, 11));
}

fn login() -> DynamicTool {
    let schema = json!({
        "type": "object",
        "properties": {
            "user": { "type": "string", "maxLength": 5 },
            "password": { "type": "string", "pattern": "^[a-z]+$" },
            "keys": { "type": "array", "items": { "type": "object", "properties": { "n": { "type": "integer" } } } }
        },
        "required": ["user", "password"],
        "additionalProperties": false
    });
    let body = async |arguments: Value| -> Result<Value, ToolError> {
        Err(ToolError::new(ErrorClass::NotFound, format!("no user with {}", arguments["password"])))
    };
    DynamicTool::new("login", "Logs in.", schema, body).category(Category::Read)
}

#[tokio::test]
async fn secrets_of_a_tool_made_at_run_time_are_shown_nowhere() {
    let registry = Registry::builder().dynamic(login().secret("password").secret("keys")).build().unwrap();
    let executor = Executor::builder(registry).build().unwrap();
    for arguments in [
        json!({"user": "ada", "password": "hunter"}),
        json!({"user": "ada", "password": "Hunter4711"}),
        json!({"user": "ada", "password": ["Hunter4711"]}),
        json!({"user": "ada", "passwrd": "Hunter4711"}),
        json!({"user": "ada", "password": {"hunter": "Hunter4711"}}),
        json!({"user": "ada", "password": "hunter", "keys": [{"n": "hunter"}, {"hunter": 1}]}),
        json!({"user": "ada", "password": "hunter", "extra": {"password": "hunter"}}),
        json!("hunter"),
        json!(["hunter"]),
    ] {
        let result = executor.call(ToolCall::new("login", arguments.clone())).await;
        assert!(!result.text().to_lowercase().contains("hunter"), "{arguments}: {}", result.text());
        assert!(!result.is_success() && told(&result).is_object());
    }
    // What is no secret is told as ever.
    let result = executor.call(ToolCall::new("login", json!({"user": "babbage", "password": "x", "extra": 1}))).await;
    assert!(result.text().contains("babbage") && result.text().contains("extra"), "{}", result.text());
    let open = Executor::builder(Registry::builder().dynamic(login()).build().unwrap()).build().unwrap();
    let result = open.call(ToolCall::new("login", json!({"user": "ada", "password": "Hunter4711"}))).await;
    assert!(result.text().contains("Hunter4711"), "{}", result.text());
}

#[tokio::test(start_paused = true)]
async fn a_tool_made_at_run_time_has_the_same_keys() {
    let down = |name: &str| {
        let body = async |_| -> Result<Value, ToolError> { Err(ToolError::new(ErrorClass::Network, "no route")) };
        DynamicTool::new(name, "Is down.", json!({}), body).category(Category::Read).max_retries(10).budget("upstream")
    };
    let registry = Registry::builder().dynamic(down("a")).dynamic(down("b").roles(["admin"]).sequential(true));
    let registry = registry.build().unwrap();
    let b = registry.get("b").unwrap();
    assert_eq!((b.budget(), b.sequential()), (Some("upstream"), true));
    assert_eq!(b.roles(), ["admin"]);
    let executor = Executor::builder(registry).build().unwrap();
    check_unknown(&executor.call(ToolCall::new("b", "{}")).await);
    assert_eq!(executor.call(ToolCall::new("a", "{}")).await.stop(), Some(StopReason::Exhausted));
    let admin = executor.run("").roles(["admin"]);
    assert_eq!(admin.call(ToolCall::new("b", "{}")).await.stop(), Some(StopReason::Budget));
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(admin.call(ToolCall::new("b", "{}")).await.stop(), Some(StopReason::Exhausted));
}

#[test]
fn keys_of_a_dynamic_tool_that_say_nothing_are_refused() {
    let tool = login().secret("pasword").roles([" "]).budget("");
    let error = Registry::builder().dynamic(tool).build().unwrap_err().to_string();
    assert!(error.contains("no argument `pasword` in the schema that could be secret"), "{error}");
    assert!(error.contains("a role and a budget need a name"), "{error}");
}

#[tokio::test]
async fn a_run_that_invents_names_is_told_to_stop() {
    let executor = executor();
    let run = executor.run("").roles(["guest"]);
    for name in ["format_disk", "wipe_disk", "mount_disk"] {
        let result = run.call(ToolCall::new(name, "{}")).await;
        check_unknown(&result);
        assert!(result.text().contains("`show_disk`"), "{}", result.text());
    }
    // A right call in between changes nothing.
    assert!(run.call(ToolCall::new("show_disk", json!({"disk": 1}))).await.is_success());
    for name in ["show_disks", "wipe_disk"] {
        let result = run.call(ToolCall::new(name, "{}")).await;
        check_unknown(&result);
        let told = told(&result);
        assert_eq!(told["may_call_again"], false);
        assert_eq!(
            told["message"],
            format!("there is no tool `{name}`; 3 names of tools that do not exist were called before it")
        );
        assert!(told["next"].as_str().unwrap().contains("answer in words"), "{told}");
        assert!(!result.text().contains("show_disk`"), "{}", result.text());
    }
    assert!(run.call(ToolCall::new("show_disk", json!({"disk": 1}))).await.is_success());
    // Another run begins anew, and a call by itself always does.
    assert!(executor.run("").call(ToolCall::new("mount_disk", "{}")).await.text().contains("`show_disk`"));
    for _ in 0..5 {
        assert!(executor.call(ToolCall::new("mount_disk", "{}")).await.text().contains("`show_disk`"));
    }
}
