//! Tools of the host's own, from definition files: one module a kind.

pub mod http;
