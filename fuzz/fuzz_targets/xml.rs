//! Any bytes as an answer asked for in XML: no panic.
#![no_main]

use kith::core::policy::Protocol;
use kith::core::protocol::parse_whole;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    parse_whole(Some(Protocol::Xml), data, std::sync::Arc::from(Vec::new()));
});
