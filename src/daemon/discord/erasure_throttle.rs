//! How often one person may have everything of theirs erased: each time the whole database is looked through, and
//! everybody else waits for that. Kept in memory only, and not for long.

use std::collections::HashMap;

use kith_core::chat::{MINUTE, Millis, UserId};

/// So many times may be asked …
const MOST: usize = 3;
/// … within this time.
const WITHIN: Millis = 10 * MINUTE;

/// Who asked lately, and when.
#[derive(Default)]
pub(super) struct RequestThrottle(HashMap<UserId, Vec<Millis>>);

impl RequestThrottle {
    /// Somebody asks; answers whether it is done, or else how long they have to wait, in milliseconds.
    pub fn try_request(&mut self, user: UserId, now: Millis) -> Result<(), Millis> {
        self.0.retain(|_, asked| {
            asked.retain(|at| now - at < WITHIN);
            !asked.is_empty()
        });
        let asked = self.0.entry(user).or_default();
        match asked.first() {
            Some(first) if asked.len() >= MOST => Err(first + WITHIN - now),
            _ => {
                asked.push(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_can_have_everything_looked_through_again_and_again() {
        let (anna, ben) = (UserId(1), UserId(2));
        let mut often = RequestThrottle::default();
        for now in 0..3 {
            assert_eq!(often.try_request(anna, now), Ok(()));
        }
        assert_eq!(often.try_request(anna, MINUTE), Err(9 * MINUTE));
        assert_eq!(often.try_request(ben, MINUTE), Ok(()), "others may");
        assert_eq!(
            often.try_request(anna, WITHIN),
            Ok(()),
            "what was refused does not count"
        );
        assert_eq!(often.try_request(ben, 3 * WITHIN), Ok(()));
        assert_eq!(often.0.len(), 1, "nobody is kept longer than needed");
    }
}
