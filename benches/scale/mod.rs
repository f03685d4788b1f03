//! How much a benchmark works on: all of it where something is measured (`cargo bench`), a two-hundredth where a run only
//! shows that it still works (`cargo test`), so that this takes seconds also without optimisation.

/// So much of the full number of messages, bytes or rounds.
pub fn scale_down(full: u64) -> u64 {
    let measures = std::env::args().any(|argument| argument == "--bench");
    if measures { full } else { full / 200 }
}
