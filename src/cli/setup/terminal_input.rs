//! How answers are read, whatever is asked: on a terminal, where secrets are typed unseen; of a pipe, a line an answer;
//! or of nobody, who takes what is proposed. No answer is ever shown again.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, bail};
use console::Term;

use kith_core::secret::Secret;
use kith_language::{WordList, word_lists};

/// What Enter means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultAnswer {
    Yes,
    No,
}

/// Who is asked.
pub struct SetupTerminal(SetupAudience);

enum SetupAudience {
    Terminal,
    Pipe,
    Nobody,
}

impl SetupTerminal {
    /// Whoever is at standard input.
    pub fn from_stdin() -> Self {
        Self(if std::io::stdin().is_terminal() {
            SetupAudience::Terminal
        } else {
            SetupAudience::Pipe
        })
    }

    /// Takes all that is proposed.
    pub fn with_defaults() -> Self {
        Self(SetupAudience::Nobody)
    }

    /// Whether it makes sense to ask again.
    pub fn is_interactive(&self) -> bool {
        !matches!(self.0, SetupAudience::Nobody)
    }

    /// A line without the space around it; empty for what is proposed.
    ///
    /// # Errors
    /// Where nobody answers.
    pub fn ask_line(&mut self, question: &str) -> anyhow::Result<String> {
        if !self.is_interactive() {
            return Ok(String::new());
        }
        print_prompt(question);
        let mut line = String::new();
        let read = std::io::stdin()
            .lock()
            .read_line(&mut line)
            .context("standard input cannot be read")?;
        if read == 0 {
            bail!(
                "kith setup asks questions, and nobody answers here: start it on a terminal, or answer with flags and \
                 --yes (see kith setup --help)."
            );
        }
        if matches!(self.0, SetupAudience::Pipe) {
            // What a person ends with Enter ends here, too.
            println!();
        }
        Ok(line.trim().to_owned())
    }

    /// A secret, typed unseen.
    ///
    /// # Errors
    /// Where nobody answers, or where it could be seen.
    pub fn secret(&mut self, question: &str) -> anyhow::Result<Secret> {
        if !matches!(self.0, SetupAudience::Terminal) {
            return self.ask_line(question).map(Secret::new);
        }
        let terminal = Term::stdout();
        if !terminal.is_term() {
            bail!(
                "what is typed here must not be seen, and that needs a terminal: do not redirect the output, or name a \
                 file with --discord-token-file or --model-key-file."
            );
        }
        print_prompt(question);
        let typed = terminal
            .read_secure_line()
            .context("the terminal cannot be read")?;
        Ok(Secret::new(typed))
    }

    /// Yes or no.
    ///
    /// # Errors
    /// Where nobody answers.
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
