//! Any bytes in any pieces: no panic, and the same as all at once.
#![no_main]

mod tools;

use kith_core::policy::OutputProtocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, u8, &[u8])| {
    let (xml, size, data) = input;
    tools::read(if xml { OutputProtocol::Xml } else { OutputProtocol::Json }, data, usize::from(size));
});
