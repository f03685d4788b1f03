//! Problems never repeat a secret, wherever somebody wrote it and whatever else is wrong.

use kith::settings::load;
use proptest::prelude::*;

use crate::settings::example::example_in_full;
use crate::settings::{complains, load_text, options, put, shown};

#[test]
fn a_key_in_the_place_of_a_secrets_place_is_not_repeated() {
    let cure = "write { file = \"…\" } or { env = \"…\" }; the secret itself has no place here";
    for wrong in [
        "\"sk-hush\"",
        "\"hunter2!\"",
        "[\"hunter2!\"]",
        "5551234",
        "{ hunter2 = \"x\" }",
        "{ file = [\"hunter2!\"] }",
    ] {
        complains(
            &format!("[secrets]\nnews = {wrong}"),
            &[],
            &format!("kith.toml:2: error: `secrets.news` does not say where the secret is; {cure}"),
        );
    }
}

#[test]
fn what_editors_and_env_files_put_around_a_secret_is_no_part_of_it() {
    let key = "sk-of-model";
    let utf16 = |encode: fn(u16) -> [u8; 2]| {
        let text = format!("\u{feff}{key}\r\n");
        text.encode_utf16().flat_map(encode).collect::<Vec<u8>>()
    };
    let files = [
        format!("\u{feff}{key}\r\n").into_bytes(),
        format!("\"{key}\"\n").into_bytes(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ];
    for file in files {
        let folder = tempfile::tempdir().unwrap();
        put(&folder, "key", file);
        let options = options(folder.path(), "[model]\napi_key_file = \"key\"", &[]);
        assert_eq!(load(&options).unwrap().model.api_key.expose(), key);
    }
    for value in [format!("\"{key}\""), format!("'{key}'"), format!(" {key} ")] {
        let settings = load_text("", &[("OPENAI_API_KEY", &value)]).unwrap();
        assert_eq!(settings.model.api_key.expose(), key);
    }
}

#[test]
fn what_the_settings_know_as_a_secret_is_what_is_one() {
    let toml = "[model]\napi_key = \"sk-of-model\"\nproxy = \"http://me:hush-hush@proxy:1\"\n\
                headers = { X-Title = \"The Companion\", HTTP-Referer = \"https://example.org\", X-Auth = \"of-the-header\" }\n\
                [models.local]\nbase_url = \"http://127.0.0.1:1/v1\"\napi_key = \"ollama\"\n\
                [store]\nurl = \"postgres://127.0.0.1/kith?user=me&password=of-the-store\"\n\
                [roles]\nchat = [\"local\"]\n[secrets]\nnews = { env = \"NEWS\" }";
    let settings = load_text(
        toml,
        &[("NEWS", "of-the-news"), ("DISCORD_TOKEN", "bot-token")],
    )
    .unwrap();
    let redactor = settings.redactor();
    for secret in [
        "sk-of-model",
        "hush-hush",
        "me:hush-hush",
        "of-the-header",
        "of-the-store",
        "of-the-news",
        "bot-token",
    ] {
        assert_eq!(
            redactor.redact(&format!("<{secret}>")),
            "<<redacted>>",
            "{secret}"
        );
    }
    let talk = "The Companion likes ollama, see https://example.org and http://proxy:1";
    assert_eq!(redactor.redact(talk), talk);
}

fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "sk-[a-zA-Z0-9]{9,40}",
        "sk-(proj|ant-api03)-[a-zA-Z0-9_-]{20,60}",
        "gsk_[a-z]{12,30}",
        "([A-Z][a-z][0-9]){6,12}",
        "[0-9a-f]([0-9][a-f]){8,20}",
        "M[A-Z][0-9]([a-z][0-9]){8}\\.[A-Z][a-z]{5}\\.([a-zA-Z][0-9]){12}",
        "([a-z][0-9][A-Z]){5}[+/]([a-z][0-9][A-Z]){5}==?",
    ]
}

/// Settings whose values may be secrets, or be taken for one.
const NAMES: [&str; 40] = [
    "api_key",
    "api_key_env",
    "api_key_file",
    "token",
    "token_file",
    "key",
    "provider",
    "temperature",
    "base_url",
    "name",
    "proxy",
    "listen",
    "level",
    "language",
    "persona",
    "prompts_dir",
    "data_dir",
    "talkativeness",
    "quiet_hours",
    "skill_paths",
    "tool_paths",
    "tools",
    "skills",
    "chat",
    "mode",
    "daily_tokens",
    "stop",
    "headers",
    "news",
    "url",
    "kind",
    "allow_private",
    "avatar",
    "stickers",
    "caused_by",
    "json",
    "rounds",
    "max_tokens",
    "protocol",
    "hosts",
];

/// Every way in which a line may hold it.
fn lines(secret: &str) -> Vec<String> {
    let values = [
        format!("\"{secret}\""),
        secret.to_owned(),
        format!("\"{secret}"),
        format!("{secret}\""),
        format!("'{secret}'"),
        format!("\"\"\"\n{secret}\n\"\"\""),
        format!("\"\\q{secret}\""),
        format!("[\"{secret}\"]"),
        format!("[{secret}"),
        format!("{{ {secret} = \"x\" }}"),
        format!("{{ file = \"{secret}\" }}"),
        format!("{{ env = \"{secret}\" }}"),
        format!("{{ env = \"{secret}\", file = \"{secret}\" }}"),
        format!("\"https://me:{secret}@example.org\""),
        format!("\"Bearer {secret}\""),
    ];
    let mut lines: Vec<String> = NAMES
        .iter()
        .flat_map(|name| values.iter().map(move |value| format!("{name} = {value}")))
        .collect();
    lines.extend([
        secret.to_owned(),
        format!("{secret} = 1"),
        format!("\"{secret}\" = 1"),
        format!("[{secret}]"),
        format!("[model.\"{secret}\"]\nx = 1"),
        format!("[guild.\"{secret}\"]"),
        format!("[channel.1]\nmodel = \"{secret}\""),
        format!("[tool.\"{secret}\"]\ncaused_by = 1"),
        format!("[models.\"{secret}\"]\nprovider = \"x\""),
        format!("[personas]\nhe = \"{secret}\""),
        format!("[secrets]\n\"{secret}\" = {{ file = \"{secret}\" }}"),
        format!("[secrets]\nx = \"{secret}\"\nx = \"{secret}\""),
        format!("[profiles.x]\nsystem = \"{{{{ {secret} }}}}\"\nmodel = \"{secret}\""),
        format!("[web.search]\nkind = \"brave\"\nkey = \"{secret}\""),
        format!("# {secret}"),
    ]);
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_secret_anywhere_in_a_broken_file_is_in_no_problem(
        secret in secret(), line in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
        whole in any::<bool>(), variable in "KITH__(TURN__ROUNDS|MODEL__API_KEY|MODEL__API_KEY_ENV|SECRETS__X|LOG__JSON|ROOM__LISTEN|MODEL__PROVIDER)",
    ) {
        let lines = lines(&secret);
        let line = &lines[line.index(lines.len())];
        let example = if whole { example_in_full() } else { "[model]\n[secrets]\n[discord]\n[log]\n".to_owned() };
        let breaks: Vec<usize> = example.match_indices('\n').map(|(at, _)| at + 1).collect();
        let (before, after) = example.split_at(breaks[at.index(breaks.len())]);
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{before}{line}\n{after}");
        for environment in [vec![], vec![(variable.as_str(), secret.as_str())]] {
            let told = load(&options(folder.path(), &text, &environment)).map_or_else(|wrong| wrong, |fine| fine.warnings);
            let told = shown(&told, folder.path());
            prop_assert!(!told.contains(&secret), "{line}\n{told}");
        }
    }

    #[test]
    fn a_secret_in_a_definition_of_tools_is_in_no_problem(secret in secret(), place in 0..8_usize) {
        let body = match place {
            0 => format!("[own.command]\nargv = [\"{secret}\"]\nsecrets = {{ TOKEN = \"{secret}\" }}"),
            1 => format!("[own.command]\nargv = [\"sh\"]\nenv = [\"{secret}\"]"),
            2 => format!("[own.mcp]\nurl = \"https://x\"\nheaders = {{ Authorization = \"Bearer {{{{ {secret} }}}}\" }}"),
            3 => format!("[own.http]\nurl = \"https://x/{{{{ secret.{secret} }}}}\"\nheaders = {{ \"{secret}\" = \"x\" }}"),
            4 => format!("[own.http]\nurl = \"{secret}\"\npick = \"{secret}[\""),
            5 => format!("[own.command]\nargv = \"{secret}\""),
            6 => format!("[own.sql]\nquery = \"SELECT {secret}\""),
            _ => format!("[own.command]\nargv = [\"sh\"]\nsecrets = \"{secret}\"\n{secret} = 1"),
        };
        let folder = tempfile::tempdir().unwrap();
        put(&folder, "own.toml", format!("[own]\ndescription = \"own\"\n{body}\n"));
        let told = load(&options(folder.path(), "tool_paths = [\"own.toml\"]", &[]));
        let told = shown(&told.map_or_else(|wrong| wrong, |fine| fine.warnings), folder.path());
        prop_assert!(!told.contains(&secret), "{body}\n{told}");
    }
}
