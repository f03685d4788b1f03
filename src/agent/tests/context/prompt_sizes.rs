//! Sizes against a real vocabulary (o200k), on what ships and on the public group-chat logs where they are at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kith_core::chat::{Author, AuthorKind, Message, MessageId, Millis};
use kith_core::context::{PromptSections, TokenEstimator};
use kith_core::persona::{Language, Persona};
use kith_core::policy::{ChannelPolicy, OutputProtocol, PromptLayout};
use kith_core::turn::RoundKind;
use kith_testkit::find_shared;
use serde_json::Value;
use tiktoken_rs::o200k_base_singleton;

use crate::context::support::{ME, PROMPTS, PromptFixture, person, persona};

/// An everyday chat, written for this test.
const CHINESE: &str = include_str!("chinese.txt");

pub fn o200k(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

pub struct LoggedLine {
    id: u64,
    pub at: Millis,
    pub author: Author,
    pub text: String,
    pub reply_to: Option<MessageId>,
}

/// The people's lines of a log, in the format of the group-chat data.
pub fn log(file: &Path) -> Vec<LoggedLine> {
    let text = fs::read_to_string(file).expect("a log");
    let number = |value: &Value| value.as_str().and_then(|id| id.parse().ok());
    let line = |line: &str| {
        let value: Value = serde_json::from_str(line).ok()?;
        let name = value["author"]["name"].as_str()?;
        let author = Author {
            id: person(value["author"]["id"].as_str()?).id,
            ..person(name)
        };
        let at = chrono::DateTime::parse_from_rfc3339(value["ts"].as_str()?)
            .ok()?
            .timestamp_millis();
        let text = value["content"].as_str()?.to_owned();
        // Line 0 of a log must not become the message 0 that no platform has.
        let id = |value: &Value| number(value).map(|id: u64| id + 1);
        let reply_to = id(&value["reply_to"]).map(MessageId);
        (value["system"] != true).then_some(LoggedLine {
            id: id(&value["id"])?,
            at,
            author,
            text,
            reply_to,
        })
    };
    text.lines().filter_map(line).collect()
}

/// The logs and who is the companion in each, by the log's id, of those whose path below `root` is wanted.
pub fn personas(root: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<(PathBuf, String)> {
    let text = fs::read_to_string(root.join("eval/personas.json")).expect("the personas");
    let list: Vec<Value> = serde_json::from_str(&text).expect("valid JSON");
    let of = |persona: &Value| {
        let file = persona["file"].as_str().filter(|file| is_wanted(file))?;
        Some((root.join(file), persona["persona"].as_str()?.to_owned()))
    };
    list.iter().filter_map(of).collect()
}

fn dev_logs(root: &Path) -> Vec<Vec<LoggedLine>> {
    let mut files: Vec<_> = fs::read_dir(root.join("dev"))
        .expect("the dev logs")
        .flatten()
        .collect();
    files.sort_by_key(fs::DirEntry::path);
    files.iter().map(|file| log(&file.path())).collect()
}

pub fn hear(
    fixture: &mut PromptFixture,
    line: &LoggedLine,
    author: Author,
    reply_to: Option<MessageId>,
) {
    fixture.timeline.say(Message {
        id: MessageId(line.id),
        channel: fixture.channel.id,
        arrival: line.id,
        at: line.at,
        author,
        text: line.text.as_str().into(),
        reply_to,
        mentions: Vec::new(),
    });
    fixture.now = line.at;
}

/// Tokens of a history line beyond its text, on average over the annotated parts of the logs.
fn overhead(logs: &[Vec<LoggedLine>], replies: Replies) -> f64 {
    let (mut lines, mut tokens) = (0, 0);
    let annotated = |log: &&Vec<LoggedLine>| {
        log.iter()
            .position(|line| line.reply_to.is_some())
            .unwrap_or(log.len())
    };
    let parts = logs
        .iter()
        .map(|log| &log[annotated(&log)..])
        .flat_map(|log| log.chunks(200));
    for part in parts {
        let mut fixture = PromptFixture::new(Language::EN);
        (
            fixture.policy.context.history_tokens,
            fixture.policy.context.prompt_tokens,
        ) = (100_000, 300_000);
        for line in part {
            let reply_to = line.reply_to.filter(|_| replies == Replies::Shown);
            hear(&mut fixture, line, line.author.clone(), reply_to);
            tokens -= o200k(&line.text) as i64;
        }
        let history = fixture.history();
        assert!(history.lines().count() >= part.len(), "lines are missing");
        tokens += o200k(&history) as i64;
        lines += part.len();
    }
    tokens as f64 / lines as f64
}

#[derive(Clone, Copy, PartialEq)]
enum Replies {
    Hidden,
    Shown,
}

#[test]
fn a_history_line_costs_at_most_6_tokens_over_its_text_and_7_5_with_reply_marks() {
    let Some(root) = find_shared("groupchat") else {
        return;
    };
    let logs = dev_logs(&root);
    let (plain, marked) = (
        overhead(&logs, Replies::Hidden),
        overhead(&logs, Replies::Shown),
    );
    println!(
        "overhead of a history line on the dev logs: {plain:.2} tokens, with reply marks {marked:.2}"
    );
    assert!(plain <= 6.0 && marked <= 7.5);
}

#[test]
fn most_of_a_prompt_is_the_same_prefix_as_in_the_call_before() {
    let Some(root) = find_shared("groupchat") else {
        return;
    };
    for layout in [PromptLayout::Document, PromptLayout::Chat] {
        same_prefix(&root, layout);
    }
}

fn same_prefix(root: &Path, layout: PromptLayout) {
    let mut shares = Vec::new();
    for (file, name) in personas(root, |file| file.starts_with("dev/")) {
        let own = person(&name).id;
        let mut fixture = PromptFixture::new(Language::EN);
        fixture.policy.layout = layout;
        let tools = fixture.policy.tools.clone();
        fixture.fixed_tokens = PROMPTS
            .estimate_fixed_tokens(&fixture.policy, &tools, &TokenEstimator::default())
            .expect("the templates render");
        let mut before: Option<String> = None;
        let mut last_own = false;
        for line in log(&file) {
            let is_own = line.author.id == own;
            if is_own && !last_own {
                fixture.wake.message = fixture
                    .timeline
                    .messages()
                    .next_back()
                    .map(|said| said.message.id);
                let sections = fixture.render();
                let prompt = PROMPTS
                    .render_round(&fixture.policy, &tools, RoundKind::Normal, &sections)
                    .expect("it renders");
                let now = format!("{}\n{}", prompt.system, prompt.user());
                if let Some(before) = &before {
                    let same = before
                        .bytes()
                        .zip(now.bytes())
                        .take_while(|(a, b)| a == b)
                        .count();
                    shares.push(same as f64 / now.len() as f64);
                }
                before = Some(now);
            }
            last_own = is_own;
            let kind = if is_own {
                AuthorKind::Companion
            } else {
                AuthorKind::Person
            };
            let id = if is_own { ME } else { line.author.id };
            hear(
                &mut fixture,
                &line,
                Author {
                    id,
                    kind,
                    ..line.author.clone()
                },
                None,
            );
        }
    }
    shares.sort_by(f64::total_cmp);
    let median = shares[shares.len() / 2];
    println!(
        "{layout:?}: same prefix as in the call before: median {:.1} % of {} prompts",
        median * 100.0,
        shares.len()
    );
    assert!(median >= 0.85);
}

#[test]
fn estimates_are_close_to_a_real_vocabulary_in_english_and_chinese() {
    let mut samples = vec![
        ("the Chinese chat", CHINESE.to_owned()),
        (
            "the English templates",
            include_str!("../../../../prompts/en/system.j2").to_owned(),
        ),
        (
            "the Chinese templates",
            include_str!("../../../../prompts/zh/system.j2").to_owned(),
        ),
        (
            "the English persona",
            include_str!("../../../../persona/juno.toml").to_owned(),
        ),
        (
            "the Chinese persona",
            include_str!("../../../../persona/ayou.toml").to_owned(),
        ),
    ];
    if let Some(root) = find_shared("groupchat") {
        let lines: Vec<String> = dev_logs(&root)
            .iter()
            .flatten()
            .map(|line| line.text.clone())
            .collect();
        samples.push(("the dev logs", lines.join("\n")));
    }
    for (name, text) in samples {
        let ratio =
            f64::from(TokenEstimator::default().estimate_tokens(&text)) / o200k(&text) as f64;
        println!("estimate / o200k on {name}: {ratio:.3}");
        assert!((0.9..=1.1).contains(&ratio), "{name}: {ratio}");
    }
}

/// The tokens of an empty round's two messages.
fn fixed(fixture: &PromptFixture, persona: Persona) -> usize {
    let policy = ChannelPolicy {
        persona: Arc::new(persona),
        ..fixture.policy.clone()
    };
    let sections = PromptSections {
        name: policy.names[0].clone(),
        ..PromptSections::default()
    };
    let prompt = PROMPTS
        .render_round(&policy, &policy.tools, RoundKind::Normal, &sections)
        .expect("it renders");
    o200k(&prompt.system) + o200k(&prompt.user())
}

#[test]
fn the_fixed_part_with_all_tools_and_a_shipped_persona_stays_under_1400_tokens() {
    for language in [Language::EN, Language::ZH] {
        for protocol in [OutputProtocol::Xml, OutputProtocol::Json] {
            let mut fixture = PromptFixture::new(language);
            fixture.policy.protocol = protocol;
            let bare = Persona {
                language,
                ..Persona::default()
            };
            let (rules, whole) = (fixed(&fixture, bare), fixed(&fixture, persona(language)));
            println!(
                "{language:?} {protocol:?}: rules and tools {rules} tokens, with the shipped persona {whole}"
            );
            assert!(whole <= 1_400, "{language:?} {protocol:?}: {whole}");
        }
    }
}

#[test]
fn a_small_prompt_is_at_most_1500_tokens_whole() {
    for (language, talk) in [
        (
            Language::EN,
            "so i tried it again and it went about as well as last time",
        ),
        (Language::ZH, CHINESE.lines().next().unwrap_or_default()),
    ] {
        let mut fixture = PromptFixture::new(language);
        (
            fixture.policy.context.prompt_tokens,
            fixture.policy.plain_text_is_speech,
        ) = (1_500, true);
        let tools: Vec<_> = fixture.policy.tools.iter().take(3).cloned().collect();
        fixture.fixed_tokens = PROMPTS
            .estimate_fixed_tokens(&fixture.policy, &tools, &TokenEstimator::default())
            .expect("the templates render");
        for _ in 0..300 {
            fixture.says("Anna", talk);
        }
        let sections = fixture.render();
        let prompt = PROMPTS
            .render_round(&fixture.policy, &tools, RoundKind::Normal, &sections)
            .expect("it renders");
        let whole = o200k(&prompt.system) + o200k(&prompt.user());
        println!(
            "{language:?} small: {whole} tokens, fixed {}, history {}",
            fixture.fixed_tokens, sections.history.tokens
        );
        assert!(whole <= 1_500, "{language:?}: {whole}");
    }
}
