//! Reading what models write, through the parser's public face: tables of faults, and properties over any input.

#[path = "protocol/check.rs"]
mod check;
#[path = "protocol/well_formed.rs"]
mod well_formed;
