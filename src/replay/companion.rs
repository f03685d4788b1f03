//! Who of a recorded chat is meant to be the companion: the person with an id, or else with a name.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use indicatif::ProgressBar;

use super::log;

const TOLD_PEOPLE: usize = 12;

/// The id of the author in these logs whose id, or else whose name in any case, is `wanted`.
///
/// # Errors
/// A log that cannot be read; nobody who is called so, or several, with who there is.
pub fn find_companion(files: &[PathBuf], wanted: &str) -> anyhow::Result<String> {
    // By id, with the name they have last and how much they wrote.
    let mut people: BTreeMap<String, (String, u64)> = BTreeMap::new();
    for file in files {
        log::read_log(file, &ProgressBar::hidden(), &mut |message| {
            let author = message.author;
            let known = people.entry(author.id).or_default();
            known.0 = author.name;
            known.1 += 1;
            Ok(())
        })?;
    }
    if people.contains_key(wanted) {
        return Ok(wanted.to_owned());
    }
    let is_meant = |name: &str| name.trim().to_lowercase() == wanted.trim().to_lowercase();
    let named: Vec<&String> = people
        .iter()
        .filter(|(_, (name, _))| is_meant(name))
        .map(|(id, _)| id)
        .collect();
    match named.as_slice() {
        [id] => Ok((*id).clone()),
        [] => {
            let mut most: Vec<_> = people.iter().collect();
            most.sort_by_key(|(_, (_, lines))| std::cmp::Reverse(*lines));
            let told: Vec<String> = most
                .iter()
                .take(TOLD_PEOPLE)
                .map(|(id, (name, _))| format!("{name} ({id})"))
                .collect();
            bail!(
                "nobody there has the id or the name {wanted:?}; who wrote most: {}",
                told.join(", ")
            )
        }
        several => bail!(
            "{} people there are called {wanted:?}; give one's id: {}",
            several.len(),
            several
                .iter()
                .map(|id| id.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}
