//! Answers that may be larger than memory, read a page at a time. Other statements can be asked in between, over the same link:
//! the server keeps what is not fetched yet until the transaction ends.

use rusqlite::ToSql;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql as PostgresToSql, Type};

use super::connection::{PostgresConnection, PostgresStatement};
use super::link::LinkResult;

const PAGE: usize = 500;

pub(crate) struct PostgresCursor<'c> {
    conn: &'c PostgresConnection,
    fetch: String,
}

impl<'c> PostgresStatement<'c> {
    /// Asks for rows and fetches the first of them; the cursor has the rest, if there is any. Outside a transaction all rows
    /// are fetched at once.
    pub fn query_paged(
        &self,
        params: &[&dyn ToSql],
    ) -> LinkResult<(Vec<Row>, Option<PostgresCursor<'c>>)> {
        if !self.conn.is_in_transaction() {
            return Ok((self.query(params)?, None));
        }
        let values = self.bind(params)?;
        let values = values.iter().zip(self.statement.params());
        let values: Vec<(&(dyn PostgresToSql + Sync), Type)> = values
            .map(|(value, kind)| (value as &(dyn PostgresToSql + Sync), kind.clone()))
            .collect();
        let name = self.conn.name_cursor();
        let declare = format!("DECLARE {name} NO SCROLL CURSOR FOR {}", self.words);
        let cursor = PostgresCursor {
            conn: self.conn,
            fetch: format!("FETCH {PAGE} FROM {name}"),
        };
        let link = self.conn.link()?;
        let client = &link.client;
        let first = link.wait(async {
            tokio::try_join!(
                client.query_typed(&declare, &values),
                client.query_typed(&cursor.fetch, &[])
            )
        });
        let (_, rows) = self.conn.note_failure(first)?;
        let cursor = (rows.len() == PAGE).then_some(cursor);
        Ok((rows, cursor))
    }
}

impl PostgresCursor<'_> {
    /// The next rows, and whether there may be more.
    pub fn fetch(&self) -> LinkResult<(Vec<Row>, bool)> {
        let link = self.conn.link()?;
        let rows = link.wait(link.client.query_typed(&self.fetch, &[]));
        let rows = self.conn.note_failure(rows)?;
        let is_more = rows.len() == PAGE;
        Ok((rows, is_more))
    }
}

#[cfg(test)]
mod tests {
    use crate::postgres::PostgresAddress;

    use crate::Store;
    use crate::values::{ReadRow, params};

    #[test]
    fn a_large_answer_is_fetched_a_page_at_a_time_while_others_are_asked() {
        let Some(address) = PostgresAddress::of_new_schema() else {
            return;
        };
        let store = Store::open_server(&address).expect("opened");
        let read = store.read(|conn| {
            let sql = "SELECT n FROM generate_series(1::bigint, ?1::bigint) AS n WHERE n <> ?2";
            let (mut rows, mut pages) = (Vec::new(), Vec::new());
            let mut find = conn.prepare_cached(sql)?;
            let mut answer = find.query_paged(params![1_301_i64, 7_i64])?;
            let mut before = conn.count_trips()?;
            while let Some(row) = answer.next()? {
                let number: i64 = row.read(0)?;
                if conn.count_trips()? != before {
                    pages.push(number);
                }
                let next: i64 = conn.read_one("SELECT ?1::bigint + 1", params![number])?;
                assert_eq!(next, number + 1);
                before = conn.count_trips()?;
                rows.push(number);
            }
            Ok((rows, pages))
        });
        let (rows, pages) = read.wait().expect("read");
        let expected: Vec<i64> = (1..=1_301).filter(|number| *number != 7).collect();
        assert_eq!(rows, expected);
        assert_eq!(pages, [502, 1_002], "the first page came with the question");
    }
}
