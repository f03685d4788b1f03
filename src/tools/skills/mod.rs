//! Skills: folders that say how something is done. The prompt holds a line of each; the model asks for the rest when it
//! needs it. Which of them a channel has is the settings' business.

mod load;
mod resource;
mod script;
mod skill;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use load::SkillProblem;
pub use resource::{ResourceError, read_resource};
pub use script::find_script;
pub use skill::{SKILL_FILE, Skill, TOOLS_FILE};

use kith_core::persona::Language;
use kith_core::skill::SkillSpec;

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
    pub fn select_listed(&self, specs: &[SkillSpec]) -> Arc<[Arc<Skill>]> {
        specs
            .iter()
            .filter_map(|spec| self.0.get(&spec.name).cloned())
            .collect()
    }
}
