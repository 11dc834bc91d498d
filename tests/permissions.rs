//! Who may call what, and when that is asked.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolkit::{
    ByCategory, Category, ErrorClass, Executor, Language, Outcome, Permission, PermissionRequest, Permissions,
    Registry, StopReason, ToolCall, ToolResult, tool,
};

use crate::scripted::told;

type Runs = Arc<AtomicU32>;

macro_rules! tools {
    ($($name:ident: $category:ident;)*) => {$(
        /// Counts.
        #[tool(category = $category)]
        async fn $name(path: String, #[state] runs: &Runs) -> String {
            runs.fetch_add(1, Ordering::SeqCst);
            path
        }
    )*};
}

tools! {
    look_up: Read;
    work_out: Compute;
    put_down: Write;
    send_out: Communicate;
    wipe_out: Dangerous;
}

/// Counts, with a secret.
#[tool(category = Communicate)]
async fn unlock(path: String, #[arg(secret, default)] pin: String, #[state] runs: &Runs) -> String {
    runs.fetch_add(1, Ordering::SeqCst);
    path + &pin
}

fn registry() -> Registry {
    let tools =
        Registry::builder().tool::<unlock>().tool::<look_up>().tool::<work_out>().tool::<put_down>().tool::<send_out>();
    tools.tool::<wipe_out>().build().unwrap()
}

fn executor(permissions: impl Permissions + 'static) -> (Executor, Runs) {
    let runs = Runs::default();
    (Executor::builder(registry()).state(Arc::clone(&runs)).permissions(permissions).build().unwrap(), runs)
}

fn call(name: &str) -> ToolCall {
    ToolCall::new(name, json!({"path": "/etc/motd"}))
}

/// What holds of every call that was not let through.
fn check_refused(result: &ToolResult, stop: StopReason, class: ErrorClass) -> Value {
    assert_eq!((result.stop(), result.error().unwrap().class()), (Some(stop), class), "{result:?}");
    assert_eq!((result.outcome(), result.attempts().len()), (Outcome::NotExecuted, 0));
    let told = told(result);
    assert_eq!(told["may_call_again"], false);
    told
}

#[tokio::test]
async fn only_a_dangerous_tool_asks_where_the_host_has_no_rules() {
    let runs = Runs::default();
    for executor in [
        Executor::builder(registry()).state(Arc::clone(&runs)).build().unwrap(),
        Executor::builder(registry()).state(Arc::clone(&runs)).permissions(ByCategory).build().unwrap(),
    ] {
        runs.store(0, Ordering::SeqCst);
        for name in ["look_up", "work_out", "put_down", "send_out"] {
            assert!(executor.call(call(name)).await.is_success());
        }
        let asked = executor.call(call("wipe_out")).await;
        let told = check_refused(&asked, StopReason::NeedsConfirmation, ErrorClass::PermissionDenied);
        assert_eq!(told["message"], "a person has to confirm: what this tool does cannot be taken back");
        assert_eq!(told["arguments"], json!({"path": "/etc/motd"}));
        assert_eq!(runs.load(Ordering::SeqCst), 4);
        assert!(executor.call(call("wipe_out").confirmed(true)).await.is_success());
        assert!(!executor.call(call("wipe_out").confirmed(false)).await.is_success());
        assert_eq!(runs.load(Ordering::SeqCst), 5);
    }
}

#[tokio::test]
async fn a_question_is_asked_in_the_language_of_the_model() {
    let builder = Executor::builder(registry()).state(Runs::default()).language(Language::Zh);
    let asked = builder.build().unwrap().call(call("wipe_out")).await;
    assert_eq!(told(&asked)["message"], "须由人确认：此工具的操作无法撤销");
}

fn by_role(request: &PermissionRequest<'_>) -> Permission {
    let is = |role: &str| request.roles().iter().any(|one| one == role);
    match request.tool().category() {
        Category::Compute if is("guest") => Permission::Deny { why: "guests may not".to_owned() },
        Category::Write if is("guest") => Permission::Ask { why: "guests ask".to_owned() },
        Category::Communicate | Category::Dangerous if is("guest") => Permission::Hide,
        _ => Permission::Allow,
    }
}

#[tokio::test]
async fn the_hosts_rules_go_by_role() {
    let (executor, runs) = executor(by_role);
    let (guest, admin) = (executor.run("").roles(["guest"]), executor.run("").roles(["guests", "admin"]));
    for tool in executor.registry().names() {
        assert!(admin.call(call(tool)).await.is_success());
    }
    assert_eq!(runs.swap(0, Ordering::SeqCst), 6);
    assert!(guest.call(call("look_up")).await.is_success());
    let denied = guest.call(call("work_out").confirmed(true)).await;
    let told = check_refused(&denied, StopReason::PermissionDenied, ErrorClass::PermissionDenied);
    assert_eq!(told["message"], "not permitted: guests may not");
    let asked = guest.call(call("put_down")).await;
    check_refused(&asked, StopReason::NeedsConfirmation, ErrorClass::PermissionDenied);
    assert!(guest.call(call("put_down").confirmed(true)).await.is_success());
    let hidden = guest.call(call("wipe_out").confirmed(true)).await;
    check_refused(&hidden, StopReason::UnknownTool, ErrorClass::NotFound);
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_hidden_tool_is_as_one_that_is_not_there() {
    let (executor, _) = executor(by_role);
    for arguments in [json!({"path": "x", "pin": "4711"}), json!({"wrong": 1}), json!(null)] {
        let guest = executor.run("").roles(["guest"]);
        let hidden = guest.call(ToolCall::new("wipe_out", arguments.clone())).await;
        let absent = guest.call(ToolCall::new("wipe_off", arguments.clone())).await;
        assert_eq!(hidden.text().replace("wipe_out", "wipe_off"), absent.text());
        assert_eq!(absent.text().matches("wipe_out").count(), 0, "{}", absent.text());
        let late = |name| guest.call(ToolCall::new(name, arguments.clone()).deadline(std::time::Duration::ZERO));
        assert_eq!(late("wipe_out").await.text().replace("wipe_out", "wipe_off"), late("wipe_off").await.text());
        let in_time =
            ToolCall::new("wipe_off", arguments.clone()).id("call_1").deadline(std::time::Duration::from_secs(1));
        let absent = guest.call(in_time).await;
        assert_eq!((absent.stop(), absent.call_id()), (Some(StopReason::UnknownTool), "call_1"));
    }
    let guest = executor.run("").roles(["guest"]);
    let absent = guest.call(call("send_off")).await;
    let told = check_refused(&absent, StopReason::UnknownTool, ErrorClass::NotFound);
    assert_eq!(told["message"], "there is no tool `send_off`. The tools are: `look_up`, `put_down`");
    let near = guest.call(call("look_ip")).await;
    assert!(near.text().contains("did you mean `look_up`?"), "{}", near.text());
    let all = executor.run("").roles(["admin"]).call(call("send_off")).await;
    assert!(all.text().contains("`wipe_out`") && all.text().contains("did you mean `send_out`?"), "{}", all.text());
}

#[tokio::test]
async fn a_caller_of_whom_nothing_is_known_is_a_user() {
    let (executor, _) = executor(
        |request: &PermissionRequest<'_>| {
            if request.roles() == ["user"] { Permission::Allow } else { Permission::Hide }
        },
    );
    let unnamed = executor.run("").roles(Vec::<String>::new());
    assert!(executor.call(call("look_up")).await.is_success());
    assert!(executor.run("").call(call("look_up")).await.is_success());
    assert!(unnamed.call(call("look_up")).await.is_success());
    assert!(!executor.run("").roles(["guest"]).call(call("look_up")).await.is_success());
    assert!(executor.call(call("other")).await.text().contains("look_up"));
}

#[tokio::test]
async fn a_denial_comes_before_the_arguments_and_a_question_after_them() {
    type Heard = Arc<Mutex<Vec<Option<Value>>>>;

    let heard = Heard::default();
    let noted = Arc::clone(&heard);
    let (executor, runs) = executor(move |request: &PermissionRequest<'_>| {
        noted.lock().unwrap().push(request.arguments().cloned());
        match request.tool().category() {
            Category::Write => Permission::Deny { why: "never".to_owned() },
            _ => Permission::Ask { why: "always".to_owned() },
        }
    });
    let wrong = json!({"path": 7, "more": 1});
    let denied = executor.call(ToolCall::new("put_down", wrong.clone())).await;
    assert_eq!(denied.stop(), Some(StopReason::PermissionDenied));
    assert!(told(&denied).get("problems").is_none());
    assert_eq!(heard.lock().unwrap().drain(..).collect::<Vec<_>>(), [None]);

    let invalid = executor.call(ToolCall::new("look_up", wrong)).await;
    assert_eq!(invalid.stop(), Some(StopReason::InvalidArguments));
    assert_eq!(heard.lock().unwrap().drain(..).collect::<Vec<_>>(), [None]);

    // What the rules see are the arguments as the tool gets them.
    let asked = executor.call(ToolCall::new("look_up", r#""{\"Path\": \"/srv\"}""#)).await;
    assert_eq!(asked.stop(), Some(StopReason::NeedsConfirmation));
    let seen = heard.lock().unwrap().drain(..).collect::<Vec<_>>();
    assert_eq!(seen, [None, Some(json!({"path": "/srv"}))]);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

fn outside_of_srv(request: &PermissionRequest<'_>) -> Permission {
    let allowed = |all: &Value| all["path"].as_str().is_some_and(|path| path.starts_with("/srv/"));
    match request.arguments() {
        Some(arguments) if !allowed(arguments) => Permission::Deny { why: "only below /srv".to_owned() },
        _ => Permission::Ask { why: "it writes".to_owned() },
    }
}

#[tokio::test]
async fn a_confirmation_answers_a_question_and_lifts_no_prohibition() {
    let (executor, runs) = executor(outside_of_srv);
    let denied = executor.call(call("put_down").confirmed(true)).await;
    assert_eq!(denied.stop(), Some(StopReason::PermissionDenied), "{denied:?}");
    let allowed = ToolCall::new("put_down", json!({"path": "/srv/x"})).confirmed(true);
    assert!(executor.call(allowed).await.is_success());
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_the_rules_cannot_read_is_not_run() {
    /// Looks at a part of what it gets.
    #[tool(category = Write)]
    async fn partly(part: Part, #[state] runs: &Runs) -> String {
        runs.fetch_add(1, Ordering::SeqCst);
        part.path
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Part {
        path: String,
    }

    let runs = Runs::default();
    let registry = Registry::builder().tool::<partly>().build().unwrap();
    // The rule forbids a path, and would not find it in what it cannot read.
    let rules = |request: &PermissionRequest<'_>| match request.arguments() {
        Some(all) if all["part"]["path"] == "/etc/passwd" => Permission::Deny { why: "no".to_owned() },
        _ => Permission::Allow,
    };
    let executor = Executor::builder(registry).state(Arc::clone(&runs)).permissions(rules).build().unwrap();
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    for arguments in [
        r#"{"part": {"path": "/etc/passwd"}}"#.to_owned(),
        format!(r#"{{"part": {{"path": "/etc/passwd", "rest": {deep}}}}}"#),
    ] {
        let result = executor.call(ToolCall::new("partly", arguments)).await;
        assert!(!result.is_success(), "{result:?}");
        told(&result);
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    assert!(executor.call(ToolCall::new("partly", json!({"part": {"path": "x"}}))).await.is_success());
}
