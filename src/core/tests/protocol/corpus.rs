//! Applies each fault to each answer and measures what is read against what was meant: whole, in pieces, and cut off
//! anywhere. `cargo test --test core_tests every_call_is_recovered -- --nocapture` prints the table.

use std::fmt::Write;

use kith_core::call::ToolCall;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::ParsedAnswer;
use serde_json::{Value, json};

use crate::protocol::check::{read_in, tools};
use crate::protocol::outputs::{Output, outputs};

/// A name for the fault, and the answer with it; none where it cannot be applied to this one.
pub type Fault = (&'static str, fn(&Output) -> Option<String>);

/// A kind counts as measured from so many answers on.
const ENOUGH_ANSWERS: usize = 25;
/// So many kinds have to be measured.
const ENOUGH_KINDS: usize = 20;
/// At so many places an answer is cut, before and after its first call has closed.
const CUTS: usize = 8;

/// So many failures of one kind are shown.
const SHOWN: usize = 2;

/// What is no fault: other ways to write the same, so nothing has to be mended.
const NO_FAULT: &[&str] = &[
    "well-formed",
    "compact",
    "all on one line",
    "attributes only",
    "single quotes in attributes",
    "function and arguments",
    "comments between calls",
    "thoughts with a call",
    "thoughts inside a call",
    "children",
    "entities for everything",
    "cdata",
    "unicode escapes",
    "byte order mark",
    "tabs and carriage returns",
    "carriage returns and a byte order mark",
    "thoughts as an object",
    "thoughts behind the calls",
    "numbers and lists as text",
    "declaration",
    "blanks in tags",
    "think block with braces",
    "think block with a document",
    "think block with a call",
    "think block with a turn",
    "think block with a think block",
    "parameters in several elements",
];

/// Faults that leave a call without an end of its own: cut off there, it was never finished.
const NEVER_CLOSED: &[&str] = &[
    "call's last two braces missing",
    "think block never ended",
    "thoughts never ended",
    "first end tag missing",
    "last end tag missing",
    "end tag without bracket",
    "last closing quote missing",
    "slash missing in empty elements",
];

/// Drafts in thoughts: cut off before the thoughts end, they cannot be told from calls.
const DRAFTS: &[&str] = &[
    "think block never begun",
    "think block with a turn",
    "think block with a think block",
];

/// What came of one kind of fault.
#[derive(Default)]
struct Row {
    answers: usize,
    exact: usize,
    cuts: usize,
    first_kept: usize,
    invented: usize,
    unnamed: usize,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.answers += other.answers;
        self.exact += other.exact;
        self.cuts += other.cuts;
        self.first_kept += other.first_kept;
        self.invented += other.invented;
        self.unnamed += other.unnamed;
    }

    fn to_line(&self, name: &str) -> String {
        let Row {
            answers,
            exact,
            cuts,
            first_kept,
            invented,
            ..
        } = self;
        format!("{name:42} {answers:7} {exact:5} {cuts:5} {first_kept:5} {invented:8}")
    }
}

/// The calls as they run: parameters checked against the schema of their tool, so that text is a number where one is
/// declared.
fn checked(calls: &[ToolCall]) -> Vec<Value> {
    let tools = tools();
    let params = |call: &ToolCall| match tools.iter().find(|tool| tool.name == call.name) {
        Some(tool) => tool
            .schema
            .check(&call.params)
            .map_or_else(Value::String, Value::Object),
        None => Value::Object(call.params.clone()),
    };
    calls
        .iter()
        .map(|call| json!([call.name, params(call)]))
        .collect()
}

fn meant(output: &Output) -> Vec<Value> {
    let call = |(name, params): &(&str, Vec<(&str, &str)>)| ToolCall {
        name: (*name).to_owned(),
        params: params
            .iter()
            .map(|(key, value)| ((*key).to_owned(), json!(value)))
            .collect(),
    };
    checked(&output.calls.iter().map(call).collect::<Vec<_>>())
}

/// Where the first call of a faulty answer has certainly closed: up to there it reads the same without the others.
fn first_closed(whole: &str, alone: &str) -> usize {
    whole
        .bytes()
        .zip(alone.bytes())
        .take_while(|(a, b)| a == b)
        .count()
}

/// Every call of every answer comes out as it was meant, in any pieces as at once, cut off anywhere only those before
/// the cut, and nothing else ever does.
pub fn assert_recovered(protocol: OutputProtocol, faults: &[Fault]) {
    let outputs = outputs();
    let mut failures = Vec::new();
    let mut table = format!(
        "{protocol:?}: {:42} answers exact  cuts first invented\n",
        "fault"
    );
    let mut total = Row::default();
    let mut kinds = 0;
    for (name, fault) in faults {
        let mut row = Row::default();
        let shown_before = failures.len();
        for (place, output) in outputs.iter().enumerate() {
            let Some((output, input)) = applied(name, *fault, output, faults) else {
                continue;
            };
            let expected = meant(&output);
            let (calls, answer) = read_in(protocol, input.as_bytes(), usize::MAX);
            let size = if place % 2 == 0 { 1 } else { 3 };
            let split = read_in(protocol, input.as_bytes(), size);
            assert_eq!(
                (&calls, &answer),
                (&split.0, &split.1),
                "in pieces of {size}: {name}\n{input}"
            );
            let found = checked(&calls);
            row.answers += 1;
            row.exact += usize::from(found == expected);
            row.invented += found.iter().filter(|call| !expected.contains(call)).count();
            let silent = answer.repairs.is_empty() && !NO_FAULT.contains(name);
            row.unnamed += usize::from(silent);
            if found != expected || silent {
                failures.push(shown(name, place, &input, &expected, &found, &answer));
            }
            if output.calls.len() > 1
                && let Some(alone) = fault(&output.first_call_only())
            {
                cut(
                    protocol,
                    name,
                    &input,
                    first_closed(&input, &alone),
                    &expected,
                    &mut row,
                    &mut failures,
                );
            }
        }
        failures.truncate(shown_before + SHOWN);
        kinds += usize::from(row.answers >= ENOUGH_ANSWERS);
        let _ = writeln!(table, "     {}", row.to_line(name));
        total.add(&row);
    }
    let Row { answers, exact, .. } = total;
    println!("{table}     {}", total.to_line("all"));
    let failures = failures.concat();
    assert!(
        kinds >= ENOUGH_KINDS,
        "only {kinds} kinds on {ENOUGH_ANSWERS} answers"
    );
    assert!(
        exact * 100 >= answers * 99,
        "{} of {answers} wrong\n{failures}",
        answers - exact
    );
    assert_eq!(
        (total.first_kept, total.invented, total.unnamed),
        (total.cuts, 0, 0),
        "{failures}"
    );
}

/// The fault on an answer; where it changes nothing there, on the same answer with signs in its texts.
fn applied(
    name: &str,
    fault: fn(&Output) -> Option<String>,
    output: &Output,
    all: &[Fault],
) -> Option<(Output, String)> {
    [output.clone(), output.with_signs()]
        .into_iter()
        .find_map(|output| {
            let input = fault(&output)?;
            let mut clean = all
                .iter()
                .filter(|(other, _)| !NO_FAULT.contains(&name) && NO_FAULT.contains(other));
            let unchanged = clean.any(|(_, clean)| clean(&output).as_ref() == Some(&input));
            (!unchanged).then_some((output, input))
        })
}

/// Cuts the answer off in places before and after its first call has closed.
fn cut(
    protocol: OutputProtocol,
    name: &str,
    input: &str,
    closed: usize,
    expected: &[Value],
    row: &mut Row,
    failures: &mut Vec<String>,
) {
    let before = (0..CUTS).map(|step| closed * step / CUTS);
    let after = (0..CUTS).map(|step| closed + (input.len() - closed) * step / CUTS);
    for at in before.chain(after) {
        let (calls, answer) = read_in(protocol, &input.as_bytes()[..at], usize::MAX);
        let found = checked(&calls);
        let kept = found.first() == expected.first();
        let counts = at >= closed && !NEVER_CLOSED.contains(&name);
        row.cuts += usize::from(counts);
        row.first_kept += usize::from(counts && kept);
        let wrong = !expected.starts_with(&found) && (at >= closed || !DRAFTS.contains(&name));
        row.invented += usize::from(wrong);
        if wrong || (counts && !kept) {
            let text = String::from_utf8_lossy(&input.as_bytes()[..at]);
            failures.push(shown(
                &format!("{name}, cut at {at}, closed at {closed}"),
                0,
                &text,
                expected,
                &found,
                &answer,
            ));
        }
    }
}

fn shown(
    name: &str,
    place: usize,
    input: &str,
    meant: &[Value],
    found: &[Value],
    answer: &ParsedAnswer,
) -> String {
    let repairs = &answer.repairs;
    format!(
        "--- {name}, answer {place}\n{input}\nmeant {meant:?}\nread  {found:?}\nrepairs {repairs:?}\n"
    )
}

/// Prints every faulty answer with what was meant, one JSON object a line.
pub fn print(faults: &[Fault]) {
    for (name, fault) in faults {
        for output in outputs() {
            if let Some((output, input)) = applied(name, *fault, &output, faults) {
                println!(
                    "{}",
                    json!({"fault": name, "input": input, "meant": meant(&output)})
                );
            }
        }
    }
}
