//! `kith score`: how good decisions on gold points are.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_line;
use kith_lab::learn::score;

/// Arguments of `kith score`.
#[derive(Args, Debug)]
pub struct ScoreArgs {
    #[arg(value_name = "ROOT")]
    root: PathBuf,
    #[arg(value_name = "SPLIT")]
    split: String,
    #[arg(value_name = "FILE")]
    decisions: PathBuf,
    #[arg(long)]
    rank1: bool,
    #[arg(long)]
    json: bool,
}

/// Scores and prints the table.
pub fn score(args: &ScoreArgs) -> ExitCode {
    match score::read_decided_points(&args.root, &args.split, &args.decisions, args.rank1) {
        Ok(parts) => {
            let table = score::score_parts(&parts);
            if args.json {
                print_line(table.to_json());
            } else {
                print_line(table);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
