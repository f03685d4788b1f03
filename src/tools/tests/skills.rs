//! Skills: what a SKILL.md says, which of them a channel has, and that a path from a model leads to text in the skill's
//! folder or nowhere.

mod languages;
mod other_programs;
#[cfg(unix)]
mod scripts;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kith_core::call::{ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::persona::Language;
use kith_core::skill::{SkillFlaw, SkillSpec, parse_skill};
use kith_tools::skills::{ResourceError, SkillProblem, Skills, read_resource as read_file};
use kith_tools::{DEFAULT_TOOLS, Tool, ToolContext, ToolDescription, ToolRegistry};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::registry::{call, context};

const BREAD: &str = "---\nname: bread\ndescription: Bake bread.\ndescription_zh: 烤面包。\n---\nKnead it, then wait.\n";

/// A folder of skills, each by its own folder and the text of a file in it.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

fn load(folder: &Path) -> (Skills, Vec<SkillProblem>) {
    Skills::load(&[folder.to_owned()])
}

fn specs(skills: &Skills, list: Option<&[&str]>) -> Vec<SkillSpec> {
    let list = list.map(|names| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    });
    skills
        .chosen(list.as_deref())
        .into_iter()
        .map(|skill| skill.spec(Language::EN))
        .collect()
}

fn names(specs: &[SkillSpec]) -> Vec<&str> {
    specs.iter().map(|spec| spec.name.as_str()).collect()
}

/// What a channel with these skills is given.
fn given(registry: &ToolRegistry, skills: &Skills, specs: &[SkillSpec]) -> ToolContext {
    let tools = registry
        .select(&[DEFAULT_TOOLS.to_owned()], Language::EN)
        .into();
    let tools = registry.add_skill_tools(tools, specs, Language::EN);
    ToolContext {
        tools,
        skills: skills.select_listed(specs),
        ..context(Language::EN)
    }
}

async fn ask(
    registry: &ToolRegistry,
    context: &ToolContext,
    name: &str,
    params: Value,
) -> ToolResult {
    registry.run(call(name, params), context.clone()).await
}

#[test]
fn front_matter_says_what_a_skill_is_for_and_the_folder_its_name_where_nothing_else_does() {
    let written = parse_skill(BREAD, "other").unwrap();
    assert_eq!(
        (
            written.name.as_str(),
            written.description.in_language(Language::ZH)
        ),
        ("bread", "烤面包。")
    );
    assert_eq!(written.body, "Knead it, then wait.");
    let folded = "\u{feff}---\r\n# ours\r\ndescription: >\r\n  \"Bake\r\n  bread.\"  \r\nlicense: MIT # as all\r\nmetadata:\r\n  by: us\r\n---\r\nKnead.\r\n---\r\nWait.";
    let written = parse_skill(folded, "rye-bread").unwrap();
    assert_eq!(
        (
            written.name.as_str(),
            written.description.in_language(Language::EN)
        ),
        ("rye-bread", "Bake bread.")
    );
    assert_eq!(written.body, "Knead.\r\n---\r\nWait.");
}

#[test]
fn what_is_wrong_with_a_skill_is_told_with_its_line() {
    let wrong = |text: &str| {
        parse_skill(text, "bread")
            .map_err(|SkillFlaw { line, message, .. }| (line, message))
            .unwrap_err()
    };
    assert_eq!(
        wrong("---\ndescription: x\n"),
        (1, "the front matter does not end".into())
    );
    assert_eq!(wrong("---\nname: b c\ndescription: x\n---\ny").0, 2);
    assert_eq!(
        wrong("---\ndescription: x\nwhat\n---\ny"),
        (3, "\"what\" is no `name: value`".into())
    );
    assert_eq!(
        wrong("---\ndescription: x\ndescription: y\n---\ny"),
        (3, "`description` stands there twice".into())
    );
    assert_eq!(
        wrong("---\ndescription: x\n\n---\n \n"),
        (5, "it says nothing".into())
    );
    assert_eq!(
        wrong(&format!(
            "---\nname: a\ndescription: {}\n---\ny",
            "x".repeat(1_025)
        ))
        .0,
        3
    );
}

proptest! {
    #[test]
    fn any_text_is_a_skill_or_has_a_flaw_on_a_line_it_has(text in "(---\n)?([a-z_]{0,12}:?[ -~\u{4e00}-\u{4e10}\n]{0,40}\n){0,6}(---\n)?\\PC{0,80}") {
        match parse_skill(&text, "folder") {
            Ok(written) => {
                prop_assert!(!written.description.in_language(Language::EN).contains('\n') && !written.body.trim().is_empty());
                prop_assert!(written.name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_'));
            }
            Err(flaw) => prop_assert!(flaw.line >= 1 && flaw.line <= text.lines().count() + 1, "{flaw:?}"),
        }
    }

    #[test]
    fn what_is_written_into_front_matter_is_read_out_of_it(words in prop::collection::vec("[a-z0-9,.!:#'\"\\\\]{1,12}", 1..8)) {
        let description = words.join(" ");
        let quoted = description.replace('\\', "\\\\").replace('"', "\\\"");
        let written = parse_skill(&format!("---\nname: a\ndescription: \"{quoted}\"\n---\nbody"), "b").unwrap();
        prop_assert_eq!(written.description.in_language(Language::EN), description);
    }

    #[test]
    fn no_path_of_any_form_leads_out_of_the_folder(parts in prop::collection::vec(prop_oneof![
        Just(".."), Just("."), Just(""), Just("/"), Just("out"), Just("in.md"), Just("deep"), Just("secret"), Just("\\..\\"),
        Just("%2e%2e"), Just("~"), Just("\0"), Just("…")], 1..6), rooted: bool)
    {
        let folder = folder(&[("secret", "hidden"), ("skill/SKILL.md", BREAD), ("skill/in.md", "seen"), ("skill/deep/in.md", "seen")]);
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("skill/out")).unwrap();
        let path = parts.join("/");
        let path = if rooted { format!("{}/{path}", folder.path().display()) } else { path };
        if let Ok(text) = read_file(&folder.path().join("skill"), &path) {
            prop_assert_eq!(text, "seen", "{}", path);
        }
    }
}

#[test]
fn only_text_of_a_fitting_size_inside_the_folder_is_read() {
    let folder = folder(&[
        ("skill/a.md", "seen"),
        ("skill/deep/b.txt", "too"),
        ("outside.md", "hidden"),
    ]);
    let skill = folder.path().join("skill");
    fs::write(skill.join("large"), vec![b'x'; 16 * 1024 + 1]).unwrap();
    fs::write(skill.join("fits"), vec![b'x'; 16 * 1024]).unwrap();
    fs::write(skill.join("picture"), [0xff, 0xd8, 0x00]).unwrap();
    fs::write(skill.join("nul"), "a\0b").unwrap();
    let read = |path: &str| read_file(&skill, path);
    assert_eq!(
        (read("a.md"), read(" ./deep/b.txt ")),
        (Ok("seen".into()), Ok("too".into()))
    );
    for (path, text) in [
        (".env", "KEY=1"),
        ("tools.toml", ""),
        ("other/SKILL.md", BREAD),
        ("other/c.md", "another's"),
    ] {
        fs::create_dir_all(skill.join("other")).unwrap();
        fs::write(skill.join(path), text).unwrap();
        assert_eq!(read(path), Err(ResourceError::Outside), "{path}");
    }
    for path in [
        "../outside.md",
        "deep/../../outside.md",
        "/etc/passwd",
        "",
        "a\\..\\b",
        "a.md\0",
    ] {
        assert_eq!(read(path), Err(ResourceError::Outside), "{path}");
    }
    assert_eq!(
        (read("deep"), read("nothing.md")),
        (Err(ResourceError::Missing), Err(ResourceError::Missing))
    );
    assert_eq!(read("large"), Err(ResourceError::TooLarge(16 * 1024 + 1)));
    assert_eq!(read("fits").unwrap().len(), 16 * 1024);
    assert_eq!(
        (read("picture"), read("nul")),
        (Err(ResourceError::NoText), Err(ResourceError::NoText))
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.md", skill.join("link.md")).unwrap();
        assert_eq!(read("link.md"), Err(ResourceError::Outside));
    }
}

#[cfg(unix)]
#[test]
fn no_file_of_a_skill_is_a_link_that_leads_out_of_its_folder() {
    for name in ["SKILL.md", "SKILL.zh.md", "tools.toml"] {
        let folder = folder(&[
            ("key", BREAD),
            ("skills/bread/SKILL.md", BREAD),
            ("skills/bread/more.md", BREAD),
        ]);
        let linked = folder.path().join("skills/bread").join(name);
        let _ = fs::remove_file(&linked);
        std::os::unix::fs::symlink(folder.path().join("key"), &linked).unwrap();
        let (skills, problems) = load(&folder.path().join("skills"));
        assert_eq!(specs(&skills, None), [], "{name}");
        assert_eq!(problems.len(), 1, "{name}: {problems:?}");
        assert!(
            problems[0].message.contains("outside the skill's folder"),
            "{name}: {problems:?}"
        );
        assert!(problems[0].file.ends_with(name), "{name}: {problems:?}");
        // One that stays inside is a file like any other.
        fs::remove_file(&linked).unwrap();
        std::os::unix::fs::symlink("more.md", &linked).unwrap();
        assert_eq!(load(&folder.path().join("skills")).1, [], "{name}");
    }
}

#[test]
fn two_skills_ship_in_both_languages_and_are_there_only_where_they_are_named() {
    let (skills, problems) = Skills::load(&[]);
    assert_eq!(problems, []);
    assert_eq!(
        skills.names().collect::<Vec<_>>(),
        ["catch-up", "movie-night"]
    );
    for skill in skills.all() {
        let (english, chinese) = (
            skill.spec(Language::EN).description,
            skill.spec(Language::ZH).description,
        );
        assert!(
            english.is_ascii() && !chinese.is_ascii(),
            "{english} {chinese}"
        );
        assert!(skill.body(Language::EN).starts_with(|c: char| c.is_ascii()));
        assert!(
            skill
                .body(Language::ZH)
                .starts_with(|c: char| !c.is_ascii())
        );
    }
    assert_eq!(
        names(&specs(&skills, None)),
        [""; 0],
        "nobody asked for them"
    );
    assert_eq!(
        names(&specs(&skills, Some(&["movie-night"]))),
        ["movie-night"]
    );
    assert_eq!(names(&specs(&skills, Some(&[]))), [""; 0]);
}

#[test]
fn without_a_list_a_channel_has_every_skill_of_the_hosts_own_and_an_empty_one_none() {
    let own = BREAD.replace("bread", "movie-night");
    let folder = folder(&[
        ("bread/SKILL.md", BREAD),
        ("movie-night/SKILL.md", &own),
        ("no-skill/readme.md", "x"),
    ]);
    let (skills, problems) = load(folder.path());
    assert_eq!(problems, []);
    assert_eq!(names(&specs(&skills, None)), ["bread", "movie-night"]);
    assert_eq!(names(&specs(&skills, Some(&["catch-up"]))), ["catch-up"]);
    assert_eq!(names(&specs(&skills, Some(&[]))), [""; 0]);
    let own = skills
        .all()
        .find(|skill| skill.name == "movie-night")
        .unwrap();
    assert_eq!(
        own.body(Language::ZH),
        "Knead it, then wait.",
        "the host's stands in the place of the shipped one"
    );
}

#[test]
fn problems_of_folders_name_the_file_and_how_to_mend_it() {
    let folder = folder(&[
        ("a/SKILL.md", BREAD),
        ("b/SKILL.md", BREAD),
        ("c/SKILL.md", "---\nno: end"),
    ]);
    let (skills, mut problems) = load(folder.path());
    assert_eq!(names(&specs(&skills, None)), ["bread"]);
    problems.iter_mut().for_each(|problem| {
        problem.file = problem.file.strip_prefix(folder.path()).unwrap().into()
    });
    let told: Vec<(PathBuf, Option<usize>)> = problems
        .iter()
        .map(|problem| (problem.file.clone(), problem.line))
        .collect();
    assert_eq!(
        told,
        [("b/SKILL.md".into(), None), ("c/SKILL.md".into(), Some(1))]
    );
    assert!(
        problems[0].message.contains("`bread`")
            && problems[0]
                .message
                .ends_with("/a, too, so this skill is left out"),
        "{problems:?}"
    );
    assert!(problems.iter().all(|problem| problem.is_warning));
    let (_, missing) = load(&folder.path().join("nowhere"));
    assert!(missing[0].message.contains("no such folder") && !missing[0].is_warning);
    let (_, empty) = load(&folder.path().join("a/nothing-here-either"));
    assert_eq!(empty.len(), 1);
}

#[tokio::test]
async fn a_skill_is_told_whole_when_it_is_asked_for_and_an_unknown_one_names_those_there_are() {
    let folder = folder(&[
        ("bread/SKILL.md", BREAD),
        ("bread/ovens/gas.md", "Mark 6."),
        ("bread/.hidden", "x"),
    ]);
    let (skills, _) = load(folder.path());
    let registry = ToolRegistry::load_builtin();
    let context = given(
        &registry,
        &skills,
        &specs(&skills, Some(&["bread", "catch-up"])),
    );
    let told = ask(
        &registry,
        &context,
        "activate_skill",
        json!({ "name": "Bread" }),
    )
    .await;
    insta::assert_snapshot!(told.text(), @r#"
    Knead it, then wait.

    Files of this skill: ovens/gas.md

    From now on you can also use:
    <read_skill_resource skill="…" path="…"/> A file of one of your skills.
    "#);
    assert_eq!(told.offers, ["read_skill_resource"]);
    let plain = ask(
        &registry,
        &context,
        "activate_skill",
        json!({ "name": "catch-up" }),
    )
    .await;
    assert!(
        plain.offers.is_empty() && !plain.text().contains("read_skill_resource"),
        "{}",
        plain.text()
    );
    let unknown = ask(
        &registry,
        &context,
        "activate_skill",
        json!({ "name": "movie-night" }),
    )
    .await;
    assert!(
        unknown.is_error,
        "it ships, but this channel does not have it"
    );
    assert_eq!(
        unknown.content,
        "there is no skill `movie-night`; there are: bread, catch-up"
    );
    let file = |path: &str| {
        ask(
            &registry,
            &context,
            "read_skill_resource",
            json!({ "skill": "bread", "path": path }),
        )
    };
    assert_eq!(file("ovens/gas.md").await.content, "Mark 6.");
    for path in ["../bread/SKILL.md", "/etc/passwd", "ovens/electric.md"] {
        let result = file(path).await;
        assert!(
            result.is_error && result.content.contains("ovens/gas.md"),
            "{path}: {}",
            result.content
        );
    }
}

#[test]
fn a_channel_without_skills_has_none_of_their_tools() {
    let registry = ToolRegistry::load_builtin();
    let all: Arc<[ToolSpec]> = registry
        .select(&[DEFAULT_TOOLS.to_owned()], Language::EN)
        .into();
    let (skills, _) = Skills::load(&[]);
    let has = |specs: &[SkillSpec], name: &str| {
        registry
            .add_skill_tools(all.clone(), specs, Language::EN)
            .iter()
            .any(|tool| tool.name == name)
    };
    assert!(!has(&[], "activate_skill") && !has(&[], "read_skill_resource"));
    let night = specs(&skills, Some(&["movie-night"]));
    assert!(
        has(&night, "activate_skill") && !has(&night, "read_skill_resource"),
        "it has no files"
    );
}

#[tokio::test]
async fn tools_of_a_skill_are_on_offer_once_it_is_active_and_only_where_it_is() {
    let folder = folder(&[("bread/SKILL.md", BREAD)]);
    let (skills, _) = load(folder.path());
    let (kind, offer) = (ToolKind::Tool, ToolExposure::Skill("bread".into()));
    let parameters = json!({ "type": "object", "description": "By hand." });
    let face = ToolDescription {
        name: "knead".into(),
        kind,
        offer,
        parameters,
        ..ToolDescription::default()
    };
    let (registry, taken) =
        ToolRegistry::with_tools([Tool::from_description(face, |_, _| async {
            ToolResult::ok("soft")
        })]);
    assert_eq!(taken, []);
    let context = given(&registry, &skills, &specs(&skills, None));
    let told = ask(
        &registry,
        &context,
        "activate_skill",
        json!({ "name": "bread" }),
    )
    .await;
    assert_eq!(told.offers, ["knead"]);
    assert!(
        told.text()
            .ends_with("From now on you can also use:\n<knead/> By hand."),
        "{told:?}"
    );
    let elsewhere = given(&registry, &skills, &specs(&skills, Some(&["catch-up"])));
    assert!(elsewhere.tools.iter().all(|tool| tool.name != "knead"));
}
