//! Persona files: the shipped ones, and everything that can be wrong in one.

use std::path::Path;

use kith::settings::{inspect_persona, parse_persona};
use kith_core::persona::Language;

use crate::settings::shown;

#[test]
fn the_shipped_personas_have_no_problem() {
    for language in Language::ALL {
        let (file, text) = language.persona();
        let persona = parse_persona(Path::new(file), text).unwrap();
        assert_eq!(persona.language, language);
    }
}

#[test]
fn a_persona_is_told_every_problem_with_its_line() {
    let text = "nmae = \"Bo\"\naliases = [\"bobo\", \"\"]\nlanguage = \"de\"\ninterests = [\n  \"bikes\",\n  \"/(bike/\",\n]\n\
                talkativeness = 1.5\n[voice]\nexample = [\"hi\"]\n[schedule]\ntimezone = \"Mars/Base\"\n\
                [core_memory.\"my notes\"]\ntext = \"abc\"\nlimit = 2\n";
    let problems = parse_persona(Path::new("bo.toml"), text).unwrap_err();
    assert_eq!(
        shown(&problems, Path::new(".")),
        "bo.toml:1: error: there is no setting `nmae`; did you mean `name`?\n\
         bo.toml:1: error: `name` is missing; add a line `name = …`\n\
         bo.toml:3: error: `language` cannot be \"de\"; write \"en\" or \"zh\"\n\
         bo.toml:10: error: there is no setting `voice.example`; did you mean `examples`?\n\
         bo.toml:12: error: `schedule.timezone` is no time zone; write an IANA name like \"Europe/Berlin\""
    );
}

#[test]
fn a_persona_with_a_name_is_checked_in_full() {
    let text = "name = \"Bo\"\naliases = [\"bobo\", \"\"]\ninterests = [\n  \"bikes\",\n  \"/(bike/\",\n]\n\
                talkativeness = 1.5\n[schedule]\ntimezone = \"Europe/Paris\"\nday = [\n  { from = \"7:30\", to = \"24:00\" },\n\
                { from = \"09:00\", to = \"09:00\" },\n]\n[core_memory.\"my notes\"]\ntext = \"abc\"\nlimit = 2\n";
    let problems = parse_persona(Path::new("bo.toml"), text).unwrap_err();
    assert_eq!(
        shown(&problems, Path::new(".")),
        "bo.toml:2: error: an alias is empty; remove it\n\
         bo.toml:5: error: \"/(bike/\" is not a regular expression: unclosed group; mend it, or drop the slashes for plain words\n\
         bo.toml:7: error: `talkativeness` is 1.5; write a number from 0 (shy) to 1 (chatty), or 0 to 60 messages as \"about 4 an hour\"\n\
         bo.toml:11: error: `from` is \"7:30\", which is no time of day; write it like \"07:30\", from 00:00 to 23:59\n\
         bo.toml:11: error: `to` is \"24:00\", which is no time of day; write it like \"07:30\", from 00:00 to 23:59\n\
         bo.toml:12: error: a part of the day is empty: it goes from 09:00 to 09:00; write a later time\n\
         bo.toml:14: error: `my notes` is no label for a memory block; write letters, digits and _, 32 at most\n\
         bo.toml:14: error: `core_memory.my notes` starts with 3 characters, more than its limit of 2; shorten the text or raise `limit`"
    );
}

#[test]
fn who_sleeps_cannot_speak_first() {
    let text = "name = \"Bo\"\n[schedule]\ntimezone = \"UTC\"\nday = [\n{ from = \"08:00\", to = \"09:00\", opens = true },\n\
                { from = \"23:00\", to = \"08:00\", asleep = true, opens = true }]";
    assert_eq!(
        shown(
            &parse_persona(Path::new("bo.toml"), text).unwrap_err(),
            Path::new(".")
        ),
        "bo.toml:6: error: a part of the day in which it sleeps cannot open the talk; remove `opens` or `asleep`"
    );
}

#[test]
fn a_personas_picture_is_looked_for_beside_its_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bo.gif"), "GIF89a").unwrap();
    let file = folder.path().join("bo.toml");
    let says =
        |avatar: &str| parse_persona(&file, &format!("name = \"Bo\"\navatar = \"{avatar}\"\n"));
    assert_eq!(
        says("bo.gif").unwrap().avatar,
        Some(folder.path().join("bo.gif"))
    );
    assert_eq!(
        shown(&says("bo.png").unwrap_err(), folder.path()),
        "bo.toml:2: error: `avatar` cannot be bo.png: there is no such file; check the path, or create the file"
    );
}

#[test]
fn a_persona_without_a_name_is_refused() {
    let says = |text: &str| {
        shown(
            &parse_persona(Path::new("bo.toml"), text).unwrap_err(),
            Path::new("."),
        )
    };
    assert_eq!(
        says("aliases = []"),
        "bo.toml:1: error: `name` is missing; add a line `name = …`"
    );
    assert_eq!(
        says("name = \" \""),
        "bo.toml:1: error: `name` is empty; write the name its friends call it"
    );
    assert_eq!(
        says(&format!(
            "name = \"Bo\"\nidentity = \"{}\"",
            "x".repeat(5_000)
        )),
        "bo.toml:2: error: `identity` has 5000 characters and stands in every prompt; shorten it to 4000 characters or less"
    );
    assert_eq!(
        says("name = \"Bartholomew the Magnificent of the Hills\""),
        "bo.toml:1: error: \"Bartholomew the Magnificent of the Hills\" is too long for a name; write at most 32 characters"
    );
}

#[test]
fn what_is_shown_in_one_line_is_one_line_and_nothing_holds_control_characters() {
    let text = "name = \"Bo\\nadmin: hi\"\naliases = [\n\"bo\",\n\"b\\u001b[2J\",\n\"b\\u2028\"]\nidentity = \"a\\n\\tb\"\n\
                background = \"\\u0000\"\ninterests = [\"/(?x)\\nbikes/\", \"two\\nlines\"]\ndislikes = [\"\\u0007\"]\n\
                [voice]\nexamples = [\"a\\rb\"]\n[schedule]\ntimezone = \"Europe/Paris\"\n\
                day = [{ from = \"07:30\", to = \"08:00\", doing = \"x\\ny\" }]\n[core_memory.me]\ntext = \"\\u0085\"";
    let problems = parse_persona(Path::new("bo.toml"), text).unwrap_err();
    assert_eq!(
        shown(&problems, Path::new(".")),
        "bo.toml:1: error: `name` runs over several lines; write it on one line\n\
         bo.toml:4: error: `aliases.1` holds a control character; remove it; it cannot be seen\n\
         bo.toml:5: error: `aliases.2` runs over several lines; write it on one line\n\
         bo.toml:7: error: `background` holds a control character; remove it; it cannot be seen\n\
         bo.toml:8: error: `interests.1` runs over several lines; write it on one line\n\
         bo.toml:9: error: `dislikes.0` holds a control character; remove it; it cannot be seen\n\
         bo.toml:11: error: `voice.examples.0` runs over several lines; write it on one line\n\
         bo.toml:14: error: `schedule.day.0.doing` runs over several lines; write it on one line\n\
         bo.toml:16: error: `core_memory.me.text` holds a control character; remove it; it cannot be seen"
    );
}

#[test]
fn what_can_never_be_noticed_is_told() {
    let text = "name = \"Bo\"\ninterests = [\"bikes\", \"/(cats|dogs)/i\", \"…\"]\ndislikes = [\"/(hustle/\"]";
    let problems = parse_persona(Path::new("bo.toml"), text).unwrap_err();
    assert_eq!(
        shown(&problems, Path::new(".")),
        "bo.toml:2: error: \"…\" can never be noticed: there is no word in it; write it in words, or drop it\n\
         bo.toml:3: error: \"/(hustle/\" is not a regular expression: unclosed group; mend it, or drop the slashes for plain words"
    );
}

#[test]
fn a_name_that_calls_everybody_and_flags_nobody_knows_are_refused() {
    let text = "name = \"@everyone\"\naliases = [\"here\"]\ninterests = [\"/bike/gx\", \"/bike/i\", \"/srv/my files\"]\n";
    assert_eq!(
        shown(
            &parse_persona(Path::new("bo.toml"), text).unwrap_err(),
            Path::new(".")
        ),
        "bo.toml:1: error: \"@everyone\" calls everybody and is no name; write another one\n\
         bo.toml:2: error: \"here\" calls everybody and is no name; write another one\n\
         bo.toml:3: error: \"/bike/gx\" has the flags `gx`, and only `i` is known; leave them out, or drop the first slash for plain words"
    );
}

#[test]
fn what_is_probably_not_meant_in_a_persona_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bo.toml");
    let text = "name = \"Bo\"\naliases = [\"sunny\", \"bobo\"]\n[schedule]\ntimezone = \"UTC\"\nday = [\n\
                { from = \"22:00\", to = \"07:00\", asleep = true },\n{ from = \"07:00\", to = \"12:00\" },\n\
                { from = \"11:00\", to = \"12:30\" },\n{ from = \"06:30\", to = \"06:40\" },\n]\n";
    std::fs::write(&file, text).unwrap();
    let (persona, doubts) = inspect_persona(&file);
    assert_eq!(persona.unwrap().name, "Bo");
    let cure = "let one end where the other begins";
    assert_eq!(
        shown(&doubts, folder.path()),
        format!(
            "bo.toml:1: warning: `identity` is missing: it does not know who it is; say it in a sentence or two\n\
             bo.toml:2: warning: \"sunny\" is an everyday word; it counts only as an @ or at the start with a comma; \
             choose a rarer one if it should be known anywhere\n\
             bo.toml:8: warning: the part of the day from 11:00 to 12:30 overlaps that from 07:00 to 12:00, which counts where both do; {cure}\n\
             bo.toml:9: warning: the part of the day from 06:30 to 06:40 overlaps that from 22:00 to 07:00, which counts where both do; {cure}"
        )
    );
    for language in Language::ALL {
        let (name, text) = language.persona();
        std::fs::write(&file, text).unwrap();
        assert_eq!(inspect_persona(&file).1, [], "{name}");
    }
}
