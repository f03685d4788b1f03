//! One skill: a folder that says how something is done.

use std::path::{Path, PathBuf};

use kith_core::persona::Language;
use kith_core::skill::SkillSpec;
use kith_language::TranslatedText;

pub const SKILL_FILE: &str = "SKILL.md";
/// The file of a skill that defines tools, on offer while it is active.
pub const TOOLS_FILE: &str = "tools.toml";
/// The folder of a skill whose files may be run while it is active, before a path in it.
pub(super) const SCRIPTS_FOLDER: &str = "scripts/";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skill {
    pub name: String,
    pub(super) description: TranslatedText,
    pub(super) body: TranslatedText,
    /// None for those that ship with Kith.
    pub folder: Option<PathBuf>,
    /// Its files besides, by their paths in it.
    pub files: Vec<String>,
}

impl Skill {
    pub fn body(&self, language: Language) -> &str {
        self.body.in_language(language)
    }

    pub fn spec(&self, language: Language) -> SkillSpec {
        SkillSpec {
            name: self.name.clone(),
            description: self.description.in_language(language).to_owned(),
            has_files: !self.files.is_empty(),
            has_scripts: self.has_scripts(),
        }
    }

    pub fn scripts(&self) -> impl Iterator<Item = &str> {
        let files = self.files.iter().map(String::as_str);
        files.filter(|file| file.starts_with(SCRIPTS_FOLDER))
    }

    pub fn has_scripts(&self) -> bool {
        self.scripts().next().is_some()
    }

    /// The file in which it defines tools, where there is one.
    pub fn tools_file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(TOOLS_FILE)).filter(|file| file.is_file())
    }
}

/// The file that says the same as SKILL.md in a language, without front matter: `SKILL.zh.md`.
pub(super) fn format_translated_file_name(language: Language) -> String {
    format!("SKILL.{}.md", language.code())
}

pub(super) fn folder_name(folder: &Path) -> String {
    folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
