//! `kith completions` and `kith man`: what shells and `man` know of the command line, made from the arguments as they are.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, print_line};

/// Arguments of `kith completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith completions bash > ~/.local/share/bash-completion/completions/kith
  kith completions zsh  > ~/.zfunc/_kith
  kith completions fish > ~/.config/fish/completions/kith.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Arguments of `kith man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith man | man -l -                       read the page of kith
  kith man --out ~/.local/share/man/man1    write it and one for each command")]
pub struct ManArgs {
    /// The folder the pages go to; without it the page of kith goes to standard output
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints the completions of a shell.
pub fn print_completions(args: &CompletionsArgs) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kith", &mut script);
    // A reader that has gone away is no failure.
    let _ = io::stdout().write_all(&script);
    ExitCode::SUCCESS
}

/// Prints a page, or writes all of them.
pub fn write_pages(args: &ManArgs) -> ExitCode {
    let made = match &args.out {
        None => print_page(),
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
            .inspect(|()| print_line(format_args!("Written: {}", folder.display()))),
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: the pages cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_page() -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    let _ = io::stdout().write_all(&page);
    Ok(())
}
