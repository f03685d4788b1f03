//! `kith persona import`: what is written, what is said of it, and that nothing is overwritten.

use kith_testkit::assert_has;
use kith_testkit::card_files::{make_png, make_text, make_v1, make_v2, make_world};

use super::{kith, put, typed};

#[test]
fn a_card_becomes_files_that_check_accepts_and_its_losses_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let card = make_png(&[(b"tEXt", make_text("chara", &make_v2().to_string()))]);
    put(&folder, "robin.png", card);
    let ran = typed(&folder, "persona import robin.png");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out.starts_with(
            "Written: robin.avatar.png\nWritten: robin.lore.toml\nWritten: robin.toml\n\
             What could not be kept as it is:\n- The scenario stands at the end of `background`.\n"
        ),
        "{}",
        ran.out
    );
    assert!(
        ran.out.ends_with("\nTry it: kith --persona robin.toml\n"),
        "{}",
        ran.out
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let persona = "# Imported from a character card (V2) by `kith persona import`. Change what you like.\n\
                   # Made by a friend.\n# What its maker says of it:\n# Best with tea.\n# No spoilers.\n\n\
                   name = \"Robin\"\navatar = \"robin.avatar.png\"\nlanguage = \"en\"\n\
                   identity = \"Robin is 31 and keeps the lighthouse on Moss Island. Robin has known the other person since school.\"\n\
                   personality = \"Dry, loyal, allergic to small talk before noon.\"\n\
                   background = \"Robin and the other person are in a group of old friends.\"\n\
                   lore = [\"robin.lore.toml\"]\n\n[voice]\nexamples = [\n    \"the lamp is always on\",\n    \
                   \"that is the point of lamps\",\n    \"tide's in\",\n    \"Oh. You are early.\",\n    \"Mind the third step.\",\n]\n";
    assert_eq!(read("robin.toml"), persona);
    let lore = "# Lore, imported by `kith persona import`. An entry comes into the prompt when one of its keys is written in the chat.\n\n\
                name = \"Moss Island\"\nscan_depth = 4\n\n[[entries]]\nname = \"mill\"\nkeys = [\n    \"mill\",\n    \"old mill\",\n]\n";
    assert!(
        read("robin.lore.toml").starts_with(lore),
        "{}",
        read("robin.lore.toml")
    );
    let again = typed(&folder, "persona import robin.png");
    assert_eq!(
        (again.code, again.err.as_str()),
        (
            Some(1),
            "error: robin.avatar.png is there already; move it away, or name another folder with --out\n"
        )
    );
}

#[test]
fn a_lorebook_is_added_to_a_persona_whose_file_stays_as_it_is_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "island.json", make_world().to_string());
    let persona = "# mine\nname = \"Bo\" # short\nidentity = \"A keeper.\"\n";
    put(&folder, "bo.toml", persona);
    let import = |args: &[&str]| {
        kith(
            folder.path(),
            &[&["persona", "import", "island.json"], args].concat(),
            b"",
        )
    };
    assert_eq!(
        import(&[]).err,
        "error: this is a lorebook: say with --into which persona file it belongs to\n"
    );
    let ran = import(&["--into", "bo.toml"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out
            .starts_with("Written: bo.island.lore.toml\nWritten: bo.toml\n"),
        "{}",
        ran.out
    );
    let read = || std::fs::read_to_string(folder.path().join("bo.toml")).unwrap();
    assert_eq!(
        read(),
        "# mine\nlore = [\"bo.island.lore.toml\"]\nname = \"Bo\" # short\nidentity = \"A keeper.\"\n"
    );
    assert_eq!(
        import(&["--into", "bo.toml"]).code,
        Some(1),
        "the file is there already"
    );
    put(
        &folder,
        "bo.toml",
        "name = \"Bo\"\nlore = [\n  \"bo.island.lore.toml\", # the first\n]\n",
    );
    std::fs::rename(
        folder.path().join("island.json"),
        folder.path().join("sea.json"),
    )
    .unwrap();
    let ran = typed(&folder, "persona import sea.json --into bo.toml");
    assert_eq!(ran.err, "");
    assert_eq!(
        read(),
        "name = \"Bo\"\nlore = [\n  \"bo.island.lore.toml\", \"bo.sea.lore.toml\", # the first\n]\n"
    );
}

#[test]
fn what_is_no_card_is_refused_in_the_language_of_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "notes.txt", "hello");
    put(&folder, "kith.toml", "language = \"zh\"\n");
    let ran = typed(&folder, "persona import notes.txt");
    assert_eq!(
        (ran.code, ran.err.as_str(), ran.out.as_str()),
        (
            Some(1),
            "错误：这既不是角色卡也不是世界书：角色卡是 PNG 图片、CHARX 压缩包或 JSON，世界书是 JSON\n",
            ""
        )
    );
    let gone = typed(&folder, "persona import gone.png");
    assert_eq!(
        gone.err,
        "gone.png: error: there is no such file; check the path, or create the file\n"
    );
}

#[test]
fn a_name_that_is_a_path_stays_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut card = make_v1();
    card["name"] = "../../up/and away".into();
    put(&folder, "card.json", card.to_string());
    let ran = typed(&folder, "persona import card.json --out in/here");
    assert_eq!(ran.err, "");
    assert!(folder.path().join("in/here/up-and-away.toml").is_file());
}

#[test]
fn check_names_the_persona_file_it_checked_and_what_is_doubtful_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| put(&folder, "bo.toml", text);
    write("name = \"Bo\"\nidentity = \"A keeper.\"\n");
    let ran = typed(&folder, "check bo.toml");
    assert!(
        ran.out.starts_with(
            "no problems in bo.toml: this is Bo, and it hears Bo\nno problems in the defaults: "
        ),
        "{}",
        ran.out
    );
    write("name = \"Bo\"\n");
    let doubt = "bo.toml:1: warning: `identity` is missing: it does not know who it is; say it in a sentence or two\n\
                 0 errors, 1 warning\n";
    let ran = typed(&folder, "check bo.toml");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), doubt));
    put(&folder, "kith.toml", "persona = \"bo.toml\"\n");
    let ran = typed(&folder, "check");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), doubt),
        "also where the settings name it"
    );
}

#[test]
fn usage_before_the_first_start_is_zero() {
    let folder = tempfile::tempdir().unwrap();
    let ran = typed(&folder, "usage --days 1");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_has(
        &ran.out,
        ["(UTC): 0 tokens in 0 calls.\nThere is no database data/kith.db yet.\n"],
    );
}
