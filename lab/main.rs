//! The workbench of those who change the score: learns its weights and judges decisions. No part of the companion.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use kith_lab::{LearnOptions, point_files, score};

#[derive(Parser)]
#[command(
    name = "kith-lab",
    version,
    about = "Learns the weights of Kith's willingness score, and judges decisions"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Learn the weights from annotated logs, and tell how good they are.
    ///
    /// Learns from the split `train`: first which line a message answers, then when a person answered. Prints how good
    /// that is by cross-validation, and on the splits `dev` and `casual3` with the weights of this build and with those
    /// just learnt. The same logs give the same weights.
    Learn(LearnArgs),
    /// Write the gold points of a split, for `kith replay --points` and `kith-lab score`.
    Points {
        /// The folder of the annotated logs, with manifest.json.
        root: PathBuf,
        split: String,
    },
    /// Score a replay's decisions on gold points.
    ///
    /// soon, trig: by the label "speaks soon" and the cleaner one "answers this very message", how scores rank (auc,
    /// average precision), and precision, recall, F1 of the decisions to speak. turn: the same for whole turns; overtalk:
    /// its turns for each of the person's. addressed: on what share of the messages that mention it, it speaks; human: and
    /// the person did. interrupt: on what share of messages to others, which the person left alone, it speaks; butt_in:
    /// the same for messages to nobody. vol1: turns at the threshold where it speaks as often as the person did, and which
    /// share of the person's turns it then reaches. calibration: how far scores are from being probabilities, over 10
    /// groups of equal size. A point without a decision has score 0 and is silence.
    Score(ScoreArgs),
}

#[derive(Args)]
struct LearnArgs {
    /// The folder of the annotated logs, with manifest.json (scripts/fetch-corpus.sh makes it).
    root: PathBuf,
    /// Where the weights go: data/weights.json for those of the next build.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A further split to learn from.
    #[arg(long, value_name = "SPLIT")]
    also: Option<String>,
    /// A folder of chats of friends with marks, to learn from as well.
    #[arg(long, value_name = "DIR")]
    friends: Option<PathBuf>,
    /// A folder of recordings of people in which it is known who wrote next, to learn from as well.
    #[arg(long, value_name = "DIR")]
    people: Option<PathBuf>,
    /// Also print what each signal is worth: how good the others are without it.
    #[arg(long)]
    worth: bool,
}

#[derive(Args)]
struct ScoreArgs {
    /// The folder with the logs and eval/SPLIT.points.jsonl.
    root: PathBuf,
    /// Which points.
    split: String,
    /// The decisions: one {"f","p","id","score","speak"} a line.
    decisions: PathBuf,
    /// Only the person of each log who answers most.
    #[arg(long)]
    rank1: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Learn(args) => {
            let options = LearnOptions {
                root: args.root,
                out: args.out,
                extra_split: args.also,
                friends: args.friends,
                people: args.people,
                run_ablation: args.worth,
            };
            println!("{}", kith_lab::run(&options)?);
        }
        Command::Points { root, split } => {
            println!("{} points", point_files::write_points(&root, &split)?);
        }
        Command::Score(args) => {
            let parts =
                score::read_decided_points(&args.root, &args.split, &args.decisions, args.rank1)?;
            let table = score::score_parts(&parts);
            if args.json {
                println!("{}", table.to_json());
            } else {
                println!("{table}");
            }
        }
    }
    Ok(())
}
