//! The scripted model's sentences: what it says beside its calls, its mail and its last answer.

use serde_json::Value;

use crate::correction::Lesson;
use crate::script::{Finding, Stage};
use crate::wishes::Wishes;

const CLASSES: [&str; 10] = [
    "timeout",
    "network",
    "rate_limit",
    "service_unavailable",
    "invalid_argument",
    "permission_denied",
    "not_found",
    "conflict",
    "internal",
    "unknown",
];
const MAX_REASON: usize = 80;

/// The sentence that stands beside the calls of a turn.
pub(crate) fn thought(stage: Stage, lesson: Option<&Lesson>, chinese: bool) -> String {
    let text = match (lesson, stage, chinese) {
        (Some(Lesson::Tool(tool)), _, false) => return format!("So the tool is called `{tool}`."),
        (Some(Lesson::Tool(tool)), _, true) => return format!("原来这个工具叫 `{tool}`。"),
        (Some(Lesson::Argument(name)), _, false) => return format!("I have to correct `{name}`."),
        (Some(Lesson::Argument(name)), _, true) => return format!("我需要更正 `{name}`。"),
        (Some(Lesson::WholeArguments), _, false) => "My call broke off; here it is in full.",
        (Some(Lesson::WholeArguments), _, true) => "我的调用中断了，现在完整发送。",
        (None, Stage::Find, false) => "I look up the customer's orders first.",
        (None, Stage::Find, true) => "我先查找这位顾客的订单。",
        (None, Stage::Status, false) => "Now I check where they are.",
        (None, Stage::Status, true) => "现在查询物流状态。",
        (None, Stage::Deliver, false) => "I change the day of delivery.",
        (None, Stage::Deliver, true) => "我来更改送货日期。",
        (None, Stage::Cancel, false) => "I try to cancel the order.",
        (None, Stage::Cancel, true) => "我来取消订单。",
        (None, Stage::Mail, false) => "I write the customer an e-mail.",
        (None, Stage::Mail, true) => "我给顾客写一封邮件。",
    };
    text.to_owned()
}

/// The subject and the text of the mail to the customer.
pub(crate) fn mail(wishes: &Wishes, findings: &[Finding]) -> (&'static str, String) {
    let lines = lines(wishes, findings).join("\n");
    if wishes.chinese {
        ("您的订单", format!("您好：\n\n{lines}\n\n订单服务台"))
    } else {
        ("Your orders", format!("Hello,\n\n{lines}\n\nYour order desk"))
    }
}

/// The answer that ends the conversation.
pub(crate) fn answer(wishes: &Wishes, findings: &[Finding]) -> String {
    let mut lines = lines(wishes, findings);
    let ask = if wishes.chinese {
        "请告诉我您的订单号（例如 ORD10000684）或您下单时用的邮箱地址。"
    } else {
        "Please tell me the order number, for example ORD10000684, or the e-mail address that you ordered with."
    };
    for finding in findings.iter().filter(|finding| finding.stage == Stage::Mail) {
        lines.push(match (&finding.end, wishes.chinese) {
            (Ok(_), false) => "I have sent you all this by e-mail.".to_owned(),
            (Ok(_), true) => "以上内容已通过邮件发送给您。".to_owned(),
            (Err(told), false) => format!("The e-mail could not be sent ({}).", reason(told)),
            (Err(told), true) => format!("邮件未能发送（{}）。", reason(told)),
        });
    }
    if lines.is_empty() { ask.to_owned() } else { lines.join("\n") }
}

fn lines(wishes: &Wishes, findings: &[Finding]) -> Vec<String> {
    let only_find = findings.iter().all(|finding| matches!(finding.stage, Stage::Find | Stage::Mail));
    findings
        .iter()
        .filter(|finding| finding.stage != Stage::Mail && (only_find || finding.stage != Stage::Find))
        .map(|finding| if wishes.chinese { chinese(finding) } else { english(finding) })
        .collect()
}

fn english(Finding { stage, subject, end }: &Finding) -> String {
    let text = |value: &Value, key: &str| plain(&value[key]);
    match (stage, end) {
        (Stage::Find, Ok(found)) => list(found, "You have no orders with us.", "Your orders: "),
        (Stage::Status, Ok(order)) if order["last_seen"].is_string() => format!(
            "- {subject} is on its way: last seen in {}, days left: {}.",
            text(order, "last_seen"),
            text(order, "days_left")
        ),
        (Stage::Status, Ok(order)) => format!("- {subject} is {}.", text(order, "status")),
        (Stage::Deliver, Ok(order)) => format!("- {subject} will be delivered on {}.", text(order, "deliver_on")),
        (Stage::Cancel, Ok(_)) => format!("- {subject} is cancelled."),
        (Stage::Cancel, Err(told)) if told.contains("confirm") => {
            format!("- {subject}: a colleague has to confirm the cancellation first.")
        }
        (Stage::Find, Err(told)) => format!("- I could not look up your orders ({}).", reason(told)),
        (Stage::Status, Err(told)) => format!("- {subject}: I could not find out where it is ({}).", reason(told)),
        (Stage::Deliver, Err(told)) => format!("- {subject}: the day could not be changed ({}).", reason(told)),
        (Stage::Cancel, Err(told)) => format!("- {subject} could not be cancelled ({}).", reason(told)),
        (Stage::Mail, _) => String::new(),
    }
}

fn chinese(Finding { stage, subject, end }: &Finding) -> String {
    let text = |value: &Value, key: &str| plain(&value[key]);
    match (stage, end) {
        (Stage::Find, Ok(found)) => list(found, "没有找到您的订单。", "您的订单："),
        (Stage::Status, Ok(order)) if order["last_seen"].is_string() => {
            format!(
                "- {subject} 正在运输中：最近到达 {}，还需 {} 天。",
                text(order, "last_seen"),
                text(order, "days_left")
            )
        }
        (Stage::Status, Ok(order)) => format!("- {subject} 的状态：{}。", text(order, "status")),
        (Stage::Deliver, Ok(order)) => format!("- {subject} 将于 {} 送达。", text(order, "deliver_on")),
        (Stage::Cancel, Ok(_)) => format!("- {subject} 已取消。"),
        (Stage::Cancel, Err(told)) if told.contains("确认") => format!("- {subject}：取消需要同事先确认。"),
        (Stage::Find, Err(told)) => format!("- 无法查找您的订单（{}）。", reason(told)),
        (Stage::Status, Err(told)) => format!("- {subject}：暂时查不到物流信息（{}）。", reason(told)),
        (Stage::Deliver, Err(told)) => format!("- {subject}：送货日期未能更改（{}）。", reason(told)),
        (Stage::Cancel, Err(told)) => format!("- {subject} 未能取消（{}）。", reason(told)),
        (Stage::Mail, _) => String::new(),
    }
}

fn list(found: &Value, none: &str, some: &str) -> String {
    let orders = found["orders"].as_array().into_iter().flatten();
    let orders: Vec<_> = orders
        .map(|order| format!("{} {} ({})", plain(&order["order_id"]), plain(&order["item"]), plain(&order["status"])))
        .collect();
    if orders.is_empty() { none.to_owned() } else { format!("{some}{}", orders.join("; ")) }
}

/// The class that the text names, else how the text begins.
fn reason(told: &str) -> String {
    let class = CLASSES.iter().filter_map(|class| Some((told.find(class)?, *class))).min();
    match class {
        Some((_, class)) => class.replace('_', " "),
        None => told.lines().next().unwrap_or_default().chars().take(MAX_REASON).collect(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
