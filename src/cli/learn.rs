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
pub struct LearnArgs {
    #[arg(value_name = "ROOT")]
    root: PathBuf,
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[arg(long, value_name = "SPLIT")]
    also: Option<String>,
    #[arg(long, value_name = "DIR")]
    friends: Option<PathBuf>,
    #[arg(long, value_name = "DIR")]
    people: Option<PathBuf>,
    #[arg(long)]
    worth: bool,
    #[arg(long, value_name = "SPLIT", conflicts_with_all = ["out", "also", "friends", "people", "worth"])]
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
        people,
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
            people,
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
