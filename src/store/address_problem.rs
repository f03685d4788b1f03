//! Why a text is not the address of a server.

/// Why a text is not the address of a server. Holds no part of it, for it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressProblem {
    /// It is none.
    Malformed,
    /// It may be one, but this build has no PostgreSQL.
    NotInThisBuild,
}
