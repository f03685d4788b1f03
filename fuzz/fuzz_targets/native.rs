//! Calls handed over in any pieces, several at once: no panic, never a call that is not whole, and the same calls however
//! the arguments are split.
#![no_main]

mod tools;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<(u8, bool, String)>)| {
    let (size, pieces) = input;
    tools::hand_over(&pieces, usize::from(size));
});
