// Attributes that other crates read stay where they are.
#![deny(warnings)]

/// A tool whose attributes the compiler reads.
#[inline]
#[must_use]
#[toolkit::tool(category = Compute)]
#[cfg_attr(all(), track_caller)]
#[allow(clippy::needless_pass_by_value)]
fn attributes(#[allow(unused_variables)] unused: u8, #[allow(unused_mut)] mut list: Vec<u8>) -> usize {
    list.len()
}

fn main() {
    assert_eq!(attributes(1, Vec::new()), 0);
}
