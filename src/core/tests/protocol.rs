//! Reading what models write, through the parser's public face: tables of faults, and properties over any input.

mod bounds;
mod candidates;
mod check;
mod corpus;
mod endings;
mod json_answers;
mod json_faults;
mod leaked_thoughts;
mod mentions;
mod native;
mod near_writings;
mod no_calls;
mod outputs;
mod outside_text;
mod properties;
mod provider_syntax;
mod quoted_markup;
mod schema;
mod speech;
mod well_formed;
mod writings;
mod xml_answers;
mod xml_faults;
