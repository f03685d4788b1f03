//! Which skills a channel has: by the nearest list, and without any by what stands in the host's folders.

use std::fs;

use kith::settings::{Settings, load};

use crate::settings::{options, policy, shown};

const SKILL: &str = "---\ndescription: Bake bread.\n---\nKnead it.\n";

fn load_folder(
    toml: &str,
    files: &[(&str, &str)],
) -> (tempfile::TempDir, Result<Settings, String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let loaded = load(&options(folder.path(), toml, &[]));
    let loaded = loaded.map_err(|problems| shown(&problems, folder.path()));
    (folder, loaded)
}

fn skills(settings: &Settings, channel: u64) -> Vec<String> {
    let list = policy(settings, channel, 7).skills;
    settings
        .known_skills
        .chosen(list.as_deref())
        .iter()
        .map(|skill| skill.name.clone())
        .collect()
}

#[test]
fn the_nearest_list_counts_and_without_one_all_in_the_hosts_folders() {
    let files = [
        ("own/bread/SKILL.md", SKILL),
        ("own/tea/SKILL.md", SKILL),
        (
            "juno.toml",
            "name = \"Juno\"\nskills = [\"tea\", \"catch-up\"]",
        ),
    ];
    let (_folder, settings) = load_folder("", &files);
    assert_eq!(
        skills(&settings.unwrap(), 8),
        [""; 0],
        "nothing is switched on by itself"
    );
    let paths = "skill_paths = [\"own\"]\n";
    let (_folder, settings) = load_folder(paths, &files);
    assert_eq!(skills(&settings.unwrap(), 8), ["bread", "tea"]);
    let lists = "skills = [\"bread\"]\n[guild.7]\nskills = []\n[channel.9]\nskills = [\"movie-night\", \"tea\"]";
    let (_folder, settings) = load_folder(&format!("{paths}{lists}"), &files);
    let settings = settings.unwrap();
    assert_eq!(
        (skills(&settings, 8), skills(&settings, 9)),
        (vec![], vec!["movie-night".into(), "tea".into()])
    );
    let (_folder, settings) = load_folder(
        &format!("{paths}persona = \"juno.toml\"\nskills = [\"bread\"]"),
        &files,
    );
    assert_eq!(
        skills(&settings.unwrap(), 8),
        ["tea", "catch-up"],
        "the persona's own list"
    );
    let (_folder, settings) = load_folder(&format!("{paths}[model]\nprofile = \"small\""), &files);
    assert_eq!(
        skills(&settings.unwrap(), 8),
        [""; 0],
        "too much for a small model"
    );
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_cure() {
    let files = [
        (
            "own/bread/SKILL.md",
            "---\nname: white bread\ndescription: x\n---\nKnead.",
        ),
        (
            "juno.toml",
            "name = \"Juno\"\nskills = [\n    \"movie-nigt\",\n]",
        ),
    ];
    let toml = "persona = \"juno.toml\"\nskill_paths = [\"own\", \"nowhere\"]\nskills = [\"tea\"]\n[channel.9]\nskills = [\"catchup\"]";
    let (_folder, settings) = load_folder(toml, &files);
    insta::assert_snapshot!(settings.unwrap_err(), @r#"
    juno.toml:3: error: `skills` names "movie-nigt", and there is no such skill; did you mean "movie-night"?
    kith.toml:2: error: nowhere: there is no such folder; create it, or take it out of `skill_paths`
    kith.toml:3: error: `skills` names "tea", and there is no such skill; there are: catch-up, movie-night; a folder of your own comes under `skill_paths`
    kith.toml:5: error: `channel.9.skills` names "catchup", and there is no such skill; did you mean "catch-up"?
    own/bread/SKILL.md:2: warning: "white bread" cannot be the name of a skill, so this skill is left out; write `name: movie-night`: letters, digits, - and _, at most 64
    "#);
}

#[test]
fn a_bad_skill_is_left_out_with_a_word_and_the_companion_starts() {
    let files = [
        ("own/bread/SKILL.md", SKILL),
        (
            "own/bread/tools.toml",
            "[recall]\ndescription = \"x\"\n[recall.command]\nargv = [\"cat\"]\n[half]\n",
        ),
        ("own/tea/SKILL.md", "---\nname: tea"),
    ];
    let toml = "skill_paths = [\"~/own\"]\nskills = [\"bread\", \"tea\"]";
    let (folder, _) = load_folder("", &files);
    let home = folder.path().to_string_lossy().into_owned();
    let elsewhere = tempfile::tempdir().unwrap();
    let settings = load(&options(elsewhere.path(), toml, &[("HOME", &home)])).unwrap();
    assert_eq!(skills(&settings, 8), ["bread"]);
    assert_eq!(settings.defined.len(), 0);
    insta::assert_snapshot!(shown(&settings.warnings, folder.path()), @r#"
    own/bread/tools.toml:1: warning: the name `recall` is taken by the tools that ship with kith, so this tool is left out; give this tool another name
    own/bread/tools.toml:5: warning: [half]: nothing says what runs; add one of the tables command, http, sql, mcp
    own/bread/tools.toml:5: warning: [half]: no `description`: the model would not know what it is for; add a line `description = "…"` that says what it does
    own/tea/SKILL.md:1: warning: the front matter does not end, so this skill is left out; write a line of --- behind it
    "#);
}

#[test]
fn tools_that_a_skill_defines_are_known_and_told_only_where_it_is() {
    let tools = "[knead]\ndescription = \"Knead it.\"\n[knead.command]\nargv = [\"cat\"]\n";
    let files = [
        ("own/bread/SKILL.md", SKILL),
        ("own/bread/tools.toml", tools),
    ];
    let (_folder, settings) = load_folder("skill_paths = [\"own\"]", &files);
    let settings = settings.unwrap();
    let (registry, taken) = kith_tools::custom::registry(&settings.defined, Vec::new());
    assert_eq!(taken, []);
    let language = kith_core::persona::Language::EN;
    let has = |list: Option<&[String]>| {
        let tools = settings.resolve_tools(&crate::settings::channel(8, 7), &registry, language);
        let tools = registry.add_skill_tools(
            tools,
            &settings.known_skills.select_specs(list, language),
            language,
        );
        tools.iter().any(|tool| tool.name == "knead")
    };
    assert!(has(None) && !has(Some(&["catch-up".into()])) && !has(Some(&[])));
}
