//! The random part of the waits: numbers that depend on a seed, a stream and a place in it, and on nothing else.

use std::hash::BuildHasher as _;

use foldhash::quality::FixedState;

/// The number at this place of a stream, from 0 to below 1. There is nothing to be kept from one to the next.
#[expect(clippy::cast_precision_loss, reason = "53 bits are what the number holds")]
pub(super) fn random(seed: u64, stream: u64, place: u32) -> f64 {
    let bits = FixedState::with_seed(seed).hash_one((stream, place)) >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::random;

    /// The share of the numbers in each tenth.
    fn tenths(numbers: impl Iterator<Item = f64>) -> Vec<usize> {
        let mut counts = vec![0; 10];
        for number in numbers {
            assert!((0.0..1.0).contains(&number), "{number}");
            counts[(0..10).rev().find(|tenth| number >= f64::from(*tenth as u32) / 10.0).unwrap_or_default()] += 1;
        }
        counts
    }

    #[test]
    fn numbers_are_spread_evenly_over_seeds_streams_and_places() {
        let all = 10_000;
        let even = |counts: Vec<usize>| counts.iter().all(|count| (900..=1100).contains(count));
        assert!(even(tenths((0..all).map(|seed| random(seed, 0, 0)))));
        assert!(even(tenths((0..all).map(|stream| random(7, stream, 0)))));
        assert!(even(tenths((0..all).map(|place| random(7, 3, place as u32)))));
    }

    #[test]
    fn neighbours_have_nothing_to_do_with_each_other() {
        let pairs = (0..10_000_u64).map(|stream| (random(1, stream, 0) - random(1, stream + 1, 0)).abs());
        // The mean distance of two numbers between 0 and 1 is a third.
        let mean = pairs.sum::<f64>() / 10_000.0;
        assert!((0.32..0.35).contains(&mean), "{mean}");
    }
}
