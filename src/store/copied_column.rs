//! The kinds of columns that are copied to a server.

/// What a column of copied rows is to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopiedColumn {
    Whole,
    Real,
    Text,
    Bytes,
    /// The bytes of a vector of words.
    Words,
}
