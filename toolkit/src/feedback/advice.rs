//! What can be done next, for every way in which a call can end without success.

use super::Language;
use crate::call::Outcome;
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::retry::StopReason;

/// Where the model stands after a call, which decides what it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Situation {
    /// There is no such tool.
    UnknownTool,
    /// There is no such tool, and there was none the last times either.
    Inventing,
    /// The arguments are not what the tool takes.
    WrongArguments,
    /// The reply that held the call was cut off.
    CutOff,
    /// The caller may not do this.
    Denied,
    /// A person is to be asked first.
    Asks,
    /// It may have happened, and doing it twice would be two effects.
    MayHaveHappened,
    /// The same call failed too often.
    Repeated,
    /// It failed for now, and trying went on for as long as it may.
    GaveUp,
    /// The service says when to come back, and that is too far off to wait for.
    TooLongToWait,
    /// The time for the call is over.
    OutOfTime,
    /// The tool turned it down: what was asked for is wrong.
    TurnedDown,
    /// What was asked for is not there.
    NotThere,
    /// It clashes with the state of things.
    Clashes,
    /// It is not allowed where the tool went.
    Forbidden,
    /// No more calls are made in this conversation.
    NoMoreCalls,
    /// The tool is broken.
    Broken,
}

impl Situation {
    /// After the attempts of a call.
    pub(crate) fn after(error: &ToolError, outcome: Outcome, stop: StopReason) -> Self {
        match stop {
            _ if outcome == Outcome::Unknown => Situation::MayHaveHappened,
            StopReason::RetryAfterTooLong => Situation::TooLongToWait,
            StopReason::Deadline => Situation::OutOfTime,
            _ => Situation::of_error(error),
        }
    }

    pub(crate) fn of_error(error: &ToolError) -> Self {
        match error.class() {
            ErrorClass::Timeout | ErrorClass::Network | ErrorClass::RateLimit | ErrorClass::ServiceUnavailable => {
                Situation::GaveUp
            }
            ErrorClass::InvalidArgument => Situation::TurnedDown,
            ErrorClass::NotFound => Situation::NotThere,
            ErrorClass::Conflict => Situation::Clashes,
            ErrorClass::PermissionDenied => Situation::Forbidden,
            ErrorClass::Internal | ErrorClass::Unknown => Situation::Broken,
        }
    }

    /// Whether calling the tool again can make sense, after what the advice says.
    pub(crate) fn may_call_again(self) -> bool {
        match self {
            Situation::WrongArguments
            | Situation::CutOff
            | Situation::GaveUp
            | Situation::TooLongToWait
            | Situation::OutOfTime
            | Situation::TurnedDown
            | Situation::NotThere
            | Situation::Clashes => true,
            Situation::UnknownTool
            | Situation::Inventing
            | Situation::Denied
            | Situation::Asks
            | Situation::MayHaveHappened
            | Situation::Repeated
            | Situation::Forbidden
            | Situation::NoMoreCalls
            | Situation::Broken => false,
        }
    }

    /// What to do next, in one or two sentences.
    pub(crate) fn advice(self, language: Language) -> &'static str {
        let (english, chinese) = match self {
            Situation::UnknownTool => (
                "Nothing was run. Call one of the tools you were given, by its exact name.",
                "没有执行任何操作。请使用所提供工具的准确名称进行调用。",
            ),
            Situation::Inventing => (
                "Nothing was run. Stop calling tools that you were not given: answer in words, with what you have.",
                "没有执行任何操作。请停止调用未提供的工具：请用已有的信息直接以文字回答。",
            ),
            Situation::WrongArguments => (
                "Nothing was run. Correct every problem listed and call the tool again.",
                "没有执行任何操作。请改正列出的每个问题后再次调用。",
            ),
            Situation::CutOff => (
                "Nothing was run. Your reply hit its length limit; call the tool again with smaller arguments.",
                "没有执行任何操作。您的回复达到了长度上限；请用更短的参数重新调用。",
            ),
            Situation::Denied => (
                "Nothing was run. Do not repeat this call; use another way or tell the user that it is not allowed.",
                "没有执行任何操作。请不要重复此调用；请换一种方式，或告知用户不允许此操作。",
            ),
            Situation::Asks => (
                "Nothing was run. A person has to confirm this call first: say what it would do, and wait.",
                "没有执行任何操作。此调用须先由人确认：请说明它将做什么，然后等待。",
            ),
            Situation::MayHaveHappened => (
                "It may have taken effect. Check whether it did before repeating it; where you cannot check, tell the user.",
                "操作可能已经生效。重复之前请先核实；如无法核实，请告知用户。",
            ),
            Situation::NoMoreCalls => (
                "Nothing was run. No more tools can be called: answer with what you know.",
                "没有执行任何操作。不能再调用工具：请根据已知的信息回答。",
            ),
            Situation::Repeated => (
                "Nothing was run. Change the arguments, use another way, or tell the user what does not work.",
                "没有执行任何操作。请更改参数、换一种方式，或告知用户哪里行不通。",
            ),
            Situation::GaveUp => (
                "Repeating it at once will not help. Go on with something else and come back later, \
                 or tell the user that the service cannot be reached now.",
                "立即重复没有用。请先处理其他事项稍后再试，或告知用户该服务目前不可用。",
            ),
            Situation::TooLongToWait => (
                "Do not call it before that time has passed. Go on with something else, or tell the user how long it takes.",
                "在等待时间结束之前请不要调用。请先处理其他事项，或告知用户需要等待多久。",
            ),
            Situation::OutOfTime => (
                "The time for this call is over. Go on with what you have, or tell the user what is missing.",
                "此调用的时间已用完。请用已有的信息继续，或告知用户缺少什么。",
            ),
            Situation::TurnedDown => (
                "Correct the arguments by what the message says, then call again; the same call fails again.",
                "请根据提示信息改正参数后再调用；相同的调用仍会失败。",
            ),
            Situation::NotThere => (
                "Check the value you asked for. Call again only with another one, or tell the user that it does not exist.",
                "请核对所查询的值。只有换一个值才能再次调用，或告知用户其不存在。",
            ),
            Situation::Clashes => (
                "Look at how things stand now, then decide; the same call fails again until that changes.",
                "请先查看当前状态再做决定；状态不变时相同的调用仍会失败。",
            ),
            Situation::Forbidden => (
                "Do not repeat it: it is not allowed. Use another way, or tell the user what permission is missing.",
                "请不要重复：没有权限。请换一种方式，或告知用户缺少什么权限。",
            ),
            Situation::Broken => (
                "The same call will fail again. Go on without it, or tell the user that the tool does not work.",
                "相同的调用仍会失败。请在没有该工具的情况下继续，或告知用户该工具无法使用。",
            ),
        };
        language.pick(|| english, || chinese)
    }
}

/// A sentence that gives nothing away, for an error whose text the model must not see.
pub(super) fn neutral(class: ErrorClass, language: Language) -> &'static str {
    let (english, chinese) = match class {
        ErrorClass::Timeout => ("the tool did not answer in time", "工具未能及时响应"),
        ErrorClass::Network => ("the tool could not reach its service", "工具无法连接到其服务"),
        ErrorClass::RateLimit => ("the tool's service gets too many requests", "工具的服务收到的请求过多"),
        ErrorClass::ServiceUnavailable => ("the tool's service is not available now", "工具的服务目前不可用"),
        ErrorClass::InvalidArgument => ("the tool does not take these arguments", "工具不接受这些参数"),
        ErrorClass::PermissionDenied => ("the tool is not permitted to do this", "工具无权执行此操作"),
        ErrorClass::NotFound => ("what was asked for does not exist", "所请求的内容不存在"),
        ErrorClass::Conflict => ("it conflicts with the present state", "与当前状态冲突"),
        ErrorClass::Internal => ("the tool failed inside", "工具内部出错"),
        ErrorClass::Unknown => ("the tool failed for a reason that is not known", "工具因未知原因失败"),
    };
    language.pick(|| english, || chinese)
}
