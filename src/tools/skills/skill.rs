//! One skill: a folder that says how something is done.

use std::path::{Path, PathBuf};

use kith_core::persona::Language;
use kith_core::skill::SkillSpec;

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";
/// The same for a Chinese persona, without front matter.
pub(super) const SKILL_FILE_ZH: &str = "SKILL.zh.md";
/// The file of a skill that defines tools, on offer while it is active.
pub const TOOLS_FILE: &str = "tools.toml";

/// One skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skill {
    /// Its name, unique.
    pub name: String,
    pub(super) description: String,
    pub(super) description_zh: String,
    pub(super) body: String,
    pub(super) body_zh: String,
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

/// A folder's own name.
pub(super) fn folder_name(folder: &Path) -> String {
    folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
