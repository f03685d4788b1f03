//! What turns cost in tokens of a real vocabulary (o200k), in each protocol, and how much of their prompts a provider's
//! cache would serve. The turns are replayed: whenever the person whose part the companion has speaks, it is asked, and
//! answers with their words.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use kith_core::call::{ToolCall, ToolResult, ToolSpec};
use kith_core::chat::{AuthorKind, MINUTE, Millis};
use kith_core::context::{
    PromptSections, PromptSources, TokenEstimator, WorkingItem, render_sections,
};
use kith_core::persona::Language;
use kith_core::policy::{ChannelPolicy, OutputProtocol};
use kith_core::turn::RoundKind;
use kith_model::AnswerForm;
use kith_testkit::find_shared;
use serde_json::{Map, Value, json};
use tiktoken_rs::o200k_base_singleton;

use crate::context::prompt_sizes::{LoggedLine, hear, log, o200k, personas};
use crate::context::support::{ME, PROMPTS, PromptFixture, person};

const PROTOCOLS: [OutputProtocol; 3] = [
    OutputProtocol::Xml,
    OutputProtocol::Json,
    OutputProtocol::Native,
];
/// How many turns are replayed.
const TURNS: usize = 200;
/// Of how many of them the longer form is looked at: every so manieth.
const LONG_EVERY: usize = 20;
/// How many lines are heard before the first turn that is measured: far more than a prompt shows.
const HEARD_BEFORE: usize = 1_000;
/// The rounds of the longer form: six tools, one after the other, then the messages.
const ROUNDS: usize = 7;
/// A cache serves prefixes from this many tokens on …
const CACHED_FROM: usize = 1_024;
/// … in steps of this many …
const CACHED_STEP: usize = 128;
/// … that were sent within this time.
const CACHED_FOR: Millis = 10 * MINUTE;
/// What each tool of the longer form comes back with.
const RESULT: &str = "[12 May, 21:40] Ben: the early ferry is the only one that runs in winter\n[13 May, 08:02] Anna: then we \
    take that one, I'll bring the coffee\n[13 May, 08:03] Ben: deal, meet you at the fountain";

/// The tokens a provider counts for a round: the tools it is handed first, then both messages.
fn ask(policy: &ChannelPolicy, sections: &PromptSections) -> Vec<u32> {
    let prompt = PROMPTS
        .render_round(policy, &policy.tools, RoundKind::Normal, sections)
        .expect("it renders");
    let tools = match &prompt.form {
        AnswerForm::Calls(tools) => {
            let function = |tool: &ToolSpec| json!({"name": tool.name, "description": tool.description, "parameters": tool.schema.to_json_schema()});
            Value::from(tools.iter().map(function).collect::<Vec<_>>()).to_string()
        }
        _ => String::new(),
    };
    lines(&format!("{tools}\n{}\n{}", prompt.system, prompt.user()))
        .flat_map(tokens)
        .collect()
}

/// The lines of a text with the breaks behind them: where one begins, the vocabulary always begins anew.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.find('\n').map_or(rest.len(), |at| {
            at + rest[at..].bytes().take_while(|byte| *byte == b'\n').count()
        });
        let (line, tail) = rest.split_at(end);
        rest = tail;
        (!line.is_empty()).then_some(line)
    })
}

/// The tokens of a line; most are in many prompts.
fn tokens(line: &str) -> Vec<u32> {
    static SEEN: LazyLock<Mutex<HashMap<String, Vec<u32>>>> = LazyLock::new(Mutex::default);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = seen.get(line) {
        return known.clone();
    }
    let tokens = o200k_base_singleton().encode_ordinary(line);
    seen.insert(line.to_owned(), tokens.clone());
    tokens
}

/// How many tokens of a prompt a cache that holds the one before serves.
fn served(before: &[u32], prompt: &[u32]) -> usize {
    let same = before
        .iter()
        .zip(prompt)
        .take_while(|(a, b)| a == b)
        .count();
    if same < CACHED_FROM {
        0
    } else {
        same - (same - CACHED_FROM) % CACHED_STEP
    }
}

/// What a model would write to say these lines.
fn answer(protocol: OutputProtocol, lines: &[&str], reply_to: Option<u32>) -> String {
    let params = |at: usize, text: &str| {
        let mut params = Map::from_iter([("text".to_owned(), json!(text))]);
        params.extend(
            reply_to
                .filter(|_| at == 0)
                .map(|id| ("reply_to".to_owned(), json!(id))),
        );
        Value::Object(params)
    };
    let calls = lines.iter().enumerate();
    match protocol {
        OutputProtocol::Xml => {
            let calls: String = calls
                .map(|(at, text)| {
                    let reply = reply_to
                        .filter(|_| at == 0)
                        .map(|id| format!(" reply_to=\"{id}\""))
                        .unwrap_or_default();
                    let text = text.replace('&', "&amp;").replace('<', "&lt;");
                    format!("<send_message{reply}>{text}</send_message>\n")
                })
                .collect();
            format!("<turn>\n{calls}</turn>")
        }
        OutputProtocol::Json => {
            let actions =
                calls.map(|(at, text)| json!({"name": "send_message", "params": params(at, text)}));
            json!({"actions": actions.collect::<Vec<_>>()}).to_string()
        }
        OutputProtocol::Native => calls
            .map(|(at, text)| format!("send_message{}\n", params(at, text)))
            .collect(),
    }
}

/// One replayed turn.
struct ReplayedTurn {
    at: Millis,
    history: usize,
    /// What it costs in each protocol.
    costs: [Cost; 3],
}

struct Cost {
    prompt: Vec<u32>,
    answer: usize,
    /// Tokens of its answer that are no words of its messages, for each of them.
    overhead: f64,
    /// Of the longer form: tokens of all prompts, those a cache serves, tokens of all answers.
    long: Option<[usize; 3]>,
}

/// The last `most` turns of one log.
fn replay(file: &Path, own: &str, language: Language, most: usize) -> Vec<ReplayedTurn> {
    let mut fixture = PromptFixture::new(language);
    let policies = PROTOCOLS.map(|protocol| ChannelPolicy {
        protocol,
        ..fixture.policy.clone()
    });
    fixture.fixed_tokens = PROMPTS
        .estimate_fixed_tokens(
            &policies[2],
            &fixture.policy.tools,
            &TokenEstimator::default(),
        )
        .expect("the templates render");
    let lines = log(file);
    let is_own = |line: &LoggedLine| line.author.id == person(own).id;
    let begins = |at: usize| {
        is_own(&lines[at])
            && !at
                .checked_sub(1)
                .is_some_and(|before| is_own(&lines[before]))
    };
    let all: Vec<usize> = (0..lines.len()).filter(|at| begins(*at)).collect();
    let first = all[all.len().saturating_sub(most)..]
        .first()
        .copied()
        .unwrap_or(lines.len());
    let mut turns: Vec<ReplayedTurn> = Vec::new();
    for (at, line) in lines
        .iter()
        .enumerate()
        .skip(first.saturating_sub(HEARD_BEFORE))
    {
        if begins(at) {
            fixture.now = line.at;
            fixture.wake.message = fixture
                .timeline
                .messages()
                .next_back()
                .map(|said| said.message.id);
            // Also where nothing is measured: what of the history is shown depends on what was shown before.
            let sections = fixture.render();
            if at >= first {
                let said: Vec<&str> = lines[at..]
                    .iter()
                    .take_while(|line| is_own(line))
                    .map(|line| line.text.as_str())
                    .collect();
                let is_long = turns.len().is_multiple_of(LONG_EVERY);
                let costs = policies.each_ref().map(|policy| {
                    measure_cost(
                        &fixture,
                        policy,
                        &sections,
                        &said,
                        line.reply_to.is_some(),
                        is_long,
                    )
                });
                turns.push(ReplayedTurn {
                    at: line.at,
                    history: o200k(&sections.history.text),
                    costs,
                });
            }
        }
        let mut speaker = line.author.clone();
        if is_own(line) {
            (speaker.id, speaker.kind) = (ME, AuthorKind::Companion);
        } else {
            speaker.kind = AuthorKind::Person;
        }
        hear(&mut fixture, line, speaker, line.reply_to);
    }
    turns
}

/// What a turn costs in which these messages are said.
fn measure_cost(
    fixture: &PromptFixture,
    policy: &ChannelPolicy,
    sections: &PromptSections,
    said: &[&str],
    is_reply: bool,
    is_long: bool,
) -> Cost {
    let words: usize = said.iter().map(|text| o200k(text)).sum();
    let answer = o200k(&answer(policy.protocol, said, is_reply.then_some(12)));
    Cost {
        prompt: ask(policy, sections),
        answer,
        overhead: answer.saturating_sub(words) as f64 / said.len() as f64,
        long: is_long.then(|| long_form(fixture, policy, answer)),
    }
}

/// The same turn with six tools before its messages.
fn long_form(fixture: &PromptFixture, policy: &ChannelPolicy, last: usize) -> [usize; 3] {
    let mut working = Vec::new();
    let mut before: Vec<u32> = Vec::new();
    let [mut sent, mut cached, mut wrote] = [0, 0, last];
    for round in 0..ROUNDS {
        let mut window = fixture.window.clone();
        let sections = render_sections(
            &PromptSources {
                working: &working,
                ..fixture.view()
            },
            &mut window,
            &TokenEstimator::default(),
        );
        let prompt = ask(policy, &sections);
        sent += prompt.len();
        cached += served(&before, &prompt);
        before = prompt;
        if round + 1 < ROUNDS {
            let query = format!("winter ferry {round}");
            let params = Map::from_iter([("query".to_owned(), json!(query))]);
            wrote += o200k(&match policy.protocol {
                OutputProtocol::Xml => format!("<turn>\n<recall>{query}</recall>\n</turn>"),
                OutputProtocol::Json => {
                    json!({"actions": [{"name": "recall", "params": params}]}).to_string()
                }
                OutputProtocol::Native => format!("recall{}\n", Value::Object(params.clone())),
            });
            let call = ToolCall {
                name: "recall".into(),
                params,
            };
            working.push(WorkingItem::Called {
                call,
                result: ToolResult::ok(RESULT),
            });
        }
    }
    [sent, cached, wrote]
}

fn median<T: PartialOrd + Copy>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    values[values.len() / 2]
}

/// Prints the table of these logs; a provider's cache must serve four fifths of a prompt in an active channel.
fn table(logs: &[(PathBuf, String, Language)]) {
    let each = TURNS.div_ceil(logs.len());
    let mut played: Vec<Vec<ReplayedTurn>> = Vec::new();
    for (file, own, language) in logs {
        let left = TURNS - played.iter().map(Vec::len).sum::<usize>();
        played.push(replay(file, own, *language, each.min(left)));
    }
    let turns = || played.iter().flatten();
    println!(
        "{} turns, history {} tokens",
        turns().count(),
        median(turns().map(|turn| turn.history))
    );
    println!(
        "| | fixed, English | fixed, Chinese | a message, beside its words | one round: prompt | answer | seven rounds: \
         prompts | of them cached | answers | cached in an active channel |"
    );
    for (place, protocol) in PROTOCOLS.into_iter().enumerate() {
        let costs = || turns().map(|turn| &turn.costs[place]);
        let long = |of: usize| median(costs().filter_map(|cost| Some(cost.long?[of])));
        let pairs = played.iter().flat_map(|log| log.windows(2));
        let shares: Vec<f64> = pairs
            .filter(|pair| pair[1].at - pair[0].at <= CACHED_FOR)
            .map(|pair| [&pair[0].costs[place].prompt, &pair[1].costs[place].prompt])
            .map(|[before, prompt]| served(before, prompt) as f64 / prompt.len() as f64)
            .collect();
        let share = 100.0 * median(shares.iter().copied());
        println!(
            "| {protocol:?} | {} | {} | {:.0} | {} | {} | {} | {} | {} | {share:.1} % of {} |",
            fixed(Language::EN, protocol),
            fixed(Language::ZH, protocol),
            median(costs().map(|cost| cost.overhead)),
            median(costs().map(|cost| cost.prompt.len())),
            median(costs().map(|cost| cost.answer)),
            long(0),
            long(1),
            long(2),
            shares.len(),
        );
        assert!(share >= 80.0, "{protocol:?}: {share}");
    }
}

/// The tokens of an empty round.
fn fixed(language: Language, protocol: OutputProtocol) -> usize {
    let policy = ChannelPolicy {
        protocol,
        ..PromptFixture::new(language).policy
    };
    ask(
        &policy,
        &PromptSections {
            name: policy.names[0].clone(),
            ..PromptSections::default()
        },
    )
    .len()
}

#[test]
fn the_table_of_the_written_chats() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/chats");
    let of = |(file, own): (PathBuf, String)| {
        let is_chinese = file.parent().is_some_and(|rooms| rooms.ends_with("zh"));
        (
            file,
            own,
            if is_chinese {
                Language::ZH
            } else {
                Language::EN
            },
        )
    };
    table(
        &personas(&root, |_| true)
            .into_iter()
            .map(of)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn the_table_of_the_public_logs() {
    let Some(root) = find_shared("groupchat") else {
        return;
    };
    let logs = personas(&root, |file| file.starts_with("dev/"));
    table(
        &logs
            .into_iter()
            .map(|(file, own)| (file, own, Language::EN))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn what_a_judge_is_told_takes_at_most_350_tokens_with_the_talk() {
    /// What the daemon shows of the talk, in estimated tokens.
    const TALK: usize = 130;
    for language in Language::ALL {
        let instruction = PROMPTS
            .render_judge(&PromptFixture::new(language).policy)
            .expect("it renders");
        let tokens = o200k(&instruction);
        println!("{language:?}: {tokens} tokens");
        assert!(tokens + TALK <= 350, "{tokens} tokens: {instruction}");
    }
}
