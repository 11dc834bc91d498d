//! Eight bytes of a text at once: a set of them is one bit each, the highest of the byte.
//!
//! What matters is where words begin and end. Looking at each byte takes several times as long as finding these few places.

use std::num::NonZeroU64;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// The bytes from here on, the first one lowest. What is behind the end of the text is zero.
pub(super) fn eight_at(text: &[u8], at: usize) -> u64 {
    let rest = &text[at..];
    let eight = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut eight = [0; 8];
        eight[..rest.len()].copy_from_slice(rest);
        eight
    });
    u64::from_le_bytes(eight)
}

/// Eight times the same byte.
pub(super) const fn all(byte: u8) -> u64 {
    ONES * byte as u64
}

/// The ASCII letters and digits.
pub(super) const fn alphanumeric(eight: u64) -> u64 {
    let low = eight & !HIGHEST;
    (between(low | all(0x20), b'a', b'z') | between(low, b'0', b'9')) & !eight
}

/// The first bytes of the characters from U+0080 to U+2FFF.
pub(super) const fn starts_below_u3000(eight: u64) -> u64 {
    between(eight & !HIGHEST, 0xc2 & 0x7f, 0xe2 & 0x7f) & eight
}

/// The bytes from `first` to `last`. All are below 128.
const fn between(low: u64, first: u8, last: u8) -> u64 {
    let at_least = low + all(128 - first);
    let beyond = low + all(127 - last);
    at_least & !beyond & HIGHEST
}

/// The places of a set, from the first on.
pub(super) fn places(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let left = NonZeroU64::new(set)?;
        set &= set.wrapping_sub(1);
        Some(left.trailing_zeros() as usize / 8)
    })
}

/// A set with one bit for each byte, the first one lowest.
pub(super) const fn bits(set: u64) -> u64 {
    ((set & HIGHEST) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_apart_at_every_place() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                for around in [0, b'a', b'~', 0xff] {
                    let mut eight = [around; 8];
                    eight[place] = byte;
                    let here = |set: u64| set & (0x80 << (place * 8)) != 0;
                    let eight = u64::from_le_bytes(eight);
                    assert_eq!(here(alphanumeric(eight)), byte.is_ascii_alphanumeric(), "{byte} at {place}");
                    assert_eq!(here(starts_below_u3000(eight)), (0xc2..=0xe2).contains(&byte), "{byte} at {place}");
                }
            }
        }
    }

    #[test]
    fn what_is_behind_the_end_is_zero() {
        assert_eq!(eight_at(b"ab", 1), u64::from(b'b'));
        assert_eq!(eight_at(b"ab", 2), 0);
        assert_eq!(eight_at(b"abcdefghi", 0), u64::from_le_bytes(*b"abcdefgh"));
    }

    #[test]
    fn places_are_counted_from_the_first_byte() {
        let letters = alphanumeric(eight_at(b"a:b:c", 0));
        assert_eq!(places(letters).collect::<Vec<_>>(), [0, 2, 4]);
        assert_eq!(bits(letters), 0b10101);
        assert_eq!(places(0).count(), 0);
    }
}
