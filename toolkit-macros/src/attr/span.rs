//! `range = 1..=30` and `length = ..=100`: the ends of a span, as literals.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Expr, ExprLit, ExprRange, ExprUnary, Lit, RangeLimits, UnOp};

use super::value::{bare, kind};
use crate::errors::Errors;

/// From one number to another.
pub(crate) struct Span {
    pub(crate) least: Option<Bound>,
    pub(crate) most: Option<Bound>,
    pub(crate) exclusive: bool,
}

/// One end.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    Int(i128),
    Float(f64),
}

impl Bound {
    fn float(self) -> f64 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "only the order of two bounds is asked for")]
            Bound::Int(number) => number as f64,
            Bound::Float(number) => number,
        }
    }

    /// As an end of the runtime's type.
    pub(crate) fn tokens(self, private: &TokenStream) -> TokenStream {
        match self {
            Bound::Int(number) => {
                let number = Literal::i128_unsuffixed(number);
                quote!(#private::int(#number))
            }
            Bound::Float(number) => {
                let number = Literal::f64_unsuffixed(number);
                quote!(#private::float(#number))
            }
        }
    }
}

pub(super) fn range(value: &Expr, errors: &mut Errors) -> Option<Span> {
    span("range", "1..=30", value, errors)
}

pub(super) fn length(value: &Expr, errors: &mut Errors) -> Option<Span> {
    let span = span("length", "1..=100", value, errors)?;
    let is_length = |bound: &Bound| matches!(bound, Bound::Int(number) if *number >= 0);
    if span.least.iter().chain(&span.most).all(is_length) {
        return Some(span);
    }
    errors.push(value, "a `length` is a whole number, and not less than 0");
    None
}

fn span(key: &str, example: &str, value: &Expr, errors: &mut Errors) -> Option<Span> {
    let Expr::Range(ExprRange { start, limits, end, .. }) = bare(value) else {
        errors.push(value, format_args!("`{key}` takes a range, such as `{key} = {example}`, not {}", kind(value)));
        return None;
    };
    let mut bound = |end: &Option<Box<Expr>>| {
        let Some(end) = end else { return Some(None) };
        let number = number(end);
        if number.is_none() {
            errors.push(end, format_args!("the ends of `{key}` are literal numbers, because the schema shows them"));
        }
        number.map(Some)
    };
    let (least, most) = (bound(start), bound(end));
    let span = Span { least: least?, most: most?, exclusive: matches!(limits, RangeLimits::HalfOpen(_)) };
    match (span.least, span.most) {
        (None, None) => errors.push(value, format_args!("this `{key}` allows everything: leave it out")),
        (Some(least), Some(most))
            if least.float() > most.float() || (span.exclusive && least.float() >= most.float()) =>
        {
            errors.push(value, format_args!("this `{key}` allows nothing: it ends before it begins"));
        }
        _ => return Some(span),
    }
    None
}

fn number(value: &Expr) -> Option<Bound> {
    match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok().map(Bound::Int),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse().ok().map(Bound::Float),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match number(expr)? {
            Bound::Int(number) => Some(Bound::Int(-number)),
            Bound::Float(number) => Some(Bound::Float(-number)),
        },
        _ => None,
    }
}
