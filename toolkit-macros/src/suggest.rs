//! The name that was meant.

/// The candidate nearest to `given`, where one is near enough that it was probably meant.
///
/// Case and `_` do not count, so that `RateLimit` finds `rate_limit`.
pub(crate) fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = plain(given);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let plain = plain(candidate);
        let distance = if given.len() >= 5 && contains(&plain, &given) { 1 } else { distance(&given, &plain) };
        let near = distance <= given.len().max(plain.len()) / 3;
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Names in backticks, with commas between them and `last` before the last: `` `a`, `b` or `c` ``.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [front @ .., end] => format!("{} {last} {end}", front.join(", ")),
    }
}

fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn contains(whole: &[char], part: &[char]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours count one each.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let mut least = (row[j] + usize::from(a[i] != b[j])).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{list, nearest};

    const NAMES: [&str; 6] = ["timeout", "network", "rate_limit", "service_unavailable", "not_found", "internal"];

    #[test]
    fn a_slip_finds_the_name() {
        for (given, meant) in [
            ("time_out", "timeout"),
            ("Timeout", "timeout"),
            ("timoeut", "timeout"),
            ("RateLimit", "rate_limit"),
            ("rate_limited", "rate_limit"),
            ("unavailable", "service_unavailable"),
            ("notfound", "not_found"),
        ] {
            assert_eq!(nearest(given, NAMES), Some(meant), "{given}");
        }
    }

    #[test]
    fn another_word_finds_nothing() {
        for given in ["", "x", "banana", "fatal", "net", "连接超时"] {
            assert_eq!(nearest(given, NAMES), None, "{given}");
        }
    }

    #[test]
    fn the_nearest_of_several_wins() {
        assert_eq!(nearest("abcd", ["abxd", "abcd_", "abce"]), Some("abcd_"));
    }

    #[test]
    fn a_list_reads_as_a_sentence() {
        assert_eq!(list([], "or"), "");
        assert_eq!(list(["a"], "or"), "`a`");
        assert_eq!(list(["a", "b"], "and"), "`a` and `b`");
        assert_eq!(list(["a", "b", "c"], "or"), "`a`, `b` or `c`");
    }
}
