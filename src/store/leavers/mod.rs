//! People who are being forgotten: how they are known, and what is said, noted and heard of them meanwhile.

pub(crate) mod identifying_trace;
pub(crate) mod late_writes;
pub(crate) mod leaving_people;
pub(crate) mod stripped_turn;
pub(crate) mod target;
pub(crate) mod tombstones;
