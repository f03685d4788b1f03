//! Reading what models write, through the parser's public face: tables of faults, and properties over any input.

#[path = "protocol/bounds.rs"]
mod bounds;
#[path = "protocol/candidates.rs"]
mod candidates;
#[path = "protocol/check.rs"]
mod check;
#[path = "protocol/corpus.rs"]
mod corpus;
#[path = "protocol/endings.rs"]
mod endings;
#[path = "protocol/json_faults.rs"]
mod json_faults;
#[path = "protocol/leaks.rs"]
mod leaks;
#[path = "protocol/mentions.rs"]
mod mentions;
#[path = "protocol/native.rs"]
mod native;
#[path = "protocol/outputs.rs"]
mod outputs;
#[path = "protocol/properties.rs"]
mod properties;
#[path = "protocol/quoted.rs"]
mod quoted;
#[path = "protocol/rest.rs"]
mod rest;
#[path = "protocol/schema.rs"]
mod schema;
#[path = "protocol/scored.rs"]
mod scored;
#[path = "protocol/speech.rs"]
mod speech;
#[path = "protocol/thinking.rs"]
mod thinking;
#[path = "protocol/well_formed.rs"]
mod well_formed;
#[path = "protocol/writings.rs"]
mod writings;
#[path = "protocol/xml_faults.rs"]
mod xml_faults;
