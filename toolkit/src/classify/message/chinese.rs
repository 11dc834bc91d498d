//! Chinese wordings, and a few of its neighbours. They are written without spaces, so there are no words to take apart.

use std::sync::LazyLock;

use super::Found;
use super::eight::eight_at;
use crate::classify::ErrorClass::{
    self, Conflict, Internal, InvalidArgument, Network, NotFound, PermissionDenied, RateLimit, ServiceUnavailable,
    Timeout,
};

struct Wording {
    /// Its first eight bytes, of which the mask covers those that it has.
    head: u64,
    mask: u64,
    text: &'static str,
    class: ErrorClass,
}

struct Index {
    /// By their first characters.
    wordings: Vec<Wording>,
    /// For the end of each first character, which a few share: where the wordings begin that may be meant, and how many
    /// there are.
    groups: [(u8, u8); 4096],
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let all = CHINESE.iter().flat_map(|&(class, wordings)| wordings.iter().map(move |&text| (class, text)));
    let mut wordings: Vec<_> = all
        .map(|(class, text)| {
            let mask = u64::MAX >> (8 * 8_usize.saturating_sub(text.len()));
            Wording { head: eight_at(text.as_bytes(), 0), mask, text, class }
        })
        .collect();
    wordings.sort_unstable_by_key(|wording| (place(wording.head), wording.text));
    let mut groups = [(0, 0); 4096];
    for (at, wording) in wordings.iter().enumerate() {
        let (first, count) = &mut groups[place(wording.head)];
        if *count == 0 {
            *first = u8::try_from(at).unwrap_or(u8::MAX);
        }
        *count += 1;
    }
    Index { wordings, groups }
});

/// What the second and the third byte of a character say.
fn place(head: u64) -> usize {
    (head >> 8 & 63) as usize | (head >> 10 & 63 << 6) as usize
}

pub(super) fn search(text: &str, found: &mut Found) {
    let Index { wordings, groups } = &*INDEX;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Every wording begins with a character of three bytes.
        if bytes[at] < 0xe0 {
            at += 1;
            continue;
        }
        let head = eight_at(bytes, at);
        let (first, count) = groups[place(head)];
        for wording in &wordings[usize::from(first)..][..usize::from(count)] {
            if head & wording.mask == wording.head {
                note(text, at, wording, found);
            }
        }
        at += 3;
    }
}

fn note(text: &str, at: usize, wording: &Wording, found: &mut Found) {
    let Some(rest) = text[at..].strip_prefix(wording.text) else { return };
    let is_setting = CHINESE_SETTINGS.iter().any(|setting| rest.starts_with(setting));
    let before = CHINESE_VERBS.iter().find_map(|verb| text[..at].strip_suffix(verb)).unwrap_or(&text[..at]);
    let is_denied = CHINESE_NEGATIONS.iter().any(|negation| before.ends_with(negation));
    if !is_setting && !is_denied {
        found.note(wording.class, at);
    }
}

const CHINESE: &[(ErrorClass, &[&str])] = &[
    (
        Timeout,
        &[
            "连接超时",
            "请求超时",
            "读取超时",
            "写入超时",
            "操作超时",
            "响应超时",
            "等待超时",
            "网关超时",
            "执行超时",
            "查询超时",
            "网络超时",
            "调用超时",
            "处理超时",
            "已超时",
            "超时了",
            "連線逾時",
            "請求逾時",
            "連接超時",
            "請求超時",
            "タイムアウトしました",
        ],
    ),
    (
        RateLimit,
        &[
            "请求过于频繁",
            "请求太频繁",
            "请求过多",
            "请求频率过高",
            "请求次数过多",
            "操作过于频繁",
            "操作太频繁",
            "访问过于频繁",
            "访问频率过高",
            "触发限流",
            "被限流",
            "超出速率限制",
            "超过速率限制",
            "請求過於頻繁",
        ],
    ),
    (
        ServiceUnavailable,
        &[
            "服务不可用",
            "服务暂不可用",
            "服务暂时不可用",
            "服务当前不可用",
            "服务器繁忙",
            "服务器忙",
            "服务繁忙",
            "系统繁忙",
            "服务器过载",
            "服務不可用",
            "服務暫時不可用",
            "伺服器忙碌",
        ],
    ),
    (
        Network,
        &[
            "连接被拒绝",
            "拒绝连接",
            "连接被重置",
            "连接已重置",
            "连接被关闭",
            "连接已断开",
            "连接中断",
            "网络不可达",
            "网络异常",
            "网络错误",
            "主机不可达",
            "域名解析失败",
            "無法連線",
            "連線被拒絕",
        ],
    ),
    (
        PermissionDenied,
        &[
            "未授权",
            "无权限",
            "没有权限",
            "权限不足",
            "无权访问",
            "禁止访问",
            "拒绝访问",
            "认证失败",
            "鉴权失败",
            "余额不足",
            "未登录",
            "權限不足",
            "未授權",
        ],
    ),
    (NotFound, &["不存在", "未找到", "找不到", "没有找到", "没找到"]),
    (Conflict, &["已存在", "已经存在", "冲突", "重复提交", "衝突"]),
    (InvalidArgument, &["参数错误", "参数无效", "无效参数", "无效的参数", "参数不合法", "請求參數錯誤"]),
    (Internal, &["内部错误", "服务器内部错误"]),
];

/// After one of [`CHINESE`], these say that a setting is meant, a figure, or a question.
const CHINESE_SETTINGS: &[&str] = &[
    "设置", "时间", "时长", "参数", "值", "配置", "阈值", "上限", "必须", "应", "不能", "无效", "選項", "設定", "次数",
    "率", "检测", "统计", "少",
];

/// Before one of [`CHINESE`], these say that it did not happen.
const CHINESE_NEGATIONS: &[&str] = &["未", "没有", "没", "不会", "不是", "并不", "沒有", "沒", "不會"];

/// Between a negation and one of [`CHINESE`], these say what did not happen.
const CHINESE_VERBS: &[&str] = &["发生", "出现", "發生", "出現"];
