//! Who the companion is: the shipped persona, or a file that can be read.

use kith_language::setup;
use std::path::PathBuf;

use anyhow::bail;

use super::Setup;
use crate::cli::print_problems;
use crate::settings;

impl Setup {
    pub(super) fn ask_persona(&mut self, given: Option<PathBuf>) -> anyhow::Result<()> {
        let shipped = self.load_settings()?.shipped.name.clone();
        let mut given = given;
        loop {
            let file = match given.take() {
                Some(file) => file,
                None => {
                    let question = setup::who_is_it(&shipped).in_language(self.language);
                    PathBuf::from(self.terminal.ask_line(&question)?)
                }
            };
            if file.as_os_str().is_empty() {
                return Ok(());
            }
            match settings::load_persona(&file) {
                Ok(_) => {
                    self.draft.persona = Some(file);
                    return Ok(());
                }
                Err(problems) => print_problems(&problems),
            }
            if !self.terminal.is_interactive() {
                bail!(setup::persona_unusable().in_language(self.language));
            }
        }
    }
}
