//! The exact words a person reads when a setting is wrong.

use kith::settings::load;

use crate::settings::example::example_in_full;
use crate::settings::{complains, load_text, options, shown};

#[test]
fn a_variable_that_cannot_be_used_is_an_error() {
    let cases = [
        (
            "KITH__MODEL__NAEM",
            "x",
            "error: KITH__MODEL__NAEM: there is no setting `model.naem`; did you mean `name`?",
        ),
        (
            "KITH__TURN__ROUNDS",
            "many",
            "error: KITH__TURN__ROUNDS: `turn.rounds` is \"many\"; write a whole number, 0 or more",
        ),
        (
            "KITH__TURN__ROUNDS",
            "",
            "error: KITH__TURN__ROUNDS: `turn.rounds` is \"\"; write a whole number, 0 or more",
        ),
        (
            "KITH__TURN__ROUNDS",
            "99",
            "error: KITH__TURN__ROUNDS: `turn.rounds` is 99; write 1 to 20",
        ),
        (
            "KITH__LOG__JSON",
            "yes",
            "error: KITH__LOG__JSON: `log.json` is \"yes\"; write true or false",
        ),
        (
            "KITH__MODEL__STOP",
            "x",
            "error: KITH__MODEL__STOP: `model.stop` is not a single value; set it in kith.toml",
        ),
        (
            "KITH__MODEL",
            "x",
            "error: KITH__MODEL: `model` is not a single value; set it in kith.toml",
        ),
        (
            "KITH__MODEL__EXTRA_BODY__SEED",
            "7",
            "error: KITH__MODEL__EXTRA_BODY__SEED: values of `model.extra_body` have no declared type; set it in kith.toml",
        ),
        (
            "KITH__MODEL.NAME",
            "x",
            "error: KITH__MODEL.NAME: this names no setting; write KITH__TABLE__NAME, for example KITH__MODEL__NAME",
        ),
        (
            "KITH____NAME",
            "x",
            "error: KITH____NAME: this names no setting; write KITH__TABLE__NAME, for example KITH__MODEL__NAME",
        ),
    ];
    for (name, value, expected) in cases {
        complains("", &[(name, value)], expected);
    }
}

#[test]
fn a_variable_that_is_almost_one_of_ours_is_pointed_out_with_the_nearest_name() {
    let cases = [
        (
            "KITH_TURN_ROUNDS",
            "KITH_TURN_ROUNDS sets nothing; did you mean `KITH__TURN__ROUNDS`?",
        ),
        (
            "KITH_MODEL__NAME",
            "KITH_MODEL__NAME sets nothing; did you mean `KITH__MODEL__NAME`?",
        ),
        (
            "KITH_LISTEN",
            "KITH_LISTEN sets nothing; did you mean `KITH__ROOM__LISTEN`?",
        ),
        (
            "KITH_API_KEY",
            "KITH_API_KEY sets nothing; did you mean `KITH__MODEL__API_KEY`?",
        ),
        (
            "KITH_XYZZY",
            "KITH_XYZZY sets nothing; write KITH__TABLE__NAME, for example KITH__MODEL__NAME",
        ),
    ];
    for (name, expected) in cases {
        complains("", &[(name, "sk-secret")], &format!("warning: {expected}"));
    }
    complains(
        "",
        &[
            ("KITH_MODEL", "m"),
            ("KITH_SHARED", "x"),
            ("KITH_KILLS", "9"),
            ("KITHARA", "x"),
        ],
        "",
    );
}

#[test]
fn every_problem_of_a_file_is_told_with_its_line() {
    complains(
        "talkativnes = 0.4\nxyzzy = 1\n\n[model]\ntemprature = 1\nprovider = \"openia\"\nretries = \"two\"\n\
         max_tokens = -5\ntemperature = 3.5\n[turn]\nrounds = 0\n[model.extra]\nx = 1\n[log]\nxyzzy = 1\nlog = 1",
        &[],
        "kith.toml:1: error: there is no setting `talkativnes`; did you mean `talkativeness`?\n\
         kith.toml:2: error: there is no setting `xyzzy`; see SETTINGS.md for all there are\n\
         kith.toml:5: error: there is no setting `model.temprature`; did you mean `temperature`?\n\
         kith.toml:6: error: `model.provider` cannot be \"openia\"; write \"auto\", \"openai\", \"anthropic\", \"gemini\", \"ollama\" or \"none\"\n\
         kith.toml:7: error: `model.retries` is \"two\"; write a whole number, 0 or more\n\
         kith.toml:8: error: `model.max_tokens` is -5; write 16 to 10000000 tokens\n\
         kith.toml:9: error: `model.temperature` is 3.5; write a number from 0 to 2\n\
         kith.toml:11: error: `turn.rounds` is 0; write 1 to 20\n\
         kith.toml:12: error: there is no setting `model.extra`; did you mean `extra_body`?\n\
         kith.toml:15: error: there is no setting `log.xyzzy`; known here: level, json\n\
         kith.toml:16: error: there is no setting `log.log`; known here: level, json",
    );
}

#[test]
fn a_number_too_large_is_told_as_it_was_written_with_its_bounds_and_the_rest_is_checked() {
    complains(
        "talkativeness = 9223372036854775808\n[turn]\nrounds = 4294967296\n[context]\nprompt_tokens = 4294967295\n\
         [budget]\ndaily_tokens = 18446744073709551615\n[model]\nname = 9223372036854775808\n\
         max_tokens = 18446744073709551615\napi_key = 99999999999999999999\nnmae = 1\n[model.extra_body]\n\
         seed = 9223372036854775808\nmore = [[1], [{ x = 0xffffffffffffffff }]]\n\
         most = 9999999999999999999999999999999999999999",
        &[],
        "kith.toml:1: error: `talkativeness` is 9223372036854775808; write a number from 0 (shy) to 1 (chatty), or 0 to 60 messages as \"about 4 an hour\"\n\
         kith.toml:3: error: `turn.rounds` is 4294967296; write 1 to 20\n\
         kith.toml:5: error: `context.prompt_tokens` is 4294967295; write 800 to 10000000 tokens\n\
         kith.toml:7: error: `budget.daily_tokens` is 18446744073709551615; write 1 to 1000000000000 tokens a day\n\
         kith.toml:9: error: `model.name` is 9223372036854775808; write text in quotes\n\
         kith.toml:10: error: `model.max_tokens` is 18446744073709551615; write 16 to 10000000 tokens\n\
         kith.toml:11: error: `model.api_key` is of the wrong kind; write text in quotes\n\
         kith.toml:12: error: there is no setting `model.nmae`; did you mean `name`?\n\
         kith.toml:14: error: `model.extra_body.seed` is 9223372036854775808; write a whole number from -9223372036854775808 to 9223372036854775807\n\
         kith.toml:15: error: `model.extra_body.more.x` is 0xffffffffffffffff; write a whole number from -9223372036854775808 to 9223372036854775807\n\
         kith.toml:16: error: `model.extra_body.most` is too large a number; write a whole number from -9223372036854775808 to 9223372036854775807",
    );
    complains(
        "[budget]\ndaily_tokens = 9223372036854775807",
        &[],
        "kith.toml:2: error: `budget.daily_tokens` is 9223372036854775807; write 1 to 1000000000000 tokens a day",
    );
    complains(
        "[model]\nmax_tokens = 4294967295",
        &[
            ("KITH__BUDGET__DAILY_TOKENS", "18446744073709551615"),
            ("KITH__TURN__ROUNDS", "4294967296"),
        ],
        "kith.toml:2: error: `model.max_tokens` is 4294967295; write 16 to 10000000 tokens\n\
         error: KITH__BUDGET__DAILY_TOKENS: `budget.daily_tokens` is 18446744073709551615; write 1 to 1000000000000 tokens a day\n\
         error: KITH__TURN__ROUNDS: `turn.rounds` is 4294967296; write 1 to 20",
    );
}

#[test]
fn text_that_is_not_toml_is_an_error_with_line_and_column() {
    complains(
        "retries = 1\n[model\nname = 1",
        &[],
        "kith.toml:2: error: not valid TOML at column 7: unclosed table, expected `]`; mend this line; text stands in quotes, lists in [ ]",
    );
    complains(
        "[model]\nname = mistral",
        &[],
        "kith.toml:2: error: not valid TOML at column 8: string values must be quoted, expected literal string; mend this line; text stands in quotes, lists in [ ]",
    );
    complains(
        "language = \"en\"\nlanguage = \"zh\"",
        &[],
        "kith.toml:2: error: not valid TOML at column 1: duplicate key; mend this line; text stands in quotes, lists in [ ]",
    );
}

#[test]
fn wrong_types_say_what_is_wanted() {
    complains(
        "data_dir = 5\npersona = []\nlanguage = \"fr\"\nroom = 5484\n[log]\njson = 1\nlevel = 2\n[model]\nstop = \"x\"",
        &[],
        "kith.toml:1: error: `data_dir` is 5; write a path in quotes\n\
         kith.toml:2: error: `persona` is a list; write a path in quotes\n\
         kith.toml:3: error: `language` cannot be \"fr\"; write \"en\" or \"zh\"\n\
         kith.toml:4: error: `room` is 5484; write it as a table, under [room]\n\
         kith.toml:6: error: `log.json` is 1; write true or false\n\
         kith.toml:7: error: `log.level` is not text; write one of its words in quotes; see SETTINGS.md\n\
         kith.toml:9: error: `model.stop` is \"x\"; write a list, in [ ]",
    );
}

#[test]
fn a_wrong_secret_is_not_repeated() {
    complains(
        "[model]\napi_key = 12345\n[model.headers]\nX-Key = 99",
        &[],
        "kith.toml:2: error: `model.api_key` is of the wrong kind; write text in quotes\n\
         kith.toml:4: error: `model.headers.X-Key` is of the wrong kind; write text in quotes",
    );
    let settings = load_text(
        "[model]\napi_key = \"sk-secret\"\n[model.headers]\nX-Key = \"hush\"",
        &[],
    )
    .unwrap();
    let shown = format!("{settings:?}");
    assert!(!shown.contains("sk-secret") && !shown.contains("hush"));
}

#[test]
fn the_room_is_never_opened_to_other_machines() {
    complains(
        "[room]\nlisten = \"0.0.0.0:80\"",
        &[],
        "kith.toml:2: error: `room.listen` is 0.0.0.0:80, which other machines can reach; what the page says is not encrypted, so write a loopback address like \"127.0.0.1:5484\", and reach it from elsewhere through an SSH tunnel",
    );
    complains(
        "[room]\nlisten = \"localhost\"",
        &[],
        "kith.toml:2: error: `room.listen` is not an address; write an address like \"127.0.0.1:5484\"",
    );
    complains(
        "[room]\nlisten = 80",
        &[],
        "kith.toml:2: error: `room.listen` is 80; write an address like \"127.0.0.1:5484\"",
    );
}

#[test]
fn addresses_and_ids_are_checked() {
    complains(
        "[model]\nbase_url = \"localhost:8080\"\n[channel.general]\nmode = \"on\"\n[guild.1]\ntalkativeness = 2",
        &[],
        "kith.toml:2: error: `model.base_url` is not an http address; write it like \"https://api.openai.com/v1\"\n\
         kith.toml:3: error: `channel.general` names no channel; write the channel's number: [channel.123456]\n\
         kith.toml:6: error: `guild.1.talkativeness` is 2; write a number from 0 (shy) to 1 (chatty), or 0 to 60 messages as \"about 4 an hour\"",
    );
}

#[test]
fn what_it_may_begin_by_itself_has_bounds() {
    complains(
        "[initiative]\nwakes_a_day = 101\nopenings_a_day = -1\nlull_minutes = 5\n[guild.1]\nopenings_a_day = 1000",
        &[],
        "kith.toml:2: error: `initiative.wakes_a_day` is 101; write 0 (never) to 100 times a day\n\
         kith.toml:3: error: `initiative.openings_a_day` is -1; write 0 (never) to 100 times a day\n\
         kith.toml:4: error: `initiative.lull_minutes` is 5; write 10 to 10080 minutes\n\
         kith.toml:6: error: `guild.1.openings_a_day` is 1000; write 0 (never) to 100 times a day",
    );
    complains(
        "[initiative]\nhours = \"day\"",
        &[],
        "kith.toml:2: error: `initiative.hours` cannot be used as hours: these are not two times of day; write them like \"23:00-08:00\" or \"23:00-08:00 Europe/Berlin\"",
    );
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
fn numbers_that_are_no_numbers_are_refused() {
    complains(
        "talkativeness = nan\n[pacing]\ncharacters_per_second = -inf",
        &[],
        "kith.toml:1: error: `talkativeness` is NaN; write a number from 0 (shy) to 1 (chatty), or 0 to 60 messages as \"about 4 an hour\"\n\
         kith.toml:3: error: `pacing.characters_per_second` is -inf; write 0 (at once) to 1000 characters a second",
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
fn what_the_settings_point_to_must_be_there() {
    complains(
        "persona = \"nobody.toml\"\nprompts_dir = \"nowhere\"\n[model]\napi_key_file = \"key\"",
        &[],
        "kith.toml:1: error: there is no persona file nobody.toml; check the path, or copy one from persona/\n\
         kith.toml:2: error: there is no folder nowhere; create it, or remove this setting\n\
         kith.toml:4: error: cannot take the key from key: there is no such file; check the path, or create the file",
    );
    complains(
        "[model]\napi_key_env = \"MY_KEY\"",
        &[],
        "kith.toml:2: error: the environment has no variable MY_KEY; export MY_KEY=… before you start kith",
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
