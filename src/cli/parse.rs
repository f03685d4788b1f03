//! `kith parse`: a model's raw answer on standard input becomes the calls that would be run, as JSON.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::print_line;
use crate::settings::parse_persona;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::parse_whole_answer;
use kith_language::{LocalizedMessage, cli};
use kith_tools::ToolRegistry;

/// Arguments of `kith parse`.
#[derive(Args, Debug)]
pub struct ParseArgs {
    #[arg(long, value_parser = parse_protocol)]
    protocol: Option<OutputProtocol>,
    #[arg(long, value_name = "NAME")]
    member: Vec<String>,
}

fn parse_protocol(text: &str) -> Result<OutputProtocol, LocalizedMessage> {
    match text {
        "xml" => Ok(OutputProtocol::Xml),
        "json" => Ok(OutputProtocol::Json),
        "native" => Err(cli::native_answer()),
        _ => Err(cli::answer_forms()),
    }
}

/// What the shipped companions are called: under one of these names an answer speaks for itself.
fn load_shipped_names() -> Vec<String> {
    let personas = Language::ALL.into_iter().map(Language::persona);
    let personas = personas.filter_map(|(file, text)| parse_persona(Path::new(file), text).ok());
    personas
        .flat_map(|persona| persona.aliases.into_iter().chain([persona.name]))
        .collect()
}

/// Reads standard input to its end and prints what was found in it.
pub fn parse(args: &ParseArgs) -> ExitCode {
    let mut text = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut text) {
        eprintln!(
            "error: standard input cannot be read: {error}; pipe a model's answer into this command"
        );
        return ExitCode::FAILURE;
    }
    let parsed = parse_whole_answer(
        args.protocol,
        &text,
        ToolRegistry::load_builtin().specs(Language::EN),
        &load_shipped_names(),
        &args.member,
    );
    let Ok(json) = serde_json::to_string(&parsed) else {
        eprintln!("error: what was read cannot be written as JSON; please report this answer");
        return ExitCode::FAILURE;
    };
    print_line(json);
    if parsed.readable {
        ExitCode::SUCCESS
    } else {
        eprintln!(
            "error: nothing in this text can be read as xml or json; see the README for the forms"
        );
        ExitCode::FAILURE
    }
}
