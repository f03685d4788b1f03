//! How many lines each crate may have, without its tests. Their sum only falls: what one crate needs more, another gives in
//! the same commit.

use super::File;

const LARGEST: [(&str, usize); 16] = [
    ("agent", 1_603),
    ("cards", 1_763),
    ("commands", 2_503),
    ("core", 46_785),
    ("discord", 14_888),
    ("language", 1_157),
    ("memory", 1_835),
    ("model", 8_147),
    ("observe", 1_255),
    ("replay", 3_291),
    ("room", 2_531),
    ("store", 21_706),
    ("system", 361),
    ("tools", 12_190),
    // What is no crate of its own.
    ("kith", 30_820),
    ("lab", 4_012),
];
/// All of them together.
const SUM: usize = 154_847;
/// A crate that is so far below its number has to lower it, so that nothing grows back unseen.
const UNCLAIMED: usize = 100;

/// Crates with more lines than they may have, and numbers that can fall.
pub(super) fn find_changed_crates(files: &[File]) -> Vec<String> {
    let sources: Vec<(&str, usize)> = files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && !file.path.contains("/tests/"))
        .filter_map(|file| Some((find_crate(&file.path)?, file.text.lines().count())))
        .collect();
    let check = |(name, most): (&str, usize)| {
        let of_crate = sources.iter().filter(|(owner, _)| *owner == name);
        let lines: usize = of_crate.map(|(_, lines)| lines).sum();
        let cure = if lines > most {
            "take lines away, or lower the number of another crate by as many"
        } else if lines + UNCLAIMED < most {
            "lower its number"
        } else {
            return None;
        };
        Some(format!(
            "crate {name}: {lines} lines where architecture/ratchet.rs says {most}; {cure}"
        ))
    };
    let mut changed: Vec<String> = LARGEST.into_iter().filter_map(check).collect();
    let sum: usize = LARGEST.iter().map(|(_, most)| most).sum();
    if sum > SUM {
        changed.push(format!(
            "the numbers of architecture/ratchet.rs sum to {sum}; no more than {SUM}"
        ));
    }
    changed
}

fn find_crate(path: &str) -> Option<&str> {
    if path.starts_with("lab/") {
        return Some("lab");
    }
    let folder = path.strip_prefix("src/")?.split('/').next()?;
    let known = |name: &&str| LARGEST.iter().any(|(known, _)| known == name);
    Some(Some(folder).filter(known).unwrap_or("kith"))
}
