//! `kith learn`: the weights, learnt from annotated logs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use kith_core::persona::Persona;

use super::print_line;
use crate::settings;
use kith_lab::learn::{self, LearnOptions};

/// Arguments of `kith learn`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  bash scripts/fetch-corpus.sh groupchat/            the public logs, annotated who answers whom
  kith learn groupchat/                              what can be learnt, and how good is it?
  kith learn groupchat/ --out data/weights.json      the weights of this build, made again
  kith learn groupchat/ --points dev                 the gold points that `kith score` asks for

Learns from the logs of the split `train`: first which line a message answers, then when a person
answered. Prints how good that is on logs it was not learnt from: by cross-validation, and on the
splits `dev` and `casual3` with the weights this build has and with those just learnt.
The same logs give the same weights.")]
pub struct LearnArgs {
    /// The folder of the annotated logs, with manifest.json
    #[arg(value_name = "ROOT")]
    root: PathBuf,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A further split to learn from
    #[arg(long, value_name = "SPLIT")]
    also: Option<String>,
    /// A folder of chats of friends with marks, to learn from as well
    #[arg(long, value_name = "DIR")]
    friends: Option<PathBuf>,
    /// Also print what each signal is worth: how good the others are without it
    #[arg(long)]
    worth: bool,
    /// Learn nothing, but write the gold points of a split for `kith replay --points` and `kith score`
    #[arg(long, value_name = "SPLIT", conflicts_with_all = ["out", "also", "friends", "worth"])]
    points: Option<String>,
}

fn load_persona(file: &Path) -> anyhow::Result<Persona> {
    settings::load_persona(file).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        anyhow!("{}", problems.join("\n"))
    })
}

/// Learns and prints how good it is.
pub fn learn(args: LearnArgs) -> ExitCode {
    let LearnArgs {
        root,
        out,
        also,
        friends,
        worth,
        points,
    } = args;
    let summary = match points {
        Some(split) => {
            learn::point_files::write_points(&root, &split).map(|count| format!("{count} points"))
        }
        None => learn::run(&LearnOptions {
            root,
            out,
            extra_split: also,
            friends,
            load_persona,
            run_ablation: worth,
        })
        .map(|report| report.to_string()),
    };
    match summary {
        Ok(told) => {
            print_line(told);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
