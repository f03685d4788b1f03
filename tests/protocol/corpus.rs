//! Applies each fault to each answer and holds what is read against what was meant.

use kith::core::policy::Protocol;
use serde_json::Value;

use crate::check::{read_in, shape};
use crate::outputs::{Output, outputs};

/// A name for the fault, and the answer with it; none where it cannot be applied to this one.
pub type Fault = (&'static str, fn(&Output) -> Option<String>);

/// Numbers and flags as text: XML knows nothing else.
fn as_text(value: Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(as_text).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, as_text(value))).collect(),
        Value::String(text) => Value::String(text),
        other => Value::String(other.to_string()),
    }
}

/// Every call of every answer comes out as it was meant, byte by byte as at once, and nothing else does.
pub fn assert_recovered(protocol: Protocol, faults: &[Fault]) {
    let outputs = outputs();
    let mut failures = String::new();
    let mut read = 0;
    let mut wrong = 0;
    for (name, fault) in faults {
        for (place, output) in outputs.iter().enumerate() {
            let Some(input) = fault(output) else { continue };
            read += 1;
            let (calls, answer) = read_in(protocol, input.as_bytes(), usize::MAX);
            assert_eq!(
                (calls.clone(), answer.clone()),
                read_in(protocol, input.as_bytes(), 1),
                "split: {name}\n{input}"
            );
            let found = as_text(shape(&calls));
            if found != output.expected() {
                wrong += 1;
                failures += &format!(
                    "--- {name}, answer {place}\n{input}\nmeant {}\nread  {found}\nrepairs {:?}\n",
                    output.expected(),
                    answer.repairs
                );
            }
        }
    }
    assert!(wrong == 0, "{wrong} of {read} wrong\n{failures}");
}
