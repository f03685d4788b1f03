//! Where the database is: a file, or a server whose address holds a password.

use kith::settings::load;
use kith_store::DatabasePlace;
use kith_testkit::assert_lacks;

use crate::settings::{complains, load_text, options, put};

const ADDRESS: &str = "postgres://kith:hunter2@db.example/talk";

#[test]
fn the_database_is_a_file_unless_a_server_is_named_by_setting_file_or_credential() {
    let folder = tempfile::tempdir().unwrap();
    let place = |toml: &str, environment: &[(&str, &str)]| {
        let settings = load(&options(folder.path(), toml, environment)).unwrap();
        settings.database_place()
    };
    let is_file = |place: &DatabasePlace| matches!(place, DatabasePlace::File(_));
    assert!(is_file(&place("", &[])));
    let inline = format!("[store]\nurl = \"{ADDRESS}\"");
    let (variable, shown) = (("KITH__STORE__URL", ADDRESS), "postgres://db.example/talk");
    assert_eq!(place(&inline, &[]).to_string(), shown);
    assert_eq!(place("", &[variable]).to_string(), shown);
    put(&folder, "store_url", format!("{ADDRESS}\n"));
    assert_eq!(
        place("[store]\nurl_file = \"store_url\"", &[]).to_string(),
        shown
    );
    let credentials = folder.path().to_str().unwrap();
    let systemd = ("CREDENTIALS_DIRECTORY", credentials);
    assert_eq!(place("", &[systemd]).to_string(), shown);
}

#[test]
fn the_password_of_the_database_is_shown_nowhere_and_taken_out_of_texts() {
    let settings = load_text(&format!("[store]\nurl = \"{ADDRESS}\""), &[]).unwrap();
    assert_lacks(format!("{settings:?}"), ["hunter2"]);
    assert_lacks(serde_json::to_string(&settings).unwrap(), ["hunter2"]);
    let redacted = settings.redactor().redact("it is hunter2");
    assert_lacks(&redacted, ["hunter2"]);
}

#[test]
fn only_a_database_on_a_server_is_divided_and_every_part_has_as_many_shards() {
    complains(
        &format!("[store]\nurl = \"{ADDRESS}\"\npartitions = 4\n[discord]\nshards = 6"),
        &[],
        "kith.toml:5: error: `discord.shards` is 6, which is no multiple of the 4 partitions; write \"auto\", or a multiple of `store.partitions`",
    );
    let divided = format!("[store]\nurl = \"{ADDRESS}\"\npartitions = 4\n[discord]\nshards = 8");
    assert!(load_text(&divided, &[]).is_ok());
}

#[test]
fn every_partition_has_a_port_for_its_console() {
    let divided = |console: u16, metrics: u16| {
        format!(
            "[store]\nurl = \"{ADDRESS}\"\npartitions = 4\n[console]\nlisten = \"127.0.0.1:{console}\"\n\
             [metrics]\nlisten = \"127.0.0.1:{metrics}\""
        )
    };
    complains(
        &divided(9463, 9464),
        &[],
        "kith.toml:7: error: `metrics.listen` has port 9464, but the consoles of 4 partitions take 9463 to 9466; write a port that is none of these",
    );
    complains(
        &divided(65_533, 9464),
        &[],
        "kith.toml:5: error: `console.listen` begins at port 65533, and 4 partitions need one each, from there on; write a port of at most 65532",
    );
    for free in [divided(9460, 9464), divided(0, 9464), divided(65_532, 9464)] {
        assert!(load_text(&free, &[]).is_ok());
    }
}
