// Bounds on the type, in a where clause, and those that thiserror infers.
#![deny(warnings)]
#![allow(dead_code)]

use std::fmt::{Debug, Display};

use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("no {0}")]
#[class(not_found, message = "no {0}")]
struct Missing<T: Debug + Display>(T);

#[derive(Debug, thiserror::Error, Classify)]
enum Inferred<T, const N: usize>
where
    T: Debug + 'static,
{
    #[error("no {0}")]
    #[class(not_found, detail("size") = 1)]
    Missing(T, [u8; 4]),
    #[error("{0:?}")]
    #[class(internal)]
    Sized([u8; N]),
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum Source<E> {
    #[class(delegate)]
    Inner(#[source] E),
    #[class(delegate)]
    Again(Box<Source<std::io::Error>>),
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
#[class(delegate)]
struct Recursive(Option<Box<Self>>);

#[derive(Debug, thiserror::Error, Classify)]
#[error("{0}")]
#[class(not_found)]
struct Static<'a>(&'a str)
where
    'a: 'static;

fn is<T: Classify>() {}

fn main() {
    is::<Missing<u8>>();
    is::<Inferred<u8, 3>>();
    is::<Source<std::io::Error>>();
    is::<Recursive>();
    is::<Static<'static>>();
}
