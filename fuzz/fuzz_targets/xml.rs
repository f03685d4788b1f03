//! Any bytes as an answer asked for in XML: no panic.
#![no_main]

mod tools;

use kith_core::policy::OutputProtocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| tools::read(OutputProtocol::Xml, data, usize::MAX));
