//! The results of calls that a conversation answers without running them.

use std::sync::Arc;

use super::admit::Refused;
use super::{Executor, Inner};
use crate::arguments::{secret_names, without_secrets};
use crate::call::{Parts, ToolCall, ToolResult};
use crate::classify::ErrorClass;
use crate::feedback::Situation;
use crate::retry::StopReason;
use crate::run::RunState;

/// Why a call is answered and not run.
#[derive(Clone, Debug)]
pub(crate) enum Unrun {
    /// The conversation makes no more than so many calls.
    TooMany(usize),
    /// A person said no, and why.
    Declined(String),
    /// Nobody answered in time, or the answer came too late.
    Expired,
    /// The answer was used before.
    Used,
}

impl Executor {
    /// The result of a call that is not run.
    pub(crate) fn unrun(&self, run: &Arc<RunState>, call: &ToolCall, why: &Unrun) -> ToolResult {
        let inner = &*self.0;
        let parts = Parts { call_id: call.id.clone(), name: call.name.clone(), ..Parts::default() };
        let refused = inner.refusal(why);
        let spec = inner.registry.find(&call.name).map(|(_, spec)| spec);
        let result = inner.refuse(spec, parts, &call.arguments.text(), refused);
        inner.ended(spec, Some(run), &result);
        result
    }

    /// The arguments of a call as a record may show them.
    pub(crate) fn shown(&self, call: &ToolCall) -> String {
        let text = call.arguments.text();
        // A name that is nobody's may be that of a tool with a secret, but for a letter.
        let secrets = match self.registry().find(&call.name) {
            Some((_, spec)) => secret_names(spec),
            None => self.registry().iter().flat_map(secret_names).collect(),
        };
        without_secrets(&secrets, &text).into_owned()
    }
}

impl Inner {
    fn refusal(&self, why: &Unrun) -> Refused {
        let denied = |message| {
            let stop = StopReason::PermissionDenied;
            Refused::new(ErrorClass::PermissionDenied, message, stop, Situation::Denied)
        };
        match why {
            Unrun::TooMany(most) => {
                let message = self.language.pick(
                    || format!("this conversation makes at most {most} calls, and they are used up"),
                    || format!("此对话最多调用 {most} 次工具，次数已用完"),
                );
                let (stop, situation) = (StopReason::Budget, Situation::NoMoreCalls);
                Refused::new(ErrorClass::PermissionDenied, message, stop, situation)
            }
            Unrun::Declined(why) if why.trim().is_empty() => {
                denied(self.language.pick(|| "a person did not allow it", || "未获人工许可").to_owned())
            }
            Unrun::Declined(why) => denied(
                self.language.pick(|| format!("a person did not allow it: {why}"), || format!("未获人工许可：{why}")),
            ),
            Unrun::Expired => {
                denied(self.language.pick(|| "nobody confirmed it in time", || "未在规定时间内得到确认").to_owned())
            }
            Unrun::Used => {
                denied(self.language.pick(|| "the confirmation has been used already", || "该确认已被使用").to_owned())
            }
        }
    }
}
