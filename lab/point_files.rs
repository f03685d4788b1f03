//! Gold points as files: what `kith replay --points` decides on and `kith-lab score` reads.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::corpus::Corpus;
use super::gold_points;
use super::score::PointAddressee;

/// Writes `eval/SPLIT.points.jsonl` below a folder of annotated logs, and the split's people into
/// `eval/personas.json`. Answers with how many points there are.
///
/// # Errors
/// A log that cannot be read, a file that cannot be written, a split without logs.
pub fn write_points(root: &Path, split: &str) -> anyhow::Result<usize> {
    let logs = Corpus::open(root)?.read_split(split)?;
    if logs.is_empty() {
        bail!(
            "{}: there are no logs of the split {split}",
            root.join("manifest.json").display()
        );
    }
    let folder = root.join("eval");
    fs::create_dir_all(&folder)
        .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    let personas = folder.join("personas.json");
    let known: Vec<Value> = match fs::read_to_string(&personas) {
        Ok(text) => serde_json::from_str(&text)
            .with_context(|| format!("{}: not a list of personas", personas.display()))?,
        Err(_) => Vec::new(),
    };
    let prefix = format!("{split}/");
    let other = |person: &Value| {
        !person["file"]
            .as_str()
            .is_some_and(|file| file.starts_with(&prefix))
    };
    let mut people: Vec<Value> = known.into_iter().filter(other).collect();
    let (mut lines, mut count) = (String::new(), 0);
    for log in &logs {
        for (rank, persona) in gold_points::select_personas(log).into_iter().enumerate() {
            let id = log.person_id(persona.id);
            for (place, point) in &persona.points {
                let addressed = match point.addressed {
                    PointAddressee::Persona => "P",
                    PointAddressee::Other => "other",
                    PointAddressee::None => "none",
                };
                let number = log.lines.get(*place).map(|line| line.number.to_string());
                let turn = point.turn.map(|turn| turn.to_string());
                let line = json!({"f": log.name, "p": id, "id": number, "y": point.y,
                                  "trig": u8::from(point.trig), "turn": turn, "addr": addressed});
                // Writing to a String cannot fail.
                let _ = writeln!(lines, "{line}");
                count += 1;
            }
            people.push(
                json!({"file": log.name, "persona": id, "names": persona.names, "rank": rank + 1}),
            );
        }
    }
    let points = folder.join(format!("{split}.points.jsonl"));
    for (path, text) in [
        (&points, lines),
        (&personas, format!("{:#}\n", Value::Array(people))),
    ] {
        fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(count)
}
