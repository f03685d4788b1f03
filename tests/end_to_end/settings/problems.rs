//! The exact words a person reads when a setting is wrong.

use std::path::Path;

use kith::settings::{load, parse_persona, read_environment};
use kith_testkit::assert_lacks;

use crate::settings::example::example_in_full;
use crate::settings::{complains, load_text, options, shown};

/// What is told of a case: of settings, or of another file that it names.
fn tell(case: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (told_of, text) = case
        .strip_prefix("@ ")
        .and_then(|named| named.split_once('\n'))
        .unwrap_or(("kith.toml", case));
    let (variables, text): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("$ "));
    let variables: Vec<(&str, &str)> = variables
        .iter()
        .map(|line| line[2..].split_once('=').unwrap())
        .collect();
    let text = text.join("\n");
    let file = folder.path().join(told_of);
    std::fs::write(&file, &text).unwrap();
    let of_persona =
        |text: &str| parse_persona(&folder.path().join("bo.toml"), text).map(|_| Vec::new());
    let of_settings = |text: &str, variables: &[_]| {
        load(&options(folder.path(), text, variables)).map(|settings| settings.warnings)
    };
    let told = match told_of {
        "bo.toml" => of_persona(&text),
        "bo.lore.toml" => of_persona("name = \"Bo\"\nlore = [\"bo.lore.toml\", \"none.toml\"]\n"),
        "own.toml" => of_settings("tool_paths = [\"own.toml\"]", &[]),
        _ => of_settings(&text, &variables),
    };
    shown(&told.unwrap_or_else(|problems| problems), folder.path())
}

/// A case begins with `####` and what it shows; `$` sets a variable, `@` names another file than the settings, and below
/// `----` stands what is told. `INSTA_UPDATE=always` writes the file anew.
#[test]
fn every_problem_is_told_as_written_here() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/end_to_end/settings/problems.txt");
    let written = std::fs::read_to_string(&file).unwrap();
    let mut seen = String::new();
    for case in written.split("####").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let (given, _) = rest.split_once("----\n").unwrap();
        let told = tell(given.trim_end_matches('\n'));
        let end = if told.is_empty() { "" } else { "\n" };
        seen.push_str(&format!("####{title}\n{given}----\n{told}{end}"));
    }
    let update = read_environment().remove("INSTA_UPDATE");
    if update.is_some_and(|how| how == "always") {
        std::fs::write(&file, &seen).unwrap();
    }
    let lines = written.lines().zip(seen.lines());
    for (number, (expected, told)) in (1..).zip(lines) {
        assert_eq!(expected, told, "line {number} of problems.txt");
    }
    assert!(written == seen, "problems.txt is stale");
}

#[test]
fn a_wrong_secret_is_not_repeated() {
    let settings = load_text(
        "[model]\napi_key = \"sk-secret\"\n[model.headers]\nX-Key = \"hush\"",
        &[],
    )
    .unwrap();
    let shown = format!("{settings:?}");
    assert_lacks(&shown, ["sk-secret", "hush"]);
}

#[test]
fn texts_of_one_line_are_one_line_and_so_is_every_problem() {
    complains(
        "[model]\nname = \"a\\nb\"\nkeep_alive = \"\\u0007\"\n\"c\\nd\\u001b\" = 1\n[reactions]\nasleep = \"\\u2028\"",
        &[("KITH__MODEL__API_KEY_ENV", "A\nB")],
        "kith.toml:2: error: `model.name` runs over several lines; write it on one line\n\
         kith.toml:3: error: `model.keep_alive` holds a control character; remove it; it cannot be seen\n\
         kith.toml:4: error: there is no setting `model.c\\nd\\u{1b}`; see SETTINGS.md for all there are\n\
         kith.toml:6: error: `reactions.asleep` runs over several lines; write it on one line\n\
         error: KITH__MODEL__API_KEY_ENV: `model.api_key_env` runs over several lines; write it on one line\n\
         error: KITH__MODEL__API_KEY_ENV: this is no name of a variable of the environment; write the variable's name; the secret itself has no place here",
    );
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path(), "", &[]);
    std::fs::write(
        folder.path().join("kith.toml"),
        b"language = \"en\"\ndata_dir = \"\xff\"",
    )
    .unwrap();
    assert_eq!(
        shown(&load(&options).unwrap_err(), folder.path()),
        "kith.toml:2: error: the file holds bytes that are not UTF-8 text; save the file as UTF-8"
    );
    options.config = Some(folder.path().join("other.toml"));
    assert_eq!(
        shown(&load(&options).unwrap_err(), folder.path()),
        "other.toml: error: there is no such file; check the path, or create the file"
    );
}

#[test]
fn an_address_from_the_environment_that_replaces_one_in_the_file_is_pointed_out() {
    let toml = "[model]\nbase_url = \"http://127.0.0.1:1/v1\"";
    let environment = [("OPENAI_BASE_URL", "http://127.0.0.1:2/v1")];
    assert_eq!(
        load_text(toml, &environment).unwrap().model.base_url,
        environment[0].1
    );
    complains(
        toml,
        &environment,
        "kith.toml:2: warning: OPENAI_BASE_URL in the environment replaces `model.base_url`; unset the variable, or remove this line",
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_stands_in_a_file_every_problem_is_on_one_of_its_lines(
        cut in 0..4_000_usize,
        noise in "[\\[\\]{}=\"'#a-z0-9.,\\n é-]{0,12}",
    ) {
        let example = example_in_full();
        let at = (0..=cut.min(example.len())).rev().find(|at| example.is_char_boundary(*at)).unwrap();
        let text = format!("{}{noise}{}", &example[..at], &example[at..]);
        let folder = tempfile::tempdir().unwrap();
        let lines = text.matches('\n').count() + 1;
        for problem in load(&options(folder.path(), &text, &[])).err().unwrap_or_default() {
            assert!(problem.line.is_some_and(|line| (1..=lines).contains(&line)), "{problem}");
            assert!(!problem.to_string().contains('\n'), "{problem}");
        }
    }
}

#[test]
fn a_talkativeness_is_a_level_or_a_rate_and_its_error_says_both() {
    let cure =
        "write a number from 0 (shy) to 1 (chatty), or 0 to 60 messages as \"about 4 an hour\"";
    let expected = format!(
        "kith.toml:1: error: `talkativeness` is \"often\"; {cure}\n\
         kith.toml:3: error: `guild.1.talkativeness` is \"about 400 an hour\"; {cure}"
    );
    complains(
        "talkativeness = \"often\"\n[guild.1]\ntalkativeness = \"about 400 an hour\"",
        &[],
        &expected,
    );
}
