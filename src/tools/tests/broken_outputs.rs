//! The corpus of broken outputs, where it is there: how much of it is read as it was meant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use kith_core::call::ToolCall;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::parse_whole_answer;
use kith_testkit::find_shared;
use kith_tools::ToolRegistry;
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Output {
    kind: String,
    /// D: the text determines the calls. R: a reasonable reader recovers them. S: what must not come out.
    grade: char,
    protocol: OutputProtocol,
    raw: Option<String>,
    hex: Option<String>,
    /// The calls that are right, in the ways they may be.
    want: Vec<Vec<ExpectedCall>>,
}

#[derive(Deserialize)]
struct ExpectedCall {
    name: String,
    #[serde(default)]
    params: Option<BTreeMap<String, Value>>,
}

type Shape = (String, BTreeMap<String, String>);

impl Output {
    fn bytes(&self) -> Vec<u8> {
        let Some(hex) = &self.hex else {
            return self.raw.clone().unwrap_or_default().into_bytes();
        };
        hex.as_bytes()
            .chunks(2)
            .map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap())
            .collect()
    }

    fn calls(&self) -> Vec<ToolCall> {
        let tools = ToolRegistry::load_builtin().specs(Language::EN);
        parse_whole_answer(
            Some(self.protocol),
            &self.bytes(),
            tools,
            &["Juno".to_owned(), "阿柚".to_owned()],
            &[],
        )
        .calls
    }

    fn wanted(&self) -> Vec<Vec<Shape>> {
        let one = |wanted: &ExpectedCall| shape(&wanted.name, wanted.params.iter().flatten());
        self.want
            .iter()
            .map(|calls| calls.iter().map(one).collect())
            .collect()
    }
}

fn shape<'a>(name: &str, params: impl Iterator<Item = (&'a String, &'a Value)>) -> Shape {
    let plain = |value: &Value| match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let params = params
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.clone(), plain(value)));
    (name.to_owned(), params.collect())
}

/// What is wrong with an answer of which more comes out than was meant, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Exact,
    /// Something that was meant is missing, or a parameter differs.
    Short,
    /// A call nobody meant, or another text.
    Invented,
    Doubled,
    /// A part of the protocol in a message.
    Leaked,
}

/// What nobody writes in a message: parts of the protocols.
const LEAK: &str = "(?i)</?(turn|send_message|thoughts|think|react|tool_call|function|invoke|parameter|params|text|\
                    actions?|content|answer)\\b|\"(actions|params|name|thoughts|arguments|text)\"\\s*:|<\\||\\|>|\
                    \\[/?(TOOL|ARGS|INST|send_message)|&(lt|gt|amp|quot);|CDATA|```|✿|<escape>|\\\\u[0-9a-f]{4}|reply_to|\u{fffd}";

fn judge(output: &Output, leak: &Regex) -> Verdict {
    let calls = output.calls();
    let got: Vec<Shape> = calls
        .iter()
        .map(|call| shape(&call.name, call.params.iter()))
        .collect();
    let wanted = output.wanted();
    if wanted.contains(&got) {
        return Verdict::Exact;
    }
    let meant: String = wanted
        .iter()
        .flatten()
        .flat_map(|(_, params)| params.values().cloned())
        .collect();
    let messages = got
        .iter()
        .filter(|(name, _)| name == "send_message")
        .flat_map(|(_, params)| params.values());
    if messages
        .flat_map(|text| leak.find_iter(text))
        .any(|found| !meant.contains(found.as_str()))
    {
        return Verdict::Leaked;
    }
    let primary = |(name, params): &Shape| {
        let keys = ["text", "emoji", "query", "question", "reason"];
        (
            name.clone(),
            keys.iter().find_map(|key| params.get(*key)).cloned(),
        )
    };
    let known: BTreeSet<_> = wanted.iter().flatten().map(primary).collect();
    let most = wanted.iter().map(Vec::len).max().unwrap_or(0);
    match () {
        () if got.iter().any(|call| !known.contains(&primary(call))) => Verdict::Invented,
        () if got.len() > most => Verdict::Doubled,
        () => Verdict::Short,
    }
}

#[test]
fn of_the_corpus_nearly_every_kind_is_read_as_meant_and_nothing_is_said_that_was_not() {
    let Some(corpus) = find_shared("output/corpus.jsonl") else {
        return;
    };
    let corpus = fs::read_to_string(corpus).unwrap();
    let leak = Regex::new(LEAK).unwrap();
    let mut kinds: BTreeMap<(char, String, String), Verdict> = BTreeMap::new();
    for output in corpus
        .lines()
        .map(|line| serde_json::from_str::<Output>(line).unwrap())
    {
        let verdict = judge(&output, &leak);
        assert!(
            verdict <= Verdict::Short,
            "{verdict:?}: {}: {:?}",
            output.kind,
            output.raw
        );
        let kind = kinds
            .entry((output.grade, format!("{:?}", output.protocol), output.kind))
            .or_insert(verdict);
        *kind = verdict.max(*kind);
    }
    for (grade, least) in [('D', 103), ('R', 44), ('S', 19)] {
        let exact = kinds
            .iter()
            .filter(|((of, ..), verdict)| *of == grade && **verdict == Verdict::Exact)
            .count();
        let rest: Vec<_> = kinds
            .iter()
            .filter(|((of, ..), verdict)| *of == grade && **verdict != Verdict::Exact)
            .collect();
        assert!(
            exact >= least,
            "{exact} of {grade} where {least} were: {rest:?}"
        );
    }
}
