//! What the scripted model makes of a customer's words: rules instead of understanding, in English and Chinese.

use crate::orders_file::{is_date, is_order_id};

const MAX_ORDERS: usize = 5;
const ORDER_ID_LENGTH: usize = 11;

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Wishes {
    pub(crate) chinese: bool,
    pub(crate) email: Option<String>,
    /// Orders whose status is asked for.
    pub(crate) status: Vec<String>,
    /// An order and its new day of delivery.
    pub(crate) deliver: Vec<(String, String)>,
    pub(crate) cancel: Vec<String>,
    pub(crate) mail: bool,
}

/// Reads a request. Inside a sentence an order belongs to the last wish before it ("cancel ORD… and where is ORD…"); a
/// sentence that names a day is about delivery.
pub(crate) fn read(text: &str) -> Wishes {
    let lower = text.to_lowercase();
    let mut wishes = Wishes {
        chinese: text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)),
        email: email(text),
        mail: ["mail", "write to me", "confirm", "邮件", "邮箱"].iter().any(|word| lower.contains(word)),
        ..Wishes::default()
    };
    for sentence in sentences(text) {
        let day = dates(sentence).last();
        for (place, order_id) in orders(sentence) {
            let before = sentence[..place].to_lowercase();
            let cancel = last_of(&before, &["cancel", "取消"]);
            let other = last_of(&before, &["where", "status", "track", "deliver", "哪", "状态", "送"]);
            match day {
                _ if cancel.is_some() && cancel > other => add(&mut wishes.cancel, order_id.to_owned()),
                Some(day) => add(&mut wishes.deliver, (order_id.to_owned(), day.to_owned())),
                None => add(&mut wishes.status, order_id.to_owned()),
            }
        }
    }
    wishes
}

/// The wishes of one request are few; whoever names more orders is served the first of them.
fn add<T: PartialEq>(list: &mut Vec<T>, wish: T) {
    if list.len() < MAX_ORDERS && !list.contains(&wish) {
        list.push(wish);
    }
}

fn last_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().filter_map(|word| text.rfind(word)).max()
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    // A full stop inside an address or an amount has no blank behind it.
    text.split(['。', '！', '？', '；', '\n', '!', '?', ';']).flat_map(|part| part.split(". "))
}

fn orders(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("ORD").filter_map(|(place, _)| {
        let id = text.get(place..place + ORDER_ID_LENGTH)?;
        let more = text[place + ORDER_ID_LENGTH..].starts_with(|c: char| c.is_ascii_digit());
        (is_order_id(id) && !more).then_some((place, id))
    })
}

fn dates(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit() && c != '-').filter(|word| is_date(word))
}

fn email(text: &str) -> Option<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && !"@._+-".contains(c))
        .map(|word| word.trim_matches(['.', '-']))
        .find(|word| word.split_once('@').is_some_and(|(name, domain)| !name.is_empty() && domain.contains('.')))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_built_in_requests() {
        let wishes = read(crate::words::ENGLISH.request);
        assert_eq!(wishes.email.as_deref(), Some("amira.haddad@example.com"));
        assert_eq!(wishes.status, ["ORD10000684", "ORD10000557"]);
        assert_eq!(wishes.deliver, [("ORD10000684".to_owned(), "2026-03-02".to_owned())]);
        assert_eq!(wishes.cancel, ["ORD10000522"]);
        assert!(wishes.mail && !wishes.chinese);

        let wishes = read(crate::words::CHINESE.request);
        assert_eq!(wishes.email.as_deref(), Some("li.ting@example.com"));
        assert_eq!(wishes.status, ["ORD10000625", "ORD10000577"]);
        assert_eq!(wishes.deliver, [("ORD10000625".to_owned(), "2026-03-02".to_owned())]);
        assert_eq!(wishes.cancel, ["ORD10000481"]);
        assert!(wishes.mail && wishes.chinese);
    }

    #[test]
    fn reads_ones_own_requests() {
        let wishes = read("Cancel ORD10000522 and tell me where ORD10000684 is");
        assert_eq!((wishes.cancel, wishes.status), (vec!["ORD10000522".into()], vec!["ORD10000684".into()]));
        assert_eq!(read("ORD10000684?").status, ["ORD10000684"]);
        assert_eq!(read("ORD123 or ORD123456789 or 订单ORD").status, [""; 0]);
        assert_eq!(read("hello"), Wishes::default());
    }
}
