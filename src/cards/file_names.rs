//! Names of files that are made of a character's name, which may be anything.

/// The longest name made, in characters.
const LONGEST_STEM: usize = 40;
/// What a system takes for a device whatever its ending.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com1", "lpt1"];

/// What a file about `name` is called, without an ending: letters and digits, with a hyphen for everything between them.
pub fn make_file_stem(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    let stem: String = joined.chars().take(LONGEST_STEM).collect();
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() || RESERVED.contains(&stem) {
        "persona".to_owned()
    } else {
        stem.to_owned()
    }
}
