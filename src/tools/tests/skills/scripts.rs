//! Scripts of a skill: run without being declared, only those in its folder `scripts`, and as programs of tools are.

use super::*;

const SANTA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../prompts/skills-with-scripts"
);
const ECHO: &str = "#!/bin/sh\nread -r input\nls \"$SKILL_DIR\" | tr '\\n' ' '\necho \"$HIDDEN\" \"$@\"; pwd; echo \"$input\" | cut -c2-21\n";

/// What running a script comes to, in a channel that has the skills of a folder.
async fn run(skills: &Path, workspace: &Path, params: Value) -> ToolResult {
    let registry = ToolRegistry::load_builtin();
    let (skills, problems) = load(skills);
    assert_eq!(problems, []);
    let context = ToolContext {
        workspace: workspace.into(),
        ..given(&registry, &skills, &specs(&skills, None))
    };
    ask(&registry, &context, "run_skill_script", params).await
}

#[tokio::test]
async fn the_skill_that_ships_draws_lots_with_its_script() {
    let workspace = tempfile::tempdir().unwrap();
    let drawn = async |arguments: Value| {
        let params = json!({"skill": "secret-santa", "script": "draw.py", "arguments": arguments});
        run(Path::new(SANTA), workspace.path(), params).await
    };
    let result = drawn(json!(["Anna", "Ben", "Cleo", "Dan", "Anna!Ben"])).await;
    assert!(!result.is_error, "{}", result.content);
    let pairs = result.details.unwrap();
    let mut takers: Vec<&str> = pairs
        .as_object()
        .unwrap()
        .values()
        .map(|taker| taker.as_str().unwrap())
        .collect();
    takers.sort_unstable();
    assert_eq!(takers, ["Anna", "Ben", "Cleo", "Dan"]);
    assert!(pairs["Anna"] != "Ben" && pairs["Ben"] != "Anna" && pairs["Cleo"] != "Cleo");
    let failed = drawn(json!(["Anna", "Ben", "Anna!Ben"])).await;
    assert_eq!(
        (failed.is_error, failed.content.as_str()),
        (true, "there is no way with these exceptions")
    );
}

#[tokio::test]
async fn only_a_script_of_the_skill_is_run_and_with_what_its_file_says() {
    let files = [
        ("bread/SKILL.md", BREAD),
        ("bread/scripts/echo", ECHO),
        ("bread/scripts/deep/plain.sh", "echo plain"),
        ("bread/scripts/notes.txt", "no program"),
        ("bread/other.sh", "echo other"),
        ("outside.sh", "echo outside"),
    ];
    let (skills, workspace) = (folder(&files), tempfile::tempdir().unwrap());
    let root = skills.path();
    std::os::unix::fs::symlink("../other.sh", root.join("bread/scripts/link.sh")).unwrap();
    let ran = async |script: &str| {
        let params = json!({"skill": "bread", "script": script, "arguments": ["a b", "$HOME"]});
        run(root, workspace.path(), params).await
    };
    let echo = ran("scripts/echo").await.content;
    let home = workspace.path().join("skill-bread").canonicalize().unwrap();
    assert_eq!(
        echo,
        format!(
            "SKILL.md other.sh scripts  a b $HOME\n{}\n\"tool\":\"skill-bread\"",
            home.display()
        )
    );
    assert_eq!(ran("deep/plain.sh").await.content, "plain");
    for (script, why) in [
        (
            "notes.txt",
            "`notes.txt` cannot be run: it neither begins with #! nor ends in .py, .sh or .js",
        ),
        (
            "../other.sh",
            "has no file `../other.sh`; its files: scripts/deep/plain.sh, scripts/echo",
        ),
        ("../../outside.sh", "has no file"),
        ("link.sh", "has no file"),
        ("/bin/ls", "has no file"),
        ("", "has no file"),
    ] {
        let refused = ran(script).await;
        assert!(
            refused.is_error && refused.content.contains(why),
            "{script}: {}",
            refused.content
        );
    }
}

#[tokio::test]
async fn scripts_are_on_offer_while_a_skill_that_has_some_is_active_and_no_list_names_them() {
    let files = [
        ("bread/SKILL.md", BREAD),
        ("bread/scripts/echo", ECHO),
        (
            "soup/SKILL.md",
            "---\nname: soup\ndescription: Cook soup.\n---\nStir it.\n",
        ),
        ("soup/salt.md", "a pinch"),
    ];
    let (skills, registry) = (folder(&files), ToolRegistry::load_builtin());
    let (skills, _) = load(skills.path());
    let context = given(&registry, &skills, &specs(&skills, None));
    let offers = async |skill: &str| {
        ask(
            &registry,
            &context,
            "activate_skill",
            json!({"name": skill}),
        )
        .await
        .offers
    };
    assert_eq!(
        offers("bread").await,
        ["read_skill_resource", "run_skill_script"]
    );
    assert_eq!(offers("soup").await, ["read_skill_resource"]);
    let named = registry.select(&["run_skill_script".to_owned()], Language::EN);
    assert!(named.is_empty(), "{named:?}");
}
