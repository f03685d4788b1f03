//! What is left in files of people who were forgotten, to the byte: their names, their ids in both forms, and the words of
//! what they said. Each file is read once, however many they are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::discord::fake_discord::Id;

type TracesByLength = BTreeMap<usize, HashMap<Vec<u8>, Id>>;

/// So many bytes before and behind a trace are told with it: what it is left of.
const BESIDE: usize = 48;

/// What nobody should find.
#[derive(Debug, Default)]
pub struct ErasedTraces {
    /// Everything that is a trace, as bytes, by its first two.
    by_beginning: HashMap<[u8; 2], TracesByLength>,
}

impl ErasedTraces {
    pub fn add(&mut self, person: Id, trace: Vec<u8>) {
        let beginning = [trace[0], trace[1]];
        let by_length = self.by_beginning.entry(beginning).or_default();
        let traces = by_length.entry(trace.len()).or_default();
        traces.insert(trace, person);
    }

    /// Of whom something is in a folder's files, and what.
    pub fn find_in(&self, folder: &Path) -> BTreeSet<(Id, String)> {
        let mut found = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(self.find_in(&path));
            } else {
                let bytes = std::fs::read(&path).unwrap();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let traces = self.find_in_bytes(&bytes).into_iter();
                found.extend(traces.map(|((person, trace), at)| {
                    let beside = &bytes[at.saturating_sub(BESIDE)..bytes.len().min(at + BESIDE)];
                    let trace = String::from_utf8_lossy(&trace);
                    let beside = beside.escape_ascii();
                    (
                        person,
                        format!("{trace:?} is in {name} at {at} (\"{beside}\")"),
                    )
                }));
            }
        }
        found
    }

    /// Each trace with where it stands first.
    fn find_in_bytes(&self, bytes: &[u8]) -> BTreeMap<(Id, Vec<u8>), usize> {
        let mut found = BTreeMap::new();
        for at in 0..bytes.len().saturating_sub(1) {
            let beginning = [bytes[at], bytes[at + 1]];
            let by_length = self.by_beginning.get(&beginning).into_iter().flatten();
            for (length, traces) in by_length {
                let part = bytes.get(at..at + length);
                if let Some((trace, person)) = part.and_then(|part| traces.get_key_value(part)) {
                    found.entry((*person, trace.clone())).or_insert(at);
                }
            }
        }
        found
    }
}

#[test]
fn a_trace_is_found_wherever_it_stands_in_a_file() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::write(folder.path().join("in/kith.db"), b"\0\0w0000001z w0000012z").unwrap();
    let mut traces = ErasedTraces::default();
    traces.add(1, b"w0000001z".to_vec());
    traces.add(2, b"w0000002z".to_vec());
    traces.add(3, b"12z".to_vec());
    let found = traces.find_in(folder.path());
    let whose: Vec<Id> = found.iter().map(|(person, _)| *person).collect();
    assert_eq!(whose, [1, 3]);
}
