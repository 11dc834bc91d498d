//! Names that are nearly the same.

/// The name nearest to what was written, where one is near.
pub(crate) fn nearest<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = lowered(written);
    names
        .map(|name| (distance(&wanted, &lowered(name)), name))
        .filter(|(distance, name)| {
            let longer = name.chars().count().max(written.chars().take(LONGEST + 1).count());
            *distance * 5 <= longer * 2
        })
        .min()
        .map(|(_, name)| name)
}

/// No name is longer, and comparing takes the product of the lengths.
const LONGEST: usize = 64;

fn lowered(text: &str) -> Vec<char> {
    text.chars().take(LONGEST).flat_map(char::to_lowercase).collect()
}

/// How many characters have to be put in, left out, changed or swapped to make one text of the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

/// Whether two keys are one but for case, `_`, `-` and spaces.
pub(crate) fn same_key(a: &str, b: &str) -> bool {
    letters(a).eq(letters(b))
}

/// What of a key tells it from another one.
pub(super) fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase)
}
