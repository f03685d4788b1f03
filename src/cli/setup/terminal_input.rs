//! How answers are read, whatever is asked: on a terminal, where secrets are typed unseen; of a pipe, a line an answer;
//! or of nobody, who takes what is proposed. No answer is ever shown again.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, bail};
use console::Term;

use kith_core::secret::Secret;
use kith_language::{Language, WordList, setup, word_lists};

/// What Enter means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultAnswer {
    Yes,
    No,
}

pub struct SetupTerminal {
    audience: SetupAudience,
    /// In which language, as far as it is known yet.
    pub language: Language,
}

enum SetupAudience {
    Terminal,
    Pipe,
    Nobody,
}

impl SetupTerminal {
    pub fn from_stdin(language: Language) -> Self {
        let audience = if std::io::stdin().is_terminal() {
            SetupAudience::Terminal
        } else {
            SetupAudience::Pipe
        };
        Self { audience, language }
    }

    /// Takes all that is proposed.
    pub fn with_defaults(language: Language) -> Self {
        Self {
            audience: SetupAudience::Nobody,
            language,
        }
    }

    /// Whether it makes sense to ask again.
    pub fn is_interactive(&self) -> bool {
        !matches!(self.audience, SetupAudience::Nobody)
    }

    /// A line without the space around it; empty for what is proposed. An error where nobody answers.
    pub fn ask_line(&mut self, question: &str) -> anyhow::Result<String> {
        if !self.is_interactive() {
            return Ok(String::new());
        }
        print_prompt(question);
        let mut line = String::new();
        let read = std::io::stdin()
            .lock()
            .read_line(&mut line)
            .with_context(|| setup::input_unreadable().in_language(self.language))?;
        if read == 0 {
            bail!(setup::nobody_answers().in_language(self.language));
        }
        if matches!(self.audience, SetupAudience::Pipe) {
            // What a person ends with Enter ends here, too.
            println!();
        }
        Ok(line.trim().to_owned())
    }

    /// A secret, typed unseen. An error where nobody answers, or where it could be seen.
    pub fn secret(&mut self, question: &str) -> anyhow::Result<Secret> {
        if !matches!(self.audience, SetupAudience::Terminal) {
            return self.ask_line(question).map(Secret::new);
        }
        let terminal = Term::stdout();
        if !terminal.is_term() {
            bail!(setup::output_redirected().in_language(self.language));
        }
        print_prompt(question);
        let typed = terminal
            .read_secure_line()
            .with_context(|| setup::terminal_unreadable().in_language(self.language))?;
        Ok(Secret::new(typed))
    }

    /// An error where nobody answers.
    pub fn ask_yes_no(&mut self, question: &str, proposed: DefaultAnswer) -> anyhow::Result<bool> {
        let choice = match proposed {
            DefaultAnswer::Yes => "[Y/n]",
            DefaultAnswer::No => "[y/N]",
        };
        let answer = self
            .ask_line(&format!("{question} {choice}"))?
            .to_lowercase();
        if answer.is_empty() {
            return Ok(proposed == DefaultAnswer::Yes);
        }
        let mut words = word_lists("agreement").flat_map(WordList::entries);
        Ok(words.any(|word| answer.starts_with(word)))
    }
}

fn print_prompt(question: &str) {
    let mut out = std::io::stdout().lock();
    let _ = write!(out, "{question}: ").and_then(|()| out.flush());
}
