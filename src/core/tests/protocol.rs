//! Reading what models write, through the parser's public face: tables of faults, and properties over any input.

mod bounds;
mod candidates;
mod check;
mod corpus;
mod endings;
mod json_answers;
mod json_faults;
mod leaks;
mod mentions;
mod native;
mod near_writings;
mod no_calls;
mod outputs;
mod properties;
mod quoted;
mod rest;
mod schema;
mod speech;
mod thinking;
mod well_formed;
mod writings;
mod xml_answers;
mod xml_faults;
