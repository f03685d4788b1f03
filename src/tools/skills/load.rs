//! Reads skills: those that are embedded, and those in folders of the host's own.

use std::fs;
use std::path::{Path, PathBuf};

use super::resource::is_hidden;
use super::skill::{SKILL_FILE, Skill, TOOLS_FILE, folder_name, format_translated_file_name};
use kith_core::persona::Language;
use kith_core::skill::{self, BODY_CHARACTERS, SkillFlaw};

/// The largest SKILL.md that is read, in bytes: a body of Chinese with its front matter.
const MOST_BYTES: u64 = 4 * BODY_CHARACTERS as u64;
/// The most files of a skill that are told, and how deep they and skills are looked for.
const MOST_FILES: usize = 50;
const DEEPEST: usize = 3;
const MOST_FOLDERS: usize = 1_000;

/// What is wrong with a skill, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillProblem {
    pub file: PathBuf,
    pub line: Option<usize>,
    pub message: String,
    pub cure: String,
    /// Whether it works all the same, but probably not as meant.
    pub is_warning: bool,
}

impl SkillProblem {
    /// One that only takes away what it stands in.
    fn new(file: &Path, message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            message: message.into(),
            cure: cure.into(),
            is_warning: true,
        }
    }

    fn from_flaw(file: &Path, flaw: SkillFlaw) -> Self {
        Self {
            line: Some(flaw.line),
            ..Self::new(file, flaw.message, flaw.cure)
        }
    }
}

/// The folders of `prompts/skills`, each with its files by name.
const SHIPPED: &[(&str, &[(&str, &str)])] =
    include!(concat!(env!("OUT_DIR"), "/shipped_skills.rs"));

pub(super) fn load_shipped() -> Vec<Skill> {
    let read = |(folder, files): &(&str, &[(&str, &str)])| {
        let find_text = |name: &str| Some(files.iter().find(|(file, _)| *file == name)?.1);
        let mut skill = build_skill(skill::parse_skill(find_text(SKILL_FILE)?, folder).ok()?);
        for language in Language::ALL {
            if let Some(text) = find_text(&format_translated_file_name(language)) {
                skill.body.add(language, skill::parse_body(text).ok()?);
            }
        }
        Some(skill)
    };
    SHIPPED.iter().filter_map(read).collect()
}

fn build_skill(skill_file: skill::SkillFile) -> Skill {
    let skill::SkillFile {
        name,
        description,
        body,
    } = skill_file;
    Skill {
        name,
        description,
        body: body.into(),
        ..Skill::default()
    }
}

#[derive(Default)]
pub(super) struct OwnSkills {
    pub skills: Vec<Skill>,
    /// The names of the folders whose skill is left out.
    pub left_out: Vec<String>,
    pub problems: Vec<SkillProblem>,
}

/// The skills in the folders below these, and what is wrong with any: such a one is left out.
pub(super) fn load_own(paths: &[PathBuf]) -> OwnSkills {
    let mut own = OwnSkills::default();
    for folder in find_skill_folders(paths, &mut own.problems) {
        let skill = read_skill(&folder).and_then(|skill| match own.find(&skill.name) {
            Some(first) => {
                let first = first.display();
                let message = format!("a skill `{}` is defined in {first}, too", skill.name);
                let cure = "give one of them another name";
                Err(SkillProblem::new(&folder.join(SKILL_FILE), message, cure))
            }
            None => Ok(skill),
        });
        match skill {
            Ok(skill) => own.skills.push(skill),
            Err(mut problem) => {
                problem.message.push_str(", so this skill is left out");
                own.problems.push(problem);
                own.left_out.push(folder_name(&folder));
            }
        }
    }
    own
}

impl OwnSkills {
    fn find(&self, name: &str) -> Option<&Path> {
        let known = self.skills.iter().find(|known| known.name == name)?;
        known.folder.as_deref()
    }
}

/// The folders that hold a skill, each once: a path's own, then those below it, by name.
fn find_skill_folders(paths: &[PathBuf], problems: &mut Vec<SkillProblem>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            let cure = "create it, or take it out of `skill_paths`";
            let problem = SkillProblem::new(path, "there is no such folder", cure);
            problems.push(SkillProblem {
                is_warning: false,
                ..problem
            });
            continue;
        }
        let mut seen = Vec::new();
        collect_folders(path, 0, &mut seen);
        seen.retain(|folder| folder.join(SKILL_FILE).is_file());
        if seen.is_empty() {
            let cure = "a skill is a folder in it that holds a SKILL.md";
            let message = "there is no skill in this folder";
            problems.push(SkillProblem::new(path, message, cure));
        }
        seen.retain(|folder| !found.contains(folder));
        found.append(&mut seen);
    }
    found
}

/// A folder and those below it, without hidden ones; each once, wherever links lead.
fn collect_folders(folder: &Path, depth: usize, seen: &mut Vec<PathBuf>) {
    let Ok(real) = folder.canonicalize() else {
        return;
    };
    if seen.len() == MOST_FOLDERS || seen.contains(&real) {
        return;
    }
    seen.push(real);
    if depth == DEEPEST {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let shown = entries.filter(|entry| !is_hidden(&entry.file_name()));
    let mut below: Vec<PathBuf> = shown.map(|entry| entry.path()).collect();
    below.retain(|path| path.is_dir());
    below.sort();
    for path in below {
        collect_folders(&path, depth + 1, seen);
    }
}

fn read_skill(folder: &Path) -> Result<Skill, SkillProblem> {
    for name in list_skill_files().chain([TOOLS_FILE.to_owned()]) {
        let file = folder.join(name);
        // A skill may come from anybody. What it says must not be another file of this machine.
        if file
            .canonicalize()
            .is_ok_and(|leads_to| !leads_to.starts_with(folder))
        {
            let cure = "put the file itself there in the place of the link";
            return Err(SkillProblem::new(
                &file,
                "leads to a file outside the skill's folder",
                cure,
            ));
        }
    }
    let file = folder.join(SKILL_FILE);
    let skill_file = skill::parse_skill(&read_text(&file)?, &folder_name(folder))
        .map_err(|flaw| SkillProblem::from_flaw(&file, flaw))?;
    let mut skill = build_skill(skill_file);
    for language in Language::ALL {
        let file = folder.join(format_translated_file_name(language));
        if file.is_file() {
            let body = skill::parse_body(&read_text(&file)?)
                .map_err(|flaw| SkillProblem::from_flaw(&file, flaw))?;
            skill.body.add(language, body);
        }
    }
    list_files(folder, folder, 0, &mut skill.files);
    skill.folder = Some(folder.into());
    Ok(skill)
}

/// The files that say what is to be done, in every language.
fn list_skill_files() -> impl Iterator<Item = String> {
    let translated = Language::ALL.into_iter().map(format_translated_file_name);
    std::iter::once(SKILL_FILE.to_owned()).chain(translated)
}

fn read_text(file: &Path) -> Result<String, SkillProblem> {
    let size = fs::metadata(file).map_or(0, |about| about.len());
    if size > MOST_BYTES {
        let message = format!("the file has {size} bytes");
        return Err(SkillProblem::new(
            file,
            message,
            "shorten it, and move the rest into files beside it",
        ));
    }
    fs::read_to_string(file).map_err(|error| {
        SkillProblem::new(
            file,
            format!("cannot be read: {error}"),
            "make it a readable UTF-8 text file",
        )
    })
}

/// The plain files of a skill, without what is hidden, what leads elsewhere, and what the program reads itself.
fn list_files(folder: &Path, below: &Path, depth: usize, files: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(below)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (
            entry.path(),
            entry.file_name().to_string_lossy().into_owned(),
        );
        let ours = depth == 0 && list_skill_files().any(|own| own == name);
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if ours || is_hidden(&entry.file_name()) || files.len() >= MOST_FILES {
            continue;
        }
        if kind.is_dir() && depth < DEEPEST && !path.join(SKILL_FILE).exists() {
            list_files(folder, &path, depth + 1, files);
        } else if kind.is_file()
            && let Ok(inside) = path.strip_prefix(folder)
        {
            files.push(inside.to_string_lossy().replace('\\', "/"));
        }
    }
}
