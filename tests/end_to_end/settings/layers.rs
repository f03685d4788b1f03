//! What each layer does, and which one wins.

use std::time::Duration;

use kith::settings::load;
use kith_core::persona::Language;
use kith_core::policy::{ChannelMode, OutputProtocol, PromptLayout};
use kith_core::talkativeness::Talkativeness;
use kith_model::Provider;
use kith_testkit::assert_has;
use kith_tools::ToolRegistry;

use crate::settings::{channel, load_text, options, policy, put};

#[test]
fn without_a_file_everything_is_a_default() {
    let settings = load_text("", &[]).unwrap();
    assert_eq!(settings.room.listen.0.to_string(), "127.0.0.1:5484");
    assert_eq!(settings.data_dir.file_name(), Some("data".as_ref()));
    assert_eq!(settings.budget.daily_tokens, 500_000);
    let policy = crate::settings::policy(&settings, 1, 1);
    assert_eq!(policy.mode, ChannelMode::On);
    assert_eq!(policy.rounds, 5);
    assert_eq!(policy.names[0], policy.persona.name);
    assert!(!policy.persona.name.is_empty());
}

#[test]
fn the_machines_language_chooses_the_shipped_persona_and_the_settings_overrule_it() {
    let spoken = |toml, environment: &[_]| {
        policy(&load_text(toml, environment).unwrap(), 1, 1)
            .persona
            .language
    };
    assert_eq!(spoken("", &[]), Language::EN);
    assert_eq!(spoken("", &[("LANG", "zh_CN.UTF-8")]), Language::ZH);
    assert_eq!(
        spoken("language = \"en\"", &[("LANG", "zh_CN.UTF-8")]),
        Language::EN
    );
}

#[test]
fn a_persona_without_a_schedule_lives_by_the_machines_clock() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "bo.toml", "name = \"Bo\"");
    let of = |named: &str| {
        let options = options(folder.path(), "persona = \"bo.toml\"", &[("TZ", named)]);
        let settings = load(&options).unwrap();
        let zone = policy(&settings, 1, 1).persona.timezone();
        (zone.name(), settings.warnings.len())
    };
    for (named, zone) in [
        ("Asia/Shanghai", "Asia/Shanghai"),
        (":America/New_York", "America/New_York"),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        // POSIX counts hours to the west.
        ("CST-8", "Etc/GMT-8"),
        ("<+03>-3", "Etc/GMT-3"),
        ("EST5", "Etc/GMT+5"),
    ] {
        assert_eq!(of(named), (zone, 0), "{named}");
    }
    assert_eq!(of("Shanghai time"), ("UTC", 1), "what is no zone is told");
}

#[test]
fn each_layer_overrules_the_one_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let toml = "[model]\nname = \"file\"\n[turn]\nrounds = 3\n[room]\nlisten = \"127.0.0.1:1\"";
    let environment = [
        ("KITH_MODEL", "short"),
        ("KITH__TURN__ROUNDS", "4"),
        ("KITH__ROOM__LISTEN", "127.0.0.1:2"),
    ];
    let mut options = options(folder.path(), toml, &environment);
    options
        .flags
        .push(("--listen", "room.listen", "127.0.0.1:3".into()));
    let settings = load(&options).unwrap();
    assert_eq!(settings.model.name, "short");
    assert_eq!(settings.turn.rounds, 4);
    assert_eq!(settings.room.listen.0.port(), 3);
    options
        .environment
        .insert("KITH__MODEL__NAME".into(), "long".into());
    assert_eq!(load(&options).unwrap().model.name, "long");
}

#[test]
fn a_channel_overrules_its_guild_and_a_guild_the_persona() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "bo.toml", "name = \"Bo\"\ntalkativeness = 0.6");
    let toml = "talkativeness = 0.9\n[guild.7]\ntalkativeness = 0.2\nmode = \"observe\"\n[channel.8]\nmode = \"on\"\n\
                [guild.6]\npersona = \"bo.toml\"";
    let settings = load(&options(folder.path(), toml, &[])).unwrap();
    let of = |id, guild| policy(&settings, id, guild);
    assert_eq!(
        (of(8, 7).mode, of(8, 7).talkativeness),
        (ChannelMode::On, Talkativeness::Level(0.2))
    );
    assert_eq!(of(9, 7).mode, ChannelMode::Observe);
    assert_eq!(of(9, 6).mode, ChannelMode::On);
    let persona = Talkativeness::Level(0.6);
    assert_eq!(
        of(9, 6).talkativeness,
        persona,
        "the persona says, so the general setting is not asked"
    );
    assert_eq!(
        of(9, 5).talkativeness,
        Talkativeness::Level(0.9),
        "the shipped persona leaves it to the settings"
    );
}

#[test]
fn a_channel_can_have_its_own_persona_and_paths_are_relative_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "bo.toml", "name = \"Bo\"\naliases = [\"bobo\"]");
    let options = options(
        folder.path(),
        "data_dir = \"here\"\n[channel.8]\npersona = \"bo.toml\"",
        &[],
    );
    let settings = load(&options).unwrap();
    assert_eq!(policy(&settings, 8, 7).names, ["Bo", "bobo"]);
    assert_ne!(policy(&settings, 9, 7).persona.name, "Bo");
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
    assert_eq!(policy(&settings, 8, 7).protocol, OutputProtocol::Json);
    assert_eq!(
        policy(&settings, 8, 7).talkativeness,
        Talkativeness::Level(0.25)
    );
}

#[test]
fn a_key_that_is_named_is_never_replaced_by_one_that_is_only_exported() {
    let environment = [
        ("OPENAI_API_KEY", "sk-exported"),
        ("ROUTER_KEY", "sk-router"),
    ];
    let key = |toml| {
        load_text(toml, &environment)
            .unwrap()
            .model
            .api_key
            .expose()
            .to_string()
    };
    assert_eq!(key(""), "sk-exported");
    assert_eq!(key("[model]\napi_key_env = \"ROUTER_KEY\""), "sk-router");
    assert_eq!(key("[model]\napi_key = \"sk-own\""), "sk-own");
    assert_eq!(key("[model]\nprovider = \"ollama\""), "");
}

#[test]
fn a_small_model_gets_a_small_prompt_few_tools_and_one_turn_at_a_time() {
    let settings = load_text("[model]\nprofile = \"small\"", &[]).unwrap();
    let policy = crate::settings::policy(&settings, 1, 1);
    assert!(policy.plain_text_is_speech);
    assert_eq!(policy.context.prompt_tokens, 1_500);
    assert_eq!(policy.layout, PromptLayout::Chat);
    let layout = |toml| crate::settings::policy(&load_text(toml, &[]).unwrap(), 1, 1).layout;
    assert_eq!(layout(""), PromptLayout::Document);
    assert_eq!(
        layout("[model]\nprofile = \"small\"\nlayout = \"document\""),
        PromptLayout::Document
    );
    assert_eq!(layout("[model]\nlayout = \"chat\""), PromptLayout::Chat);
    assert_eq!(settings.turns_in_flight(), 1);
    let allowed =
        settings.resolve_tools(&channel(1, 1), &ToolRegistry::load_builtin(), Language::EN);
    let names: Vec<&str> = allowed.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["send_message", "react", "stay_silent"]);
    let limits = settings.model.resolve_time_limits(Provider::OpenAi, false);
    assert_eq!(limits.first_token, Duration::from_secs(300));
    let toml = "tools = [\"default\", \"calculate\"]\n[model]\nprofile = \"small\"";
    let told = load_text(toml, &[]).unwrap().warnings[0].to_string();
    assert_has(&told, ["such a model is not given calculate"]);
}

#[test]
fn the_prompt_never_exceeds_what_the_model_holds() {
    let settings = load_text("[model]\ncontext_tokens = 4000\nmax_tokens = 1000", &[]).unwrap();
    let context = policy(&settings, 1, 1).context;
    assert_eq!(context.prompt_tokens, 3_000);
    assert_eq!(
        context.history_tokens, 1_500,
        "the parts shrink with the whole"
    );
    assert_eq!(
        settings.compute_context_budget(Some(2_000)).prompt_tokens,
        2_000
    );
}

#[test]
fn a_rate_is_read_from_files_and_from_the_environment() {
    let hourly = |rate| Talkativeness::Hourly(rate);
    let settings = load_text(
        "talkativeness = \"about 4 an hour\"\n[guild.7]\ntalkativeness = \"twice an hour\"",
        &[],
    );
    let settings = settings.unwrap();
    assert_eq!(settings.talkativeness, hourly(4.0));
    assert_eq!(policy(&settings, 8, 7).talkativeness, hourly(2.0));
    let settings = load_text("", &[("KITH__TALKATIVENESS", "3 an hour")]).unwrap();
    assert_eq!(settings.talkativeness, hourly(3.0));
}

#[test]
fn the_room_listens_where_people_type_it_in_short() {
    let folder = tempfile::tempdir().unwrap();
    for (typed, wanted) in [
        ("7221", "127.0.0.1:7221"),
        ("localhost:7221", "127.0.0.1:7221"),
        (" 127.0.0.1:7221 ", "127.0.0.1:7221"),
        ("[::1]:7221", "[::1]:7221"),
    ] {
        let toml = format!("[room]\nlisten = \"{typed}\"");
        let settings = load(&options(folder.path(), &toml, &[])).unwrap();
        assert_eq!(settings.room.listen.0.to_string(), wanted);
        let mut flagged = options(folder.path(), "", &[]);
        flagged
            .flags
            .push(("--listen", "room.listen", typed.into()));
        assert_eq!(load(&flagged).unwrap().room.listen.0.to_string(), wanted);
    }
}
