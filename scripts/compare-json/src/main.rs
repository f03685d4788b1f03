//! Holds the crates jsonrepair and llm_json against the corpus of faulty answers: `cargo run --release -- corpus.jsonl`.
//! What is repaired must be the answer itself, read without any further mending.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Numbers, flags and lists as text: what a schema would make of them is not what is compared.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<_, _> = fields.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
            Value::Object(sorted.into_iter().collect::<Map<_, _>>())
        }
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner @ (Value::Array(_) | Value::Number(_))) => inner.to_string().into(),
            _ => value.clone(),
        },
        other => other.to_string().into(),
    }
}

fn calls(document: &Value) -> Option<Vec<Value>> {
    let call = |one: &Value| Some(Value::from(vec![one.get("name")?.clone(), plain(one.get("params")?)]));
    document.get("actions")?.as_array()?.iter().map(call).collect()
}

fn main() {
    let path = std::env::args().nth(1).expect("a file of lines is named");
    let corpus = std::fs::read_to_string(path).expect("the corpus can be read");
    let mut table: Vec<(String, [usize; 3])> = Vec::new();
    for line in corpus.lines() {
        let case: Value = serde_json::from_str(line).expect("each line is an object");
        let fault = case["fault"].as_str().unwrap_or_default();
        let input = case["input"].as_str().unwrap_or_default();
        let meant: Vec<Value> = case["meant"]
            .as_array()
            .map(|calls| calls.iter().map(|call| Value::from(vec![call[0].clone(), plain(&call[1])])).collect())
            .unwrap_or_default();
        if table.last().is_none_or(|(last, _)| last != fault) {
            table.push((fault.to_owned(), [0; 3]));
        }
        let first = std::panic::catch_unwind(|| jsonrepair::repair_to_value(input, &Default::default()).ok());
        let second = std::panic::catch_unwind(|| llm_json::loads(input, &Default::default()).ok());
        let counts = &mut table.last_mut().expect("just pushed").1;
        counts[0] += 1;
        for (place, read) in [(1, first), (2, second)] {
            let read = read.ok().flatten().and_then(|document| calls(&document));
            counts[place] += usize::from(read.as_ref() == Some(&meant));
        }
    }
    let mut all = [0; 3];
    for (fault, counts) in &table {
        println!("{fault:42} {:5} {:5} {:5}", counts[0], counts[1], counts[2]);
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    println!("{:42} {:5} {:5} {:5}", "all", all[0], all[1], all[2]);
}
