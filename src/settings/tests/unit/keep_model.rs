//! The tests of `keep_model.rs`, of what nobody outside its crate can see.

use super::*;

fn kept(key: &str, is_same_server: bool) -> SavedModel {
    SavedModel {
        base_url: "http://127.0.0.1:1/v1".to_owned(),
        name: "new".to_owned(),
        key: Secret::new(key),
        is_same_server,
    }
}

#[test]
fn what_a_person_wrote_stays_and_the_key_is_for_the_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kith.toml");
    fs::write(
        &file,
        "# mine\nlanguage = \"en\" # ours\n\n[model] # who answers\nname = \"old\" # slow\napi_key = \"sk-old\"\n\
         headers = { x = \"secret\" }\nmax_tokens = 9\n\n[room]\nlisten = \"127.0.0.1:1\"\n",
    )
    .unwrap();
    keep_model(&file, &kept("sk-new", false)).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(
        text,
        "# mine\nlanguage = \"en\" # ours\n\n[model] # who answers\nname = \"new\" # slow\nmax_tokens = 9\n\
         provider = \"auto\"\nbase_url = \"http://127.0.0.1:1/v1\"\napi_key_file = \"model.key\"\n\n\
         [room]\nlisten = \"127.0.0.1:1\"\n"
    );
    let key = folder.path().join("model.key");
    assert_eq!(fs::read_to_string(&key).unwrap(), "sk-new\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&key).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn on_the_same_server_all_that_was_set_for_it_stays_and_no_foreign_key_file_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kith.toml");
    fs::write(folder.path().join("model.key"), "of something else").unwrap();
    fs::write(&file, "[model]\nname = \"old\"\napi_key_env = \"MINE\"\n").unwrap();
    keep_model(&file, &kept("", true)).unwrap();
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .contains("api_key_env = \"MINE\"")
    );
    keep_model(&file, &kept("sk-new", true)).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("api_key_file = \"model-2.key\"") && !text.contains("MINE"),
        "{text}"
    );
    let other = fs::read_to_string(folder.path().join("model.key")).unwrap();
    assert_eq!(other, "of something else");
}

#[test]
fn without_a_settings_file_one_is_made_and_a_broken_one_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kith.toml");
    keep_model(&file, &kept("", false)).unwrap();
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .starts_with("[model]\nprovider = \"auto\"\n")
    );
    fs::write(&file, "[model\n").unwrap();
    assert!(keep_model(&file, &kept("", false)).is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "[model\n");
}
