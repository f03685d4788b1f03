//! Edits are picked up while running; a broken file changes nothing.

use std::time::Duration;

use kith::settings::{load, watch};
use kith_core::talkativeness::Talkativeness;

use crate::settings::{options, policy, put, shown};

#[tokio::test]
async fn an_edit_is_picked_up_and_a_broken_file_keeps_the_old_settings() {
    let folder = tempfile::tempdir().unwrap();
    let persona = folder.path().join("bo.toml");
    std::fs::write(&persona, "name = \"Bo\"").unwrap();
    let options = options(folder.path(), "persona = \"bo.toml\"", &[]);
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();

    // Editors write a new file and rename it over the old one.
    put(&folder, "bo.toml~", "name = \"Bo\"\naliases = [\"bobo\"]");
    std::fs::rename(folder.path().join("bo.toml~"), &persona).unwrap();
    let changed = watch.changes.recv().await.unwrap().unwrap();
    assert_eq!(policy(&changed, 1, 1).names, ["Bo", "bobo"]);

    std::fs::write(&persona, "name = \"Bo\"\nalias = \"bobo\"").unwrap();
    let problems = watch.changes.recv().await.unwrap().unwrap_err();
    assert_eq!(
        shown(&problems, folder.path()),
        "bo.toml:2: error: there is no setting `alias`; did you mean `aliases`?"
    );
}

#[tokio::test]
async fn an_edit_of_lore_is_picked_up_like_one_of_its_persona() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| put(&folder, name, text);
    write("bo.toml", "name = \"Bo\"\nlore = [\"bo.lore.toml\"]\n");
    write("bo.lore.toml", "name = \"old\"\n");
    let options = options(folder.path(), "persona = \"bo.toml\"", &[]);
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();
    write("bo.lore.toml", "name = \"new\"\n");
    let changed = watch.changes.recv().await.unwrap().unwrap();
    assert_eq!(policy(&changed, 1, 1).persona.lorebooks[0].name, "new");
}

#[tokio::test]
async fn a_change_below_the_prompts_folder_is_noticed_and_one_beside_the_settings_is_not() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("prompts/en")).unwrap();
    let options = options(folder.path(), "prompts_dir = \"prompts\"", &[]);
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();
    put(&folder, "notes.txt", "nothing of ours");
    put(&folder, "prompts/en/system.j2", "new");
    assert!(watch.changes.recv().await.unwrap().is_ok());
    let more = tokio::time::timeout(Duration::from_millis(600), watch.changes.recv()).await;
    assert!(more.is_err(), "one burst of changes is told once");
}

#[tokio::test]
async fn a_settings_file_that_disappears_is_a_problem_and_not_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), "talkativeness = 0.9", &[]);
    let file = folder.path().join("kith.toml");
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();
    std::fs::remove_file(&file).unwrap();
    let problems = watch.changes.recv().await.unwrap().unwrap_err();
    assert_eq!(
        shown(&problems, folder.path()),
        "kith.toml: error: the file is gone; the settings stay as they were; put it back, or restart kith to run without it"
    );
    std::fs::write(&file, "talkativeness = 0.8").unwrap();
    assert_eq!(
        watch.changes.recv().await.unwrap().unwrap().talkativeness,
        Talkativeness::Level(0.8)
    );
}

/// As Kubernetes mounts a file: the folder behind it is swapped.
#[cfg(unix)]
#[tokio::test]
async fn a_file_behind_links_is_picked_up_when_one_of_them_is_swapped_or_its_target_written() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (version, talkativeness) in [("..v1", 0.1), ("..v2", 0.2)] {
        std::fs::create_dir(at(version)).unwrap();
        let text = format!("talkativeness = {talkativeness}");
        std::fs::write(at(version).join("real.toml"), text).unwrap();
    }
    let options = options(folder.path(), "", &[]);
    std::fs::remove_file(at("kith.toml")).unwrap();
    symlink("..v1", at("..data")).unwrap();
    symlink("..data/real.toml", at("kith.toml")).unwrap();
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();
    symlink("..v2", at("..tmp")).unwrap();
    std::fs::rename(at("..tmp"), at("..data")).unwrap();
    std::fs::remove_dir_all(at("..v1")).unwrap();
    let mut level = async || watch.changes.recv().await.unwrap().unwrap().talkativeness;
    assert_eq!(level().await, Talkativeness::Level(0.2));
    std::fs::write(at("..v2/real.toml"), "talkativeness = 0.3").unwrap();
    assert_eq!(level().await, Talkativeness::Level(0.3));
}

#[test]
fn what_counts_only_after_a_restart_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let load = |toml| load(&options(folder.path(), toml, &[])).unwrap();
    let old = load("");
    let needs_restart = |toml| load(toml).find_restart_changes(&old);
    assert_eq!(
        needs_restart("talkativeness = 0.9\n[turn]\nrounds = 2"),
        [""; 0]
    );
    assert_eq!(
        needs_restart(
            "data_dir = \"elsewhere\"\n[room]\nlisten = \"127.0.0.1:1\"\n[turn]\nin_flight = 2\n\
             [log]\nlevel = \"warn\"\njson = true"
        ),
        [
            "data_dir",
            "room.listen",
            "turn.in_flight",
            "log.level",
            "log.json"
        ]
    );
    assert_eq!(
        needs_restart("[discord]\nmax_talkativeness = 0.5\n[guild.7]\nmode = \"on\""),
        [""; 0]
    );
    assert_eq!(
        needs_restart("[discord]\ndirect_messages = \"on\""),
        ["discord.direct_messages"]
    );
    assert_eq!(
        needs_restart(
            "[discord]\napi_base = \"http://127.0.0.1:1\"\nproxy = \"http://127.0.0.1:2\""
        ),
        ["discord.api_base", "discord.proxy"]
    );
    assert_eq!(
        needs_restart("[model]\nprofile = \"small\""),
        ["model.profile"]
    );
}
