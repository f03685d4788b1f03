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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skills {
    known: BTreeMap<String, Arc<Skill>>,
    /// The names of folders whose skill is left out, because something is wrong with it.
    left_out: Vec<String>,
}

impl Skills {
    /// Those that ship with Kith, and those in the folders below these, which stand in the place of a shipped one of the
    /// same name; what is wrong with them, with file and line.
    pub fn load(paths: &[PathBuf]) -> (Self, Vec<SkillProblem>) {
        let load::OwnSkills {
            skills,
            left_out,
            problems,
        } = load::load_own(paths);
        let all = load::load_shipped().into_iter().chain(skills);
        let known = all.map(|skill| (skill.name.clone(), Arc::new(skill)));
        let known = known.collect();
        (Self { known, left_out }, problems)
    }

    /// Whether a list may name it: it is there, or what is wrong with it was told.
    pub fn may_be_named(&self, name: &str) -> bool {
        self.known.contains_key(name) || self.left_out.iter().any(|folder| folder == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<Skill>> {
        self.known.values()
    }

    /// Which of them a list stands for: those it names; without a list all that do not ship with Kith, for who put
    /// them into a folder wants them.
    pub fn chosen(&self, list: Option<&[String]>) -> Vec<&Arc<Skill>> {
        match list {
            Some(names) => names
                .iter()
                .filter_map(|name| self.known.get(name))
                .collect(),
            None => self
                .known
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
            .filter_map(|spec| self.known.get(&spec.name).cloned())
            .collect()
    }
}
