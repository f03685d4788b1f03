//! Settings and personas through their public face: what each layer does, and the exact words a person reads when
//! something is wrong.

use std::path::Path;
use std::time::Duration;

use kith::core::chat::{Channel, ChannelId, ChannelKind, GuildId};
use kith::core::persona::Language;
use kith::core::policy::{Mode, Protocol};
use kith::model::Provider;
use kith::settings::{LoadOptions, Override, Problem, Settings, load, parse_persona, shipped_persona, watch};

fn options(folder: &Path, toml: &str, environment: &[(&str, &str)]) -> LoadOptions {
    let config = folder.join("kith.toml");
    std::fs::write(&config, toml).unwrap();
    let environment = environment.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    LoadOptions { config: Some(config), environment: environment.collect(), flags: Vec::new() }
}

fn load_text(toml: &str, environment: &[(&str, &str)]) -> Result<Settings, Vec<Problem>> {
    let folder = tempfile::tempdir().unwrap();
    load(&options(folder.path(), toml, environment))
}

/// Checks what a person reads: one problem a line, without the folder.
#[track_caller]
fn complains(toml: &str, environment: &[(&str, &str)], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let problems = match load(&options(folder.path(), toml, environment)) {
        Ok(settings) => settings.warnings,
        Err(problems) => problems,
    };
    assert_eq!(shown(&problems, folder.path()), expected);
}

fn shown(problems: &[Problem], folder: &Path) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n").replace(&format!("{}/", folder.display()), "")
}

fn channel(id: u64, guild: u64) -> Channel {
    Channel {
        id: ChannelId(id),
        guild: Some(GuildId(guild)),
        name: "general".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
    }
}

#[test]
fn without_a_file_everything_is_a_default() {
    let settings = load_text("", &[]).unwrap();
    assert_eq!(settings.room.listen.to_string(), "127.0.0.1:5484");
    assert_eq!(settings.data_dir.file_name(), Some("data".as_ref()));
    assert_eq!(settings.budget.daily_tokens, 500_000);
    let policy = settings.policy(&channel(1, 1));
    assert_eq!(policy.mode, Mode::On);
    assert_eq!(policy.rounds, 5);
    assert_eq!(policy.names[0], policy.persona.name);
    assert!(!policy.persona.name.is_empty());
}

#[test]
fn the_machines_language_chooses_the_shipped_persona_and_the_settings_overrule_it() {
    let spoken =
        |toml, environment: &[_]| load_text(toml, environment).unwrap().policy(&channel(1, 1)).persona.language;
    assert_eq!(spoken("", &[]), Language::En);
    assert_eq!(spoken("", &[("LANG", "zh_CN.UTF-8")]), Language::Zh);
    assert_eq!(spoken("language = \"en\"", &[("LANG", "zh_CN.UTF-8")]), Language::En);
}

#[test]
fn each_layer_overrules_the_one_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let toml = "[model]\nname = \"file\"\n[turn]\nrounds = 3\n[room]\nlisten = \"127.0.0.1:1\"";
    let environment = [("KITH_MODEL", "short"), ("KITH__TURN__ROUNDS", "4"), ("KITH__ROOM__LISTEN", "127.0.0.1:2")];
    let mut options = options(folder.path(), toml, &environment);
    options.flags.push(("--listen", "room.listen", "127.0.0.1:3".into()));
    let settings = load(&options).unwrap();
    assert_eq!(settings.model.name, "short");
    assert_eq!(settings.turn.rounds, 4);
    assert_eq!(settings.room.listen.port(), 3);
    options.environment.insert("KITH__MODEL__NAME".into(), "long".into());
    assert_eq!(load(&options).unwrap().model.name, "long");
}

#[test]
fn a_channel_overrules_its_guild_and_a_guild_the_persona() {
    let toml = "talkativeness = 0.9\n[guild.7]\ntalkativeness = 0.2\nmode = \"observe\"\n[channel.8]\nmode = \"on\"";
    let settings = load_text(toml, &[]).unwrap();
    let of = |id, guild| settings.policy(&channel(id, guild));
    assert_eq!((of(8, 7).mode, of(8, 7).talkativeness), (Mode::On, 0.2));
    assert_eq!(of(9, 7).mode, Mode::Observe);
    assert_eq!(of(9, 6).mode, Mode::On);
    let persona = settings.shipped.talkativeness.unwrap();
    assert_eq!(of(9, 6).talkativeness, persona, "the persona says, so the general setting is not asked");
}

#[test]
fn a_channel_can_have_its_own_persona_and_paths_are_relative_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bo.toml"), "name = \"Bo\"\naliases = [\"bobo\"]").unwrap();
    let options = options(folder.path(), "data_dir = \"here\"\n[channel.8]\npersona = \"bo.toml\"", &[]);
    let settings = load(&options).unwrap();
    assert_eq!(settings.policy(&channel(8, 7)).names, ["Bo", "bobo"]);
    assert_ne!(settings.policy(&channel(9, 7)).persona.name, "Bo");
    assert_eq!(settings.data_dir, folder.path().join("here"));
}

#[test]
fn the_environment_is_parsed_by_the_type_the_setting_declares() {
    let environment = [
        ("KITH__MODEL__NAME", "007"),
        ("KITH__MODEL__TEMPERATURE", "1"),
        ("KITH__MODEL__API_KEY", "true"),
        ("KITH__LOG__JSON", "true"),
        ("KITH__MODEL__PROTOCOL", "json"),
        ("KITH__CHANNEL__8__TALKATIVENESS", "0.25"),
    ];
    let settings = load_text("", &environment).unwrap();
    assert_eq!(settings.model.name, "007");
    assert_eq!(settings.model.temperature, Some(1.0));
    assert_eq!(settings.model.api_key.expose(), "true");
    assert!(settings.log.json);
    assert_eq!(settings.policy(&channel(8, 7)).protocol, Protocol::Json);
    assert_eq!(settings.policy(&channel(8, 7)).talkativeness, 0.25);
}

#[test]
fn a_variable_that_cannot_be_used_is_an_error() {
    let cases = [
        ("KITH__MODEL__NAEM", "x", "error: KITH__MODEL__NAEM: there is no setting `model.naem`; did you mean `name`?"),
        (
            "KITH__TURN__ROUNDS",
            "many",
            "error: KITH__TURN__ROUNDS: `turn.rounds` is \"many\"; write a whole number, 0 or more",
        ),
        ("KITH__TURN__ROUNDS", "", "error: KITH__TURN__ROUNDS: `turn.rounds` is \"\"; write a whole number, 0 or more"),
        ("KITH__TURN__ROUNDS", "99", "error: KITH__TURN__ROUNDS: `turn.rounds` is 99; write 1 to 20"),
        ("KITH__LOG__JSON", "yes", "error: KITH__LOG__JSON: `log.json` is \"yes\"; write true or false"),
        ("KITH__MODEL__STOP", "x", "error: KITH__MODEL__STOP: `model.stop` is not a single value; set it in kith.toml"),
        ("KITH__MODEL", "x", "error: KITH__MODEL: `model` is not a single value; set it in kith.toml"),
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
fn every_problem_of_a_file_is_told_with_its_line() {
    complains(
        "talkativnes = 0.4\nxyzzy = 1\n\n[model]\ntemprature = 1\nprovider = \"openia\"\nretries = \"two\"\n\
         max_tokens = -5\ntemperature = 3.5\n[turn]\nrounds = 0\n[model.extra]\nx = 1\n[log]\nxyzzy = 1",
        &[],
        "kith.toml:1: error: there is no setting `talkativnes`; did you mean `talkativeness`?\n\
         kith.toml:2: error: there is no setting `xyzzy`; see kith.example.toml for all there are\n\
         kith.toml:5: error: there is no setting `model.temprature`; did you mean `temperature`?\n\
         kith.toml:6: error: `model.provider` cannot be \"openia\"; write \"auto\", \"openai\", \"ollama\" or \"none\"\n\
         kith.toml:7: error: `model.retries` is \"two\"; write a whole number, 0 or more\n\
         kith.toml:8: error: `model.max_tokens` is -5; write a whole number, 0 or more\n\
         kith.toml:9: error: `model.temperature` is 3.5; write a number from 0 to 2\n\
         kith.toml:11: error: `turn.rounds` is 0; write 1 to 20\n\
         kith.toml:12: error: there is no setting `model.extra`; did you mean `extra_body`?\n\
         kith.toml:15: error: there is no setting `log.xyzzy`; known here: level, json",
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
         kith.toml:7: error: `log.level` is not text; write one of its words in quotes; see kith.example.toml\n\
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
    let settings = load_text("[model]\napi_key = \"sk-secret\"\n[model.headers]\nX-Key = \"hush\"", &[]).unwrap();
    let shown = format!("{settings:?}");
    assert!(!shown.contains("sk-secret") && !shown.contains("hush"));
}

#[test]
fn the_room_is_never_opened_to_other_machines() {
    complains(
        "[room]\nlisten = \"0.0.0.0:80\"",
        &[],
        "kith.toml:2: error: `room.listen` is 0.0.0.0:80, which other machines can reach; the room has no log-in, so write a loopback address like \"127.0.0.1:5484\", and reach it from elsewhere through an SSH tunnel",
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
         kith.toml:6: error: `guild.1.talkativeness` is 2; write a number from 0 (shy) to 1 (chatty)",
    );
}

#[test]
fn numbers_that_are_no_numbers_are_refused() {
    complains(
        "talkativeness = nan\n[pacing]\ncharacters_per_second = -inf",
        &[],
        "kith.toml:1: error: `talkativeness` is NaN; write a number from 0 (shy) to 1 (chatty)\n\
         kith.toml:3: error: `pacing.characters_per_second` is -inf; write 0 (at once) to 1000 characters a second",
    );
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path(), "", &[]);
    std::fs::write(folder.path().join("kith.toml"), b"language = \"en\"\ndata_dir = \"\xff\"").unwrap();
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

/// The example file with what stands behind a `#` switched on.
fn example_in_full() -> String {
    let option =
        |line: &str| line.starts_with('[') || line.split_once(" = ").is_some_and(|(name, _)| !name.contains(' '));
    let lines = include_str!("../kith.example.toml").lines();
    lines.map(|line| line.strip_prefix("# ").filter(|rest| option(rest)).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_file_is_valid_and_says_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let empty = load(&options(folder.path(), "", &[])).unwrap();
    let example = load(&options(folder.path(), include_str!("../kith.example.toml"), &[])).unwrap();
    assert_eq!(example, empty);
    assert_eq!(example.warnings, []);
}

#[test]
fn the_example_file_shows_every_setting() {
    let example: serde_json::Value = toml::from_str(&example_in_full()).unwrap();
    let mut all = serde_json::to_value(Settings::default()).unwrap();
    let differs = serde_json::to_value(Override::default()).unwrap();
    all["guild"] = serde_json::json!({ "1234567890": differs });
    all["channel"] = all["guild"].clone();
    let mut missing = Vec::new();
    find_missing(&all, &example, "", &mut missing);
    assert_eq!(missing, [""; 0]);
}

fn find_missing(all: &serde_json::Value, example: &serde_json::Value, path: &str, missing: &mut Vec<String>) {
    for (name, value) in all.as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        match example.get(name) {
            Some(shown) => find_missing(value, shown, &path, missing),
            None => missing.push(path),
        }
    }
}

#[test]
fn the_examples_behind_a_hash_are_valid_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("persona")).unwrap();
    std::fs::create_dir_all(folder.path().join("prompts")).unwrap();
    std::fs::write(folder.path().join("persona/juno.toml"), shipped_persona(Language::En).1).unwrap();
    std::fs::write(folder.path().join("openai.key"), "sk-from-file\n").unwrap();
    let settings = load(&options(folder.path(), &example_in_full(), &[])).unwrap();
    assert_eq!(settings.model.api_key.expose(), "sk-from-file");
    assert_eq!(settings.policy(&channel(1, 1234567890)).mode, Mode::Observe);
}

#[test]
fn a_key_that_is_named_is_never_replaced_by_one_that_is_only_exported() {
    let environment = [("OPENAI_API_KEY", "sk-exported"), ("ROUTER_KEY", "sk-router")];
    let key = |toml| load_text(toml, &environment).unwrap().model.api_key.expose().to_string();
    assert_eq!(key(""), "sk-exported");
    assert_eq!(key("[model]\napi_key_env = \"ROUTER_KEY\""), "sk-router");
    assert_eq!(key("[model]\napi_key = \"sk-own\""), "sk-own");
    assert_eq!(key("[model]\nprovider = \"ollama\""), "");
}

#[test]
fn an_address_from_the_environment_that_replaces_one_in_the_file_is_pointed_out() {
    let toml = "[model]\nbase_url = \"http://127.0.0.1:1/v1\"";
    let environment = [("OPENAI_BASE_URL", "http://127.0.0.1:2/v1")];
    assert_eq!(load_text(toml, &environment).unwrap().model.base_url, environment[0].1);
    complains(
        toml,
        &environment,
        "kith.toml:2: warning: OPENAI_BASE_URL in the environment replaces `model.base_url`; unset the variable, or remove this line",
    );
}

#[test]
fn a_small_model_gets_a_small_prompt_few_tools_and_one_turn_at_a_time() {
    let settings = load_text("[model]\nprofile = \"small\"", &[]).unwrap();
    let policy = settings.policy(&channel(1, 1));
    assert!(policy.plain_text_is_speech);
    assert_eq!(policy.context.prompt_tokens, 1_500);
    assert_eq!(settings.turns_in_flight(), 1);
    assert_eq!(settings.allowed_tools(), Some(["send_message", "react", "stay_silent"].as_slice()));
    let limits = settings.model.time_limits(Provider::OpenAi);
    assert_eq!(limits.first_token, Duration::from_secs(300));
}

#[test]
fn the_prompt_never_exceeds_what_the_model_holds() {
    let settings = load_text("[model]\ncontext_tokens = 4000\nmax_tokens = 1000", &[]).unwrap();
    let context = settings.policy(&channel(1, 1)).context;
    assert_eq!(context.prompt_tokens, 3_000);
    assert_eq!(context.history_tokens, 1_500, "the parts shrink with the whole");
    assert_eq!(settings.context_budget(Some(2_000)).prompt_tokens, 2_000);
}

#[test]
fn the_shipped_personas_have_no_problem() {
    for language in [Language::En, Language::Zh] {
        let (file, text) = shipped_persona(language);
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
         bo.toml:7: error: `talkativeness` is 1.5; write a number from 0 (shy) to 1 (chatty)\n\
         bo.toml:11: error: `from` is \"7:30\", which is no time of day; write it like \"07:30\", from 00:00 to 23:59\n\
         bo.toml:11: error: `to` is \"24:00\", which is no time of day; write it like \"07:30\", from 00:00 to 23:59\n\
         bo.toml:12: error: a part of the day is empty: it goes from 09:00 to 09:00; write a later time\n\
         bo.toml:14: error: `my notes` is no label for a memory block; write letters, digits and _, 32 at most\n\
         bo.toml:14: error: `core_memory.my notes` starts with 3 characters, more than its limit of 2; shorten the text or raise `limit`"
    );
}

#[test]
fn a_persona_without_a_name_is_refused() {
    let says = |text: &str| shown(&parse_persona(Path::new("bo.toml"), text).unwrap_err(), Path::new("."));
    assert_eq!(says("aliases = []"), "bo.toml:1: error: `name` is missing; add a line `name = …`");
    assert_eq!(says("name = \" \""), "bo.toml:1: error: `name` is empty; write the name its friends call it");
    assert_eq!(
        says(&format!("name = \"Bo\"\nidentity = \"{}\"", "x".repeat(5_000))),
        "bo.toml:2: error: `identity` has 5000 characters and stands in every prompt; shorten it to 4000 characters or less"
    );
    assert_eq!(
        says("name = \"Bartholomew the Magnificent of the Hills\""),
        "bo.toml:1: error: \"Bartholomew the Magnificent of the Hills\" is too long for a name; write at most 32 characters"
    );
}

#[tokio::test]
async fn an_edit_is_picked_up_and_a_broken_file_keeps_the_old_settings() {
    let folder = tempfile::tempdir().unwrap();
    let persona = folder.path().join("bo.toml");
    std::fs::write(&persona, "name = \"Bo\"").unwrap();
    let options = options(folder.path(), "persona = \"bo.toml\"", &[]);
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();

    // Editors write a new file and rename it over the old one.
    std::fs::write(folder.path().join("bo.toml~"), "name = \"Bo\"\naliases = [\"bobo\"]").unwrap();
    std::fs::rename(folder.path().join("bo.toml~"), &persona).unwrap();
    let changed = watch.changes.recv().await.unwrap().unwrap();
    assert_eq!(changed.policy(&channel(1, 1)).names, ["Bo", "bobo"]);

    std::fs::write(&persona, "name = \"Bo\"\nalias = \"bobo\"").unwrap();
    let problems = watch.changes.recv().await.unwrap().unwrap_err();
    assert_eq!(
        shown(&problems, folder.path()),
        "bo.toml:2: error: there is no setting `alias`; did you mean `aliases`?"
    );
}

#[tokio::test]
async fn a_change_below_the_prompts_folder_is_noticed_and_one_beside_the_settings_is_not() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("prompts/en")).unwrap();
    let options = options(folder.path(), "prompts_dir = \"prompts\"", &[]);
    let settings = load(&options).unwrap();
    let mut watch = watch(options, &settings).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "nothing of ours").unwrap();
    std::fs::write(folder.path().join("prompts/en/system.j2"), "new").unwrap();
    assert!(watch.changes.recv().await.unwrap().is_ok());
    let more = tokio::time::timeout(Duration::from_millis(600), watch.changes.recv()).await;
    assert!(more.is_err(), "one burst of changes is told once");
}

proptest::proptest! {
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
