//! The nonce of a message: Discord refuses a second one of the same nonce for some minutes, so nothing is said twice. The
//! outbox keeps it (`store/history.rs`), and `delivery_lookup.rs` knows a posted message by it.

use sha2::{Digest, Sha256};

/// The longest nonce Discord takes, in bytes.
const LONGEST_NONCE: usize = 25;

/// The nonce of a part of a message: what the outbox keeps, and from the second part on the part's number; what is
/// longer than Discord takes becomes a fingerprint of it.
pub fn compute_nonce(outgoing: &str, part: usize) -> String {
    let whole = if part == 0 {
        outgoing.to_owned()
    } else {
        format!("{outgoing}+{part}")
    };
    if whole.len() <= LONGEST_NONCE {
        return whole;
    }
    let digest = Sha256::digest(whole.as_bytes());
    digest
        .iter()
        .take(LONGEST_NONCE / 2)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
