//! `kith recall`: what it would remember of recorded chats.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_line;
use kith_replay::recall::{RecallCounts, RecallOptions, answer_questions};

/// Arguments of `kith recall`.
#[derive(Args, Debug)]
pub struct RecallArgs {
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

pub fn run(args: RecallArgs) -> ExitCode {
    let RecallArgs {
        logs,
        questions,
        out,
        data,
    } = args;
    let options = RecallOptions {
        logs,
        questions,
        out,
        data,
    };
    let answered = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(anyhow::Error::from)
        .and_then(|runtime| runtime.block_on(answer_questions(&options)));
    match answered {
        Ok(RecallCounts { lines, questions }) => {
            print_line(format_args!("{lines} lines, {questions} questions"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
