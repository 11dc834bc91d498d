//! What sqlx says of an SQLite that is really there, and what it means.

#[cfg(test)]
mod errors;
