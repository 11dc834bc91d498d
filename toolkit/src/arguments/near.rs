//! Names that are nearly the same.

/// The name nearest to what was written, where one is near.
pub(crate) fn nearest<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = Word::of(written);
    let length = written.chars().take(LONGEST + 1).count();
    names
        .map(|name| (wanted.distance(name), name))
        .filter(|(distance, name)| *distance * 5 <= name.chars().count().max(length) * 2)
        .min()
        .map(|(_, name)| name)
}

/// No name is longer, and each of its characters has a bit.
const LONGEST: usize = 64;

/// The characters in lower case, as many as are looked at.
fn lowered(text: &str, mut each: impl FnMut(char)) {
    let mut left = LONGEST;
    let mut each = |c| {
        if left > 0 {
            left -= 1;
            each(c);
        }
    };
    for c in text.chars().take(LONGEST) {
        if c.is_ascii() {
            each(c.to_ascii_lowercase());
        } else {
            c.to_lowercase().for_each(&mut each);
        }
    }
}

/// A word that others are compared with.
struct Word {
    length: usize,
    /// The characters in it, and where each stands, one bit a place.
    places: Vec<(char, u64)>,
    /// Which of these each character of ASCII is, counted from one.
    ascii: [u8; 128],
}

impl Word {
    fn of(text: &str) -> Self {
        let mut word = Self { length: 0, places: Vec::with_capacity(16), ascii: [0; 128] };
        lowered(text, |c| {
            let place = 1 << word.length;
            word.length += 1;
            if let Some((_, places)) = word.index(c).and_then(|index| word.places.get_mut(index)) {
                *places |= place;
                return;
            }
            word.places.push((c, place));
            if let (Some(index), Ok(count)) = (word.ascii.get_mut(c as usize), u8::try_from(word.places.len())) {
                *index = count;
            }
        });
        word
    }

    fn index(&self, c: char) -> Option<usize> {
        match self.ascii.get(c as usize) {
            Some(index) => usize::from(*index).checked_sub(1),
            None => self.places.iter().position(|(other, _)| *other == c),
        }
    }

    fn places(&self, c: char) -> u64 {
        self.index(c).and_then(|index| self.places.get(index)).map_or(0, |(_, places)| *places)
    }

    /// How many characters have to be put in, left out, changed or swapped to make one text of the other.
    ///
    /// One column of the usual table at a time, as the bits of a number: where it goes up or down by one from row to row
    /// (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
    fn distance(&self, other: &str) -> usize {
        let (mut up, mut down, mut same, mut before) = (u64::MAX, 0, 0, 0);
        let mut distance = self.length;
        let Some(last) = self.length.checked_sub(1) else {
            lowered(other, |_| distance += 1);
            return distance;
        };
        lowered(other, |c| {
            let here = self.places(c);
            let swapped = ((!same & here) << 1) & before;
            same = ((here & up).wrapping_add(up) ^ up) | here | down | swapped;
            let (right_up, right_down) = (down | !(same | up), same & up);
            distance += usize::from(right_up >> last & 1 == 1);
            distance -= usize::from(right_down >> last & 1 == 1);
            let right_up = right_up << 1 | 1;
            (up, down) = (right_down << 1 | !(same | right_up), right_up & same);
            before = here;
        });
        distance
    }
}

/// Whether two keys are one but for case, `_`, `-` and spaces.
pub(crate) fn same_key(a: &str, b: &str) -> bool {
    fn plain(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|byte| !matches!(byte, b'_' | b'-' | b' ')).map(|byte| byte.to_ascii_lowercase())
    }
    if a.is_ascii() && b.is_ascii() { plain(a).eq(plain(b)) } else { letters(a).eq(letters(b)) }
}

/// What of a key tells it from another one.
pub(super) fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same, by the table.
    fn by_table(a: &str, b: &str) -> usize {
        let all =
            |text: &str| text.chars().take(LONGEST).flat_map(char::to_lowercase).take(LONGEST).collect::<Vec<char>>();
        let (a, b) = (all(a), all(b));
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let other = usize::from(a[i - 1] != b[j - 1]);
                    let best = (table[i - 1][j - 1] + other).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if swapped { best.min(table[i - 2][j - 2] + 1) } else { best }
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_table(a in "[abAé日İ_]{0,12}", b in "[abAé日İ_]{0,12}", c in "[a-cİ]{50,140}") {
            for (a, b) in [(&a, &b), (&a, &c), (&c, &a), (&c, &c)] {
                prop_assert_eq!(Word::of(a).distance(b), by_table(a, b), "{} {}", a, b);
            }
        }
    }

    #[test]
    fn the_nearest_name_is_near() {
        let near = |written: &str| nearest(written, ["city", "country", "max_depth", "a"].into_iter());
        assert_eq!(near("citty"), Some("city"));
        assert_eq!(near("ctiy"), Some("city"));
        assert_eq!(near("MAXDEPTH"), Some("max_depth"));
        assert_eq!(near("limit"), None);
        assert_eq!(near(""), None);
    }
}
