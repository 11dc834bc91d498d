//! The scripted model: an agent that serves a customer and makes the mistakes that models make.
//!
//! It has no memory but the messages of the request. For every wish of the customer there is a goal; the calls that
//! belong to a goal are found in the history by their ids, and what came back for them decides what is done next. The
//! first drafts of some goals carry a slip, and only the text that comes back leads to the next draft. So it would get
//! stuck if that text were of no use, and it would say so.

use serde_json::{Map, Value, json};

use crate::correction::{Correction, Draft, Lesson, correct, names};
use crate::report;
use crate::wishes::{self, Wishes};

/// A goal that is not reached after this many calls is given up. With a bounded number of goals this bounds the turns.
const MAX_DRAFTS: usize = 4;

/// A mistake in a call, as models make them.
#[derive(Clone, Copy)]
enum Slip {
    /// A tool that was never offered.
    Tool(&'static str),
    /// The argument is left out.
    Missing(&'static str),
    /// The digits of a text as a number.
    NumberForText(&'static str),
    /// A number in quotes.
    TextForNumber(&'static str),
    /// The arguments stop in the middle.
    CutOff,
}

/// What the goals are about, in the order in which they are pursued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    Find,
    Status,
    Deliver,
    Cancel,
    Mail,
}

impl Stage {
    const ALL: [Self; 5] = [Self::Find, Self::Status, Self::Deliver, Self::Cancel, Self::Mail];

    fn tool(self) -> &'static str {
        match self {
            Self::Find => "find_orders",
            Self::Status => "check_order_status",
            Self::Deliver => "change_delivery_date",
            Self::Cancel => "cancel_order",
            Self::Mail => "send_email",
        }
    }

    /// The key that stands in a result of this tool, and in no failure.
    fn mark(self) -> &'static str {
        match self {
            Self::Find => "orders",
            Self::Status => "days_left",
            Self::Deliver => "deliver_on",
            Self::Cancel => "cancelled",
            Self::Mail => "file",
        }
    }
}

struct Goal {
    stage: Stage,
    /// The order, or what else tells the goals of a stage apart.
    subject: String,
    facts: Map<String, Value>,
    slips: &'static [Slip],
}

/// How a goal ended.
pub(crate) struct Finding {
    pub(crate) stage: Stage,
    pub(crate) subject: String,
    /// The tool's result, or the text of the failure that the model could do nothing about.
    pub(crate) end: Result<Value, String>,
}

enum Progress {
    Next { draft: Draft, lesson: Option<Lesson> },
    Ended(Result<Value, String>),
}

/// The model's next message after these.
pub(crate) fn next_message(request: &Value) -> Value {
    let wishes = wishes::read(&customer_text(request));
    let tools = &request["tools"];
    let mut findings = Vec::new();
    for stage in Stage::ALL.into_iter().filter(|stage| names(tools).any(|name| name == stage.tool())) {
        let mut calls = Vec::new();
        let mut lessons = Vec::new();
        for goal in goals(stage, &wishes, &findings) {
            let history = history(request, &goal);
            match progress(&goal, &history, tools) {
                Progress::Ended(end) => findings.push(Finding { stage, subject: goal.subject, end }),
                Progress::Next { draft, lesson } => {
                    // While it is still unsure how the tool is called, it makes one call at a time.
                    let unsure = history.len() < goal.slips.len();
                    calls.push(call(&goal, history.len(), &draft));
                    lessons.extend(lesson);
                    if unsure {
                        break;
                    }
                }
            }
        }
        if !calls.is_empty() {
            let text = report::thought(stage, lessons.first(), wishes.chinese);
            return json!({"role": "assistant", "content": text, "tool_calls": calls});
        }
    }
    json!({"role": "assistant", "content": report::answer(&wishes, &findings)})
}

fn customer_text(request: &Value) -> String {
    let messages = request["messages"].as_array().into_iter().flatten();
    let texts = messages.filter(|message| message["role"] == "user").filter_map(|message| message["content"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn goals(stage: Stage, wishes: &Wishes, findings: &[Finding]) -> Vec<Goal> {
    let goal = |subject: &str, facts: Value, slips| Goal {
        stage,
        subject: subject.to_owned(),
        facts: facts.as_object().cloned().unwrap_or_default(),
        slips,
    };
    let order = |id: &String| goal(id, json!({"order_id": id}), &[]);
    let mut goals: Vec<Goal> = match (stage, &wishes.email) {
        (Stage::Find, Some(email)) => {
            vec![goal("customer", json!({"email": email, "limit": 5}), &[Slip::TextForNumber("limit")])]
        }
        (Stage::Mail, Some(email)) if wishes.mail => {
            let (subject, body) = report::mail(wishes, findings);
            vec![goal("customer", json!({"to": email, "subject": subject, "body": body}), &[Slip::CutOff])]
        }
        (Stage::Find | Stage::Mail, _) => Vec::new(),
        (Stage::Status, _) => wishes.status.iter().map(order).collect(),
        (Stage::Cancel, _) => wishes.cancel.iter().map(order).collect(),
        (Stage::Deliver, _) => {
            let deliver = wishes.deliver.iter();
            deliver.map(|(id, day)| goal(id, json!({"order_id": id, "deliver_on": day}), &[])).collect()
        }
    };
    if let Some(first) = goals.first_mut() {
        match stage {
            Stage::Status => first.slips = &[Slip::Tool("get_order_status"), Slip::NumberForText("order_id")],
            Stage::Deliver => first.slips = &[Slip::Missing("deliver_on")],
            _ => {}
        }
    }
    goals
}

/// The goal's calls so far, each with what came back for it.
fn history(request: &Value, goal: &Goal) -> Vec<(Draft, String)> {
    let messages = request["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let calls = messages.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let prefix = id_prefix(goal);
    calls
        .filter(|call| call["id"].as_str().is_some_and(|id| id.starts_with(&prefix)))
        .map(|call| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let function = &call["function"];
            let draft = Draft { tool: text(&function["name"]), arguments: text(&function["arguments"]) };
            let told = messages.iter().find(|message| message["tool_call_id"] == call["id"]);
            (draft, told.map(|message| message_text(&message["content"])).unwrap_or_default())
        })
        .collect()
}

fn message_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        parts => parts.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect(),
    }
}

fn progress(goal: &Goal, history: &[(Draft, String)], tools: &Value) -> Progress {
    let Some((last, told)) = history.last() else {
        let draft = write(goal.stage.tool(), goal.facts.clone(), goal.slips.first());
        return Progress::Next { draft, lesson: None };
    };
    if let Some(result) =
        serde_json::from_str::<Value>(told).ok().filter(|value| value.get(goal.stage.mark()).is_some())
    {
        return Progress::Ended(Ok(result));
    }
    match correct(last, told, tools, &goal.facts) {
        Some(Correction { tool, arguments, lesson }) if history.len() < MAX_DRAFTS => {
            let draft = write(&tool, arguments, goal.slips.get(history.len()));
            Progress::Next { draft, lesson: Some(lesson) }
        }
        _ => Progress::Ended(Err(told.clone())),
    }
}

/// Writes the call down, with the slip that happens on the way.
fn write(tool: &str, mut arguments: Map<String, Value>, slip: Option<&Slip>) -> Draft {
    let mut draft = Draft { tool: tool.to_owned(), arguments: String::new() };
    match slip.copied() {
        Some(Slip::Tool(name)) => name.clone_into(&mut draft.tool),
        Some(Slip::Missing(name)) => {
            arguments.shift_remove(name);
        }
        Some(Slip::NumberForText(name)) => {
            if let Some(value) = arguments.get_mut(name) {
                let digits: String = value.as_str().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
                *value = digits.parse::<u64>().map_or(Value::Null, Value::from);
            }
        }
        Some(Slip::TextForNumber(name)) => {
            if let Some(value) = arguments.get_mut(name) {
                *value = Value::String(value.to_string());
            }
        }
        Some(Slip::CutOff) | None => {}
    }
    draft.arguments = Value::Object(arguments).to_string();
    if matches!(slip, Some(Slip::CutOff)) {
        let half = draft.arguments.chars().count() / 2;
        draft.arguments = draft.arguments.chars().take(half).collect();
    }
    draft
}

fn call(goal: &Goal, earlier: usize, draft: &Draft) -> Value {
    json!({
        "id": format!("{}{}", id_prefix(goal), earlier + 1),
        "type": "function",
        "function": {"name": draft.tool, "arguments": draft.arguments},
    })
}

fn id_prefix(goal: &Goal) -> String {
    format!("call_{}_{}_", goal.stage.tool(), goal.subject)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{CHINESE, ENGLISH};

    fn tools() -> Value {
        let tool = |name: &str, properties: Value, required: Value| {
            let parameters = json!({"type": "object", "properties": properties, "required": required});
            json!({"type": "function", "function": {"name": name, "parameters": parameters}})
        };
        let text = json!({"type": "string"});
        json!([
            tool("find_orders", json!({"email": text, "limit": {"type": "integer"}}), json!(["email"])),
            tool("check_order_status", json!({"order_id": text}), json!(["order_id"])),
            tool(
                "change_delivery_date",
                json!({"order_id": text, "deliver_on": text}),
                json!(["order_id", "deliver_on"])
            ),
            tool("cancel_order", json!({"order_id": text}), json!(["order_id"])),
            tool("send_email", json!({"to": text, "subject": text, "body": text}), json!(["to", "subject", "body"])),
        ])
    }

    /// A host that answers as this one does, or, without useful feedback, says only that something went wrong.
    fn host(name: &str, arguments: &str, useful: bool) -> String {
        let Ok(sent) = serde_json::from_str::<Value>(arguments) else {
            return if useful { "the JSON was cut off; send less" } else { "error" }.to_owned();
        };
        let has = |key: &str| sent[key].is_string();
        match name {
            "find_orders" => json!({"orders": [{"order_id": "ORD1", "item": "Lamp", "status": "placed"}]}).to_string(),
            "get_order_status" | "check_order_status" | "change_delivery_date" if !useful => "error".to_owned(),
            "check_order_status" if has("order_id") => {
                json!({"order_id": sent["order_id"], "status": "shipped", "last_seen": "Lyon", "days_left": 2})
                    .to_string()
            }
            "check_order_status" => "`order_id`: a string is expected".to_owned(),
            "change_delivery_date" if has("deliver_on") => json!({"deliver_on": sent["deliver_on"]}).to_string(),
            "change_delivery_date" => "the parameter `deliver_on` (string) is missing".to_owned(),
            "cancel_order" => "permission_denied: a person has to confirm this call first".to_owned(),
            "send_email" => json!({"to": sent["to"], "file": "1.eml"}).to_string(),
            _ => format!("there is no tool `{name}`; did you mean `check_order_status`?"),
        }
    }

    /// Every call's tool, and the last message.
    fn converse(ask: &str, useful: bool) -> (Vec<String>, String) {
        let mut request = json!({"messages": [{"role": "user", "content": ask}], "tools": tools()});
        let mut called = Vec::new();
        for _ in 0..30 {
            let message = next_message(&request);
            let Some(calls) = message["tool_calls"].as_array().cloned() else {
                return (called, message["content"].as_str().unwrap_or_default().to_owned());
            };
            let messages = request["messages"].as_array_mut().expect("an array");
            messages.push(message);
            for call in calls {
                let name = call["function"]["name"].as_str().expect("a name");
                let told = host(name, call["function"]["arguments"].as_str().expect("a text"), useful);
                called.push(name.to_owned());
                messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": told}));
            }
        }
        panic!("the model did not come to an end");
    }

    #[test]
    fn serves_the_built_in_requests_and_corrects_itself() {
        for words in [&ENGLISH, &CHINESE] {
            let (called, answer) = converse(words.request, true);
            assert_eq!(
                called,
                [
                    "find_orders",
                    "get_order_status",
                    "check_order_status",
                    "check_order_status",
                    "check_order_status",
                    "change_delivery_date",
                    "change_delivery_date",
                    "cancel_order",
                    "send_email",
                    "send_email",
                ]
            );
            assert!(answer.contains("Lyon") && answer.contains("2026-03-02"), "{answer}");
        }
    }

    #[test]
    fn useless_feedback_leaves_it_stuck_and_it_says_so() {
        let (called, answer) = converse(ENGLISH.request, false);
        let count = |tool: &str| called.iter().filter(|name| *name == tool).count();
        assert_eq!((count("get_order_status"), count("change_delivery_date"), count("send_email")), (1, 1, 1));
        assert!(answer.contains("could not"), "{answer}");
    }

    #[test]
    fn without_an_order_or_an_address_it_asks_for_one() {
        let (called, answer) = converse("Where is my parcel?", true);
        assert_eq!(called, [""; 0]);
        assert!(answer.contains("order number"), "{answer}");
        // Without tools it can only talk.
        let request = json!({"messages": [{"role": "user", "content": "Where is ORD10000684?"}]});
        assert!(next_message(&request)["content"].is_string());
    }
}
