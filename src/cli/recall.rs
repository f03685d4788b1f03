//! `kith recall`: what it would remember of recorded chats.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_line;
use kith_lab::replay::recall::{RecallCounts, RecallOptions, answer_questions};

/// Arguments of `kith recall`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith recall chat.jsonl --questions questions.jsonl --out hits.jsonl
  kith recall chats/*.jsonl --questions questions.jsonl --out hits.jsonl --data kept/

A question is a line {\"id\": \"q1\", \"text\": \"when is Anna's exam?\", \"f\": \"chat.jsonl\"}; it is asked of the log of that
file name. With \"at\" (a time) only what was said before counts, with \"asker\" (the log's id of a person) it is
known who asks. An answer is a line {\"id\": \"q1\", \"hits\": [ids of lines, best first, 20 at most]}.")]
pub struct RecallArgs {
    /// Recorded chats: JSON Lines, or a JSON export of DiscordChatExporter
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// The questions, one a line
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,
    /// Where the answers go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep the store that the chats are read into in this folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Reads the chats and answers the questions.
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
