//! SQLite: schema, migrations, queries. No SQL anywhere else.
