//! Any bytes as an answer asked for in JSON: no panic.
#![no_main]

mod tools;

use kith_core::policy::OutputProtocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| tools::read(OutputProtocol::Json, data, usize::MAX));
