//! `kith completions` and `kith man`: what shells and `man` know of the command line, made from the arguments as they are.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;
use kith_language::{Language, cli};

use super::help::{build_parser, describe_commands};
use super::{print_error, print_line};

/// Arguments of `kith completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    shell: Shell,
}

/// Arguments of `kith man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub fn print_completions(args: &CompletionsArgs, language: Language) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut build_parser(language), "kith", &mut script);
    // A reader that has gone away is no failure.
    let _ = io::stdout().write_all(&script);
    ExitCode::SUCCESS
}

/// Prints a page, or writes all of them.
pub fn write_pages(args: &ManArgs, language: Language) -> ExitCode {
    let made = match &args.out {
        None => print_page(language),
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(describe_commands(language), folder))
            .inspect(|()| {
                let written = cli::written(folder.display().to_string());
                print_line(written.in_language(language));
            }),
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&cli::pages_unwritable(error.to_string()), language);
            ExitCode::FAILURE
        }
    }
}

fn print_page(language: Language) -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(describe_commands(language)).render(&mut page)?;
    let _ = io::stdout().write_all(&page);
    Ok(())
}
