//! Lints: nothing of the expansion is warned about, under the strictest of them.

mod denied;
mod forbidden;
