//! The desk's words in both languages: the built-in requests, the system prompt and the transcript's labels.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lang {
    En,
    Zh,
}

impl Lang {
    pub(crate) fn words(self) -> &'static Words {
        match self {
            Self::En => &ENGLISH,
            Self::Zh => &CHINESE,
        }
    }
}

pub(crate) struct Words {
    /// What the customer asks for when nothing else is given.
    pub(crate) request: &'static str,
    pub(crate) system: &'static str,
    pub(crate) title: &'static str,
    pub(crate) orders: &'static str,
    pub(crate) shipping: &'static str,
    pub(crate) customer: &'static str,
    pub(crate) model: &'static str,
    pub(crate) desk: &'static str,
    pub(crate) told: &'static str,
    pub(crate) repaired: &'static str,
    pub(crate) ok: &'static str,
    pub(crate) waits: &'static str,
    pub(crate) not_run: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) unknown: &'static str,
    pub(crate) done: &'static str,
    pub(crate) rows: &'static str,
    pub(crate) read: &'static str,
    pub(crate) changed: &'static str,
    pub(crate) attempts: &'static str,
    pub(crate) calls: &'static str,
    pub(crate) requests: &'static str,
    pub(crate) mails: &'static str,
    pub(crate) none: &'static str,
    pub(crate) time: &'static str,
    /// Why the desk does not itself agree to a call that asks for a person.
    pub(crate) colleague: &'static str,
}

pub(crate) const ENGLISH: Words = Words {
    request: "Hello, this is Amira Haddad (amira.haddad@example.com). Where are ORD10000684 and ORD10000557? \
              Please deliver ORD10000684 on 2026-03-02 instead. And cancel ORD10000522, please. \
              Kindly confirm by e-mail.",
    system: "You serve the customers of a shop at its order desk. Use the tools; never guess what they can tell you. \
             Send the customer an e-mail only where it was asked for. Answer briefly.",
    title: "Order desk",
    orders: "orders",
    shipping: "shipping service",
    customer: "customer",
    model: "model",
    desk: "desk",
    told: "told",
    repaired: "repaired",
    ok: "ok",
    waits: "waits",
    not_run: "not run",
    failed: "failed",
    unknown: "outcome unknown",
    done: "What was really done",
    rows: "database",
    read: "rows read",
    changed: "rows changed",
    attempts: "attempts",
    calls: "calls",
    requests: "requests",
    mails: "mail",
    none: "none",
    time: "time",
    colleague: "a colleague has to confirm it first, and will be asked",
};

pub(crate) const CHINESE: Words = Words {
    request: "您好，我是李婷（li.ting@example.com）。ORD10000625 和 ORD10000577 到哪里了？\
              请把 ORD10000625 改到 2026-03-02 送货。请取消 ORD10000481。办好后请发邮件确认。",
    system: "你在商店的订单服务台为顾客服务。请使用工具，不要猜测工具能告诉你的内容。只有顾客要求时才发邮件。回答要简短。",
    title: "订单服务台",
    orders: "个订单",
    shipping: "物流服务",
    customer: "顾客",
    model: "模型",
    desk: "服务台",
    told: "告知",
    repaired: "已修复",
    ok: "成功",
    waits: "等待",
    not_run: "未执行",
    failed: "失败",
    unknown: "结果未知",
    done: "实际完成的事",
    rows: "数据库",
    read: "读取行数",
    changed: "更改行数",
    attempts: "尝试",
    calls: "调用",
    requests: "请求",
    mails: "邮件",
    none: "无",
    time: "用时",
    colleague: "须由同事先确认，已转交",
};
