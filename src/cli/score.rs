//! `kith score`: how good decisions on gold points are.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_line;
use kith_lab::learn::score;

/// Arguments of `kith score`.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kith replay --points groupchat/eval/dev.points.jsonl --root groupchat/ --out decisions.jsonl
  kith score groupchat/ dev decisions.jsonl

soon, trig   by the label \"speaks soon\" and the cleaner one \"answers this very message\": how scores
             rank (auc, average precision), and precision, recall, F1 of the decisions to speak
turn         the same for whole turns; overtalk: its turns for each of the person's
addressed    on what share of the messages that mention it, it speaks; human: and the person did
interrupt    on what share of messages to others, which the person left alone, it speaks
butt_in      the same for messages to nobody
vol1         turns at the threshold where it speaks as often as the person did, and which share of
             the person's turns it then reaches: after a mention, after its partner, and cold
calibration  how far scores are from being probabilities, over 10 groups of equal size
A point without a decision has score 0 and is silence.")]
pub struct ScoreArgs {
    /// The folder with the logs and eval/SPLIT.points.jsonl
    #[arg(value_name = "ROOT")]
    root: PathBuf,
    /// Which points
    #[arg(value_name = "SPLIT")]
    split: String,
    /// The decisions: one {"f","p","id","score","speak"} a line
    #[arg(value_name = "FILE")]
    decisions: PathBuf,
    /// Only the person of each log who answers most
    #[arg(long)]
    rank1: bool,
    /// Print JSON
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
