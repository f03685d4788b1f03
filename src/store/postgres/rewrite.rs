//! Writing a table anew, so that its file holds nothing of what was deleted. A plain `VACUUM` frees the place of a row and
//! leaves its bytes there.

use super::connection::PostgresConnection;
use super::link::LinkResult;
use crate::sql_error::{PostgresError, PostgresFault};

/// So long may everything else wait for somebody who has the table: who wants the lock stands before all that come later.
const WAIT_FOR_TABLE: &str = "SET lock_timeout = '2s'";
const WAIT_FOR_ALL: &str = "SET lock_timeout = 0";

impl PostgresConnection {
    /// Writes a table anew; answers whether nothing that was deleted is left in it. Something is where somebody else has the
    /// table, or a snapshot from before: a standby, too, or a backup that runs.
    pub fn rewrite(&self, table: &str) -> LinkResult<bool> {
        self.execute_batch(WAIT_FOR_TABLE)?;
        let told = self.read_notices(&format!("VACUUM (FULL, VERBOSE) {table}"));
        self.execute_batch(WAIT_FOR_ALL)?;
        match told {
            Ok(notices) => match notices.first() {
                Some(notice) => Ok(!is_something_left(notice)),
                // It does not fail where the table is another role's.
                None => Err(PostgresError::new(
                    PostgresFault::Refused,
                    format!("the table {table} was not written anew"),
                )),
            },
            Err(error) if error.kind == PostgresFault::Locked => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// What the server tells of a table that was written anew begins with how many dead rows it had to keep, in any of its
/// languages. No right of Kith's role would show it all snapshots that others hold.
fn is_something_left(notice: &str) -> bool {
    let from_number = notice.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = from_number.split(|c: char| !c.is_ascii_digit()).next();
    number.is_some_and(|number| number.bytes().any(|digit| digit != b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_read_in_any_language() {
        for (notice, is_left) in [
            (
                "0 dead row versions cannot be removed yet.\nCPU: 1.2 s",
                false,
            ),
            ("3 dead row versions cannot be removed yet.\nCPU: 0 s", true),
            (
                "10 tote Zeilenversionen können noch nicht entfernt werden.",
                true,
            ),
            ("0 个死行版本还不能被移除.\n1.", false),
            ("", false),
        ] {
            assert_eq!(is_something_left(notice), is_left, "{notice}");
        }
    }
}
