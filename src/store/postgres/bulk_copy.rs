//! Many rows at once, in the server's own binary form: several times as fast as statements with bound values.

use std::pin::pin;

use rusqlite::types::Value;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use super::connection::{PostgresConnection, to_bound};
use super::link::LinkResult;
use super::translate::translate;
use super::values::BoundColumn;
use crate::catalogue::ColumnKind;

fn to_type(kind: ColumnKind) -> Type {
    match kind {
        ColumnKind::Whole => Type::INT8,
        ColumnKind::Real => Type::FLOAT8,
        ColumnKind::Text => Type::TEXT,
        ColumnKind::Bytes => Type::BYTEA,
        ColumnKind::WordVector => Type::TS_VECTOR,
    }
}

impl PostgresConnection {
    /// Adds rows to a table, whose columns are listed as in a statement of the store.
    pub fn copy_rows(
        &self,
        table: &str,
        columns: &str,
        kinds: &[ColumnKind],
        rows: &[Vec<Value>],
    ) -> LinkResult<()> {
        let copy = translate(&format!(
            "COPY {table} ({columns}) FROM STDIN WITH (FORMAT binary)"
        ));
        let types: Vec<Type> = kinds.iter().copied().map(to_type).collect();
        let bound = rows.iter().map(|row| {
            let values = row.iter().map(|value| BoundColumn::new(value));
            values.collect::<rusqlite::Result<Vec<_>>>()
        });
        let bound = bound.collect::<rusqlite::Result<Vec<_>>>()?;
        let link = self.link()?;
        let copied = link.wait(async {
            let sink = link.client.copy_in(&copy).await?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for row in &bound {
                writer.as_mut().write(&to_bound(row)).await?;
            }
            writer.finish().await
        });
        self.note_failure(copied).map(drop)
    }
}
