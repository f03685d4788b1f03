//! Scripts of a skill: what lies in its folder `scripts` may be run while it is active, without being declared. The path
//! comes from a model: it leads to a file in that folder, or nowhere. How one is run follows from its first line or the
//! ending of its name, never from the model.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::resource::{ResourceError, find_file};
use super::skill::SCRIPTS_FOLDER;

/// What runs a script by the ending of its name, where its first line does not say.
const PROGRAMS: &[(&str, &str)] = &[("py", "python3"), ("sh", "sh"), ("js", "node")];
const FIRST_LINE_BYTES: u64 = 200;

/// The program and the arguments that run a script of a skill, by its path in the skill's folder or in `scripts`.
///
/// # Errors
/// Why it is not run: see [`ResourceError`]; `NoText` where nothing says what would run it.
pub fn find_script(folder: &Path, path: &str) -> Result<Vec<String>, ResourceError> {
    let path = path.trim().trim_start_matches("./");
    let path = match path.starts_with(SCRIPTS_FOLDER) {
        true => path.to_owned(),
        false => format!("{SCRIPTS_FOLDER}{path}"),
    };
    let file = find_file(folder, &path)?;
    let root = folder.canonicalize().map_err(|_| ResourceError::Missing)?;
    // A link inside the skill may lead to another of its files, which is no script.
    if !file.starts_with(root.join(SCRIPTS_FOLDER)) {
        return Err(ResourceError::Outside);
    }
    let mut argv = read_shebang(&file)
        .or_else(|| {
            let ending = file.extension()?.to_str()?;
            let (_, program) = PROGRAMS.iter().find(|(known, _)| *known == ending)?;
            Some(vec![(*program).to_owned()])
        })
        .ok_or(ResourceError::NoText)?;
    argv.push(file.to_str().ok_or(ResourceError::NoText)?.to_owned());
    Ok(argv)
}

/// What the first line says runs it: `#!/usr/bin/env python3`. `env` would only look the program up, as is done anyway.
fn read_shebang(file: &Path) -> Option<Vec<String>> {
    let mut bytes = Vec::new();
    let opened = File::open(file).ok()?;
    opened.take(FIRST_LINE_BYTES).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    let words = std::str::from_utf8(line).ok()?.strip_prefix("#!")?;
    let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    if words.first().is_some_and(|first| first.ends_with("/env")) {
        words.remove(0);
        // `-S` has `env` split the rest into words, as is done here.
        words.retain(|word| word != "-S");
    }
    Some(words).filter(|words| !words.is_empty())
}
