//! Files of gold points: which messages of which recordings want a decision, by whom.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::player::ReplayRole;
use super::recording::{ReplayRecording, RequestedPoints};
use kith_core::persona::Persona;
use kith_core::policy::{ChannelPolicy, InitiativeSettings};
use kith_core::talkativeness::Talkativeness;

const TALKATIVENESS: Talkativeness = Talkativeness::Level(0.5);

#[derive(Deserialize)]
struct Point {
    f: String,
    p: String,
    id: String,
}

#[derive(Deserialize)]
struct Person {
    file: String,
    persona: String,
    names: Vec<String>,
}

/// The recordings a file of points names, each once for every persona.
///
/// # Errors
/// A file that cannot be read, a line that is no point, a persona whose names are not known.
pub fn read_recordings(points: &Path, root: &Path) -> anyhow::Result<Vec<ReplayRecording>> {
    let names = read_names(&root.join("eval/personas.json"))?;
    let mut order: Vec<(String, String)> = Vec::new();
    let mut wanted: HashMap<(String, String), RequestedPoints> = HashMap::new();
    for point in read_points::<Point>(points)? {
        let key = (point.f, point.p);
        if !wanted.contains_key(&key) {
            order.push(key.clone());
        }
        wanted.entry(key).or_default().insert(point.id);
    }
    let mut recording = |key: (String, String)| {
        let names = names.get(&key).ok_or_else(|| {
            anyhow!(
                "{}: {} as {} is not in eval/personas.json, so its names are not known",
                points.display(),
                key.0,
                key.1
            )
        })?;
        let ids = wanted.remove(&key);
        let persona = Persona {
            name: names.first().cloned().unwrap_or_default(),
            ..Persona::default()
        };
        let policy = ChannelPolicy {
            persona: Arc::new(persona),
            names: names.clone(),
            talkativeness: TALKATIVENESS,
            initiative: InitiativeSettings::none(),
            is_replay: true,
            ..ChannelPolicy::default()
        };
        let (name, me) = key;
        Ok(ReplayRecording {
            path: root.join(&name),
            name,
            role: ReplayRole {
                me,
                policy,
                learns_names: false,
            },
            wanted: ids,
        })
    };
    order.into_iter().map(&mut recording).collect()
}

/// Reads a file of points, one JSON object a line.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be: which.
pub fn read_points<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| {
                format!(
                    "{}:{}: not a point: expected f, p and id",
                    path.display(),
                    number + 1
                )
            })
        })
        .collect()
}

/// The names of the people whose places are taken, by log and person.
///
/// # Errors
/// A file that cannot be read or is no list of personas.
pub fn read_names(path: &Path) -> anyhow::Result<HashMap<(String, String), Vec<String>>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let people: Vec<Person> = serde_json::from_str(&text)
        .with_context(|| format!("{}: not a list of personas", path.display()))?;
    Ok(people
        .into_iter()
        .map(|person| ((person.file, person.persona), person.names))
        .collect())
}
