//! What calls and errors mean where some crate of the program keeps the numbers of JSON as they were written.

#[cfg(test)]
mod arguments;
