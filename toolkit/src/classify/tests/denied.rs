//! Texts that name a failure to say that there was none.

use super::super::message::class_of;
use super::*;

fn all(expected: ErrorClass, texts: &[&str]) {
    for text in texts {
        assert_eq!(class_of(text, &[]), expected, "{text}");
    }
}

#[test]
fn what_did_not_happen() {
    all(
        ErrorClass::Unknown,
        &[
            "the rate limit has not been exceeded",
            "rate limit was never reached",
            "rate limit not exceeded",
            "the account was not rate limited",
            "it has never been throttled",
            "the request hasn't timed out",
            "no connection was refused",
            "timed_out: false",
            "{\"timed_out\":false,\"code\":7}",
            "rate_limited=0",
            "service unavailable: no",
            "not found: none",
            "没有触发限流",
            "未触发限流",
            "没有连接超时",
            "没有发生连接超时",
            "不会发生连接超时",
            "未出现服务不可用",
            "未发生网络错误",
            "timeout - 30",
            "不会请求超时",
            "连接超时时间太短",
            "没有冲突",
            "请求过多少次",
            "连接超时次数",
            "网络异常检测正常",
            "网络错误率为零",
        ],
    );
}

#[test]
fn what_did_happen_beside_it() {
    all(ErrorClass::Timeout, &["not retried: timed out", "timed_out: true", "no answer, the request timed out"]);
    all(ErrorClass::RateLimit, &["rate limit of 5 has been reached", "已触发限流", "没有结果：请求过于频繁"]);
    all(ErrorClass::NotFound, &["订单并不存在", "没有找到订单", "the order does not exist"]);
    all(ErrorClass::PermissionDenied, &["未授权", "该用户没有权限"]);
}

#[test]
fn wordings_of_other_programs() {
    all(
        ErrorClass::Network,
        &[
            "Error: getaddrinfo ENOTFOUND api.example.com",
            "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
        ],
    );
    all(
        ErrorClass::ServiceUnavailable,
        &[
            "FATAL: sorry, too many clients already",
            "deadlock detected",
            "Deadlock found when trying to get lock; try restarting transaction",
        ],
    );
    all(ErrorClass::RateLimit, &["rate\u{2010}limit exceeded", "rate\u{a0}limit exceeded"]);
    all(ErrorClass::Timeout, &["Lock wait timeout exceeded; try restarting transaction"]);
}

#[test]
fn what_is_taken_back_around_it() {
    all(
        ErrorClass::Unknown,
        &[
            "bad gateway configuration",
            "too many requests handler is gone",
            "HTTP 503 error configuration",
            "connection closed normally",
            "connection closed by the server gracefully",
            "connection was closed successfully",
            "HTTP 503 was never returned",
            "HTTP 503 Service Unavailable was never returned",
            "HTTP 503 error isn't the reason",
            "error 503 did not occur",
            "no HTTP 503 was returned",
            "the server did not return HTTP 503",
            "it never got an error 503",
            "service unavailable is not the problem",
            "service unavailable errors were never seen",
            "connection reset didn't happen",
            "request timed out has not been seen",
            "timeout setting is invalid",
        ],
    );
}

#[test]
fn what_goes_on_after_it_happened() {
    all(ErrorClass::ServiceUnavailable, &["bad gateway", "HTTP 503", "HTTP 503 error", "HTTP 503 but not HTTP 200"]);
    all(
        ErrorClass::ServiceUnavailable,
        &[
            "service unavailable the server is not responding",
            "502 Bad Gateway - handler crashed",
            "service unavailable - configuration reload in progress",
            "HTTP 503 - not a maintenance",
            "error 503 - do not retry",
        ],
    );
    all(ErrorClass::RateLimit, &["rate limited -- settings say 5 a minute"]);
    all(ErrorClass::Network, &["connection lost - never recovered", "发生网络错误", "没有结果，发生网络错误"]);
    all(
        ErrorClass::Network,
        &[
            "connection closed before message completed",
            "connection closed unexpectedly",
            "connection closed without a reply",
            "connection refused could not reach the shop",
            "getaddrinfo ENOTFOUND config",
            "connection reset: is the server not running?",
            "no answer: connection reset",
        ],
    );
    all(ErrorClass::Timeout, &["timed out, this is not normal", "timed out waiting, never returned"]);
    all(ErrorClass::PermissionDenied, &["forbidden configuration", "unauthorized was not expected"]);
}
