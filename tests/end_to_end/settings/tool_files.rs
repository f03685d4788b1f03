//! Definitions of the host's own tools: which files are read, and the exact words a person reads when one is wrong.

use std::path::Path;

use kith::settings::{Settings, load};
use kith_core::chat::{Channel, ChannelId};
use kith_core::persona::Language;
use kith_tools::custom::Hooks;

use crate::settings::{channel, options, put, shown};

/// What a person reads of these definitions in `own.toml`.
#[track_caller]
fn complains(definitions: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "own.toml", definitions);
    assert_eq!(
        problems(folder.path(), "tool_paths = [\"own.toml\"]"),
        expected
    );
}

fn problems(folder: &Path, toml: &str) -> String {
    match load(&options(folder, toml, &[])) {
        Ok(settings) => shown(&settings.warnings, folder),
        Err(problems) => shown(&problems, folder),
    }
}

fn names(settings: &Settings) -> Vec<&str> {
    settings
        .defined
        .iter()
        .map(|one| one.name.as_str())
        .collect()
}

fn tool(name: &str) -> String {
    format!("[{name}]\ndescription = \"x\"\ncommand = {{ argv = [\"sh\"] }}\n")
}

#[test]
fn folders_and_files_are_read_by_name_and_each_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let home = at("home");
    std::fs::create_dir_all(at("tools/deeper.toml")).unwrap();
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(at("tools/b.toml"), tool("bee")).unwrap();
    std::fs::write(at("tools/a.toml"), tool("zebra") + &tool("ant")).unwrap();
    std::fs::write(at("tools/readme.md"), "no tool").unwrap();
    std::fs::write(at("tools/.swap.toml"), "no tool").unwrap();
    std::fs::write(at("home/far.toml"), tool("far")).unwrap();
    std::os::unix::fs::symlink(at("tools"), at("again")).unwrap();
    let toml = "tool_paths = [\"tools\", \"tools/b.toml\", \"again\", \"./tools/../tools\", \"~/far.toml\"]";
    let settings = load(&options(
        folder.path(),
        toml,
        &[("HOME", home.to_str().unwrap())],
    ))
    .unwrap();
    assert_eq!(names(&settings), ["zebra", "ant", "bee", "far"]);
    let registry = settings.build_registry(Vec::new());
    let chosen = registry.select(&settings.tools, Language::EN);
    assert!(
        names(&settings)
            .iter()
            .all(|name| chosen.iter().any(|spec| spec.name == *name)),
        "they are on by default"
    );
}

#[test]
fn what_is_no_definition_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    put(&folder, "notes.md", "x");
    put(&folder, "huge.toml", "# x\n".repeat(400_000));
    std::fs::write(
        folder.path().join("latin.toml"),
        b"[a]\ndescription = \"caf\xe9\"\n",
    )
    .unwrap();
    let toml =
        "tool_paths = [\n\"empty\",\n\"notes.md\",\n\"gone\",\n\"huge.toml\",\n\"latin.toml\"]";
    assert_eq!(
        problems(folder.path(), toml),
        "huge.toml: error: the file has more than 1024 KiB; define tools here and keep data elsewhere\n\
         kith.toml:2: warning: no file in empty ends in .toml; put a definition there, or remove this path\n\
         kith.toml:3: error: notes.md defines no tools; name a .toml file or a folder; other files are no tools\n\
         kith.toml:4: error: cannot read gone: there is no such file; check the path; it is taken from the folder of this file\n\
         latin.toml:2: error: the file holds bytes that are not UTF-8 text; save the file as UTF-8"
    );
}

#[test]
fn hooks_that_are_none_are_told_with_the_line_that_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let hook = "[look]\n[look.hook]\non = [\"speech\"]\n[look.command]\nargv = [\"sh\"]\n";
    put(&folder, "own.toml", hook.to_owned() + &tool("talk"));
    let toml =
        "tool_paths = [\"own.toml\"]\nhooks = [\n\"lok\",\n\"look\",\n\"look\",\n\"talk\"]\n";
    assert_eq!(
        problems(folder.path(), toml),
        "kith.toml:3: error: `hooks` names \"lok\", and there is no such hook; did you mean \"look\"?\n\
         kith.toml:5: error: `hooks` names \"look\" twice; remove one of them\n\
         kith.toml:6: error: `hooks` names \"talk\", and there is no such hook; a hook is a definition with a table [NAME.hook] under `tool_paths`"
    );
}

#[test]
fn the_nearest_list_of_hooks_counts_and_each_is_looked_through() {
    let folder = tempfile::tempdir().unwrap();
    let hook = |name: &str| {
        format!("[{name}]\n[{name}.hook]\non = [\"speech\"]\n[{name}.command]\nargv = [\"sh\"]\n")
    };
    put(&folder, "own.toml", hook("look") + &hook("say"));
    let toml = "tool_paths = [\"own.toml\"]\nhooks = [\"look\"]\n[guild.7]\nhooks = [\"say\", \"look\"]\n\
                [channel.9]\nhooks = []\n";
    let settings = load(&options(folder.path(), toml, &[])).unwrap();
    let resolved = |id: u64, guild: u64, parent: Option<u64>| {
        settings.resolve_hooks(&Channel {
            parent: parent.map(ChannelId),
            ..channel(id, guild)
        })
    };
    let listed = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Hooks::from_definitions(&names, &settings.defined)
    };
    assert_eq!(resolved(8, 6, None), listed(&["look"]));
    assert_eq!(resolved(8, 7, None), listed(&["say", "look"]));
    assert_eq!(resolved(9, 7, None), listed(&[]));
    assert_eq!(resolved(10, 7, Some(9)), listed(&[]), "a thread's parent");
    assert_eq!(
        problems(
            folder.path(),
            &toml
                .replace("[]", "[\"lok\"]")
                .replace("\"say\", \"look\"", "\"say\", \"say\"")
        ),
        "kith.toml:4: error: `guild.7.hooks` names \"say\" twice; remove one of them\n\
         kith.toml:6: error: `channel.9.hooks` names \"lok\", and there is no such hook; did you mean \"look\"?"
    );
}

#[test]
fn a_taken_name_is_told_with_both_places() {
    complains(
        &(tool("recall") + &tool("ban_member")),
        "own.toml:1: warning: the name `recall` is taken by the tools that ship with kith, so this tool is left out; give this tool another name\n\
         own.toml:4: warning: the name `ban_member` is taken by the tools that ship with kith, so this tool is left out; give this tool another name",
    );
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.toml", "b.toml"] {
        put(&folder, name, format!("\n{}", tool("own")));
    }
    assert_eq!(
        problems(folder.path(), "tool_paths = [\"a.toml\", \"b.toml\"]"),
        "b.toml:2: error: the name `own` is taken by a.toml:2; give this tool another name"
    );
}

#[test]
fn lists_of_tools_and_permissions_know_the_hosts_own() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "own.toml", tool("own"));
    let toml = "tools = [\"own\", \"onw\"]\ntool_paths = [\"own.toml\"]\n[tool.own]\nmost_an_hour = 2\n[channel.1]\ntools = [\"own\"]\n";
    assert_eq!(
        problems(folder.path(), toml),
        "kith.toml:1: error: `tools` names \"onw\", and there is no such tool; did you mean \"own\"?"
    );
}

#[test]
fn what_no_task_has_is_pointed_out() {
    let folder = tempfile::tempdir().unwrap();
    put(
        &folder,
        "own.toml",
        "[own]\ndescription = \"x\"\naction = \"visible\"\ncommand = { argv = [\"sh\"] }\n",
    );
    let toml = "tool_paths = [\"own.toml\"]\n[task]\ntools = [\n\"calculate\",\n\"create_poll\", \"todo\",\n\"own\"]\n";
    assert_eq!(
        problems(folder.path(), toml),
        "kith.toml:5: warning: `task.tools` names \"create_poll\", and no task has it: people see what it does; remove it; where `tools` names it, turns have it\n\
         kith.toml:5: warning: `task.tools` names \"todo\", and no task has it: it belongs to the turn; remove it; where `tools` names it, turns have it\n\
         kith.toml:6: warning: `task.tools` names \"own\", and no task has it: people see what it does; remove it; where `tools` names it, turns have it"
    );
}

#[test]
fn a_variable_of_the_environment_that_is_a_secret_is_handed_to_no_program() {
    for started in [
        "description = \"x\"\n[own.command]\nargv",
        "[own.mcp]\nargv",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let own = format!("[own]\n{started} = [\"sh\"]\nenv = [\"OPENAI_API_KEY\"]\n");
        put(&folder, "own.toml", own);
        let found = load(&options(
            folder.path(),
            "tool_paths = [\"own.toml\"]",
            &[("OPENAI_API_KEY", "sk-12345678")],
        ))
        .unwrap_err();
        assert_eq!(
            shown(&found, folder.path()),
            "own.toml:1: error: [own]: OPENAI_API_KEY holds a secret of kith; name it in [secrets] of the settings and in `secrets` here"
        );
    }
}

#[test]
fn a_servers_tool_may_be_named_wherever_tools_are_named() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "own.toml", "[own.mcp]\nargv = [\"sh\"]\n");
    let toml = "tool_paths = [\"own.toml\"]\n[task]\ntools = [\"own_search\"]\n[profiles.film]\ntools = [\"own_read\"]\n";
    assert_eq!(problems(folder.path(), toml), "");
}
