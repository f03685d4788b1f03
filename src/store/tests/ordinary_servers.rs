//! Databases as they are found: of a role without rights, with settings of their own, beside tables of other programs.

use super::*;

/// A database of a plain role of its own.
fn plain(name: &str) -> Option<(&'static PostgresServer, PostgresSchema)> {
    let server = PostgresServer::shared()?;
    Some((server, server.make_plain_schema(name)))
}

#[test]
fn a_schema_of_any_name_is_used_and_tables_of_others_in_it_stay_as_they_are() {
    let Some((server, schema)) = plain("Kith-2") else {
        return;
    };
    server.run_sql("CREATE TABLE \"Kith-2\".spatial_ref_sys (id bigint)");
    let store = open(Path::new(&schema.url));
    store_all(&store, vec![said(TALK, 1, "hm")]);
    let options = |table: &str| {
        let read = "SELECT reloptions FROM pg_class WHERE oid = '\"Kith-2\".TABLE'::regclass";
        server.run_sql(&read.replace("TABLE", table))
    };
    assert_eq!(options("spatial_ref_sys"), "");
    assert_eq!(
        options("messages"),
        "{autovacuum_vacuum_threshold=0,autovacuum_vacuum_scale_factor=0}"
    );
}
