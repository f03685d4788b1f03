//! Skills: folders that say how something is done. The prompt holds a line of each; the model asks for the rest when it
//! needs it. Which of them a channel has is the settings' business.

mod load;
mod resource;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use load::SkillProblem;
pub use resource::{ResourceError, read_resource};

use kith_core::persona::Language;
use kith_core::skill::SkillSpec;

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";
/// The same for a Chinese persona, without front matter.
const SKILL_FILE_ZH: &str = "SKILL.zh.md";
/// The file of a skill that defines tools, on offer while it is active.
pub const TOOLS_FILE: &str = "tools.toml";

/// One skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skill {
    /// Its name, unique.
    pub name: String,
    description: String,
    description_zh: String,
    body: String,
    body_zh: String,
    /// Its folder; none for those that ship with Kith.
    pub folder: Option<PathBuf>,
    /// Its files besides, by their paths in it.
    pub files: Vec<String>,
}

impl Skill {
    /// What it says.
    pub fn body(&self, language: Language) -> &str {
        pick_text(language, &self.body, &self.body_zh)
    }

    /// What the prompt tells of it.
    pub fn spec(&self, language: Language) -> SkillSpec {
        let description = pick_text(language, &self.description, &self.description_zh).to_owned();
        SkillSpec {
            name: self.name.clone(),
            description,
            has_files: !self.files.is_empty(),
        }
    }

    /// The file in which it defines tools, where there is one.
    pub fn tools_file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(TOOLS_FILE)).filter(|file| file.is_file())
    }
}

/// A text in the language, or the one there is.
fn pick_text<'a>(language: Language, english: &'a str, chinese: &'a str) -> &'a str {
    Some(language.find_own(english, [("zh", chinese)]))
        .filter(|text| !text.is_empty())
        .unwrap_or(english)
}

/// All skills there are, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skills(BTreeMap<String, Arc<Skill>>);

impl Skills {
    /// Those that ship with Kith, and those in the folders below these, which stand in the place of a shipped one of the
    /// same name; what is wrong with them, with file and line.
    pub fn load(paths: &[PathBuf]) -> (Self, Vec<SkillProblem>) {
        let (own, problems) = load::load_own(paths);
        let all = load::load_shipped().into_iter().chain(own);
        (
            Self(
                all.map(|skill| (skill.name.clone(), Arc::new(skill)))
                    .collect(),
            ),
            problems,
        )
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// All of them, by name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Skill>> {
        self.0.values()
    }

    /// Which of them a list stands for: those it names; without a list all that do not ship with Kith, for who put
    /// them into a folder wants them.
    pub fn chosen(&self, list: Option<&[String]>) -> Vec<&Arc<Skill>> {
        match list {
            Some(names) => names.iter().filter_map(|name| self.0.get(name)).collect(),
            None => self
                .0
                .values()
                .filter(|skill| skill.folder.is_some())
                .collect(),
        }
    }

    /// The same, as the prompt tells of them.
    pub fn select_specs(&self, list: Option<&[String]>, language: Language) -> Arc<[SkillSpec]> {
        self.chosen(list)
            .into_iter()
            .map(|skill| skill.spec(language))
            .collect()
    }

    /// Those the prompt tells of, whole.
    pub fn of(&self, specs: &[SkillSpec]) -> Arc<[Arc<Skill>]> {
        specs
            .iter()
            .filter_map(|spec| self.0.get(&spec.name).cloned())
            .collect()
    }
}

/// A folder's own name.
fn folder_name(folder: &Path) -> String {
    folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
