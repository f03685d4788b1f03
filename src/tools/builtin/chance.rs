//! `roll_dice` and `random_choice`: what a model cannot do by itself, for its chance is a habit.

use kith_language::{LocalizedMessage, tool_descriptions, tools};
use rand::rngs::{ChaCha8Rng, SysRng};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

const MOST_DICE: u32 = 100;
const MOST_FACES: u32 = 1_000_000;

#[derive(Deserialize, JsonSchema)]
struct RollDice {
    dice: String,
}

#[derive(Deserialize, JsonSchema)]
struct RandomChoice {
    options: Vec<String>,
}

pub(super) fn roll_dice_tool() -> Tool {
    Tool::new(
        "roll_dice",
        ToolKind::Tool,
        tool_descriptions::roll_dice(),
        roll_dice,
    )
    .primary("dice")
    .optional()
    .read_only()
}

pub(super) fn random_choice_tool() -> Tool {
    Tool::new(
        "random_choice",
        ToolKind::Tool,
        tool_descriptions::random_choice(),
        choose_option,
    )
    .optional()
    .read_only()
}

fn create_rng() -> Result<ChaCha8Rng, LocalizedMessage> {
    ChaCha8Rng::try_from_rng(&mut SysRng).map_err(|_| tools::no_chance())
}

async fn roll_dice(params: RollDice, context: ToolContext) -> ToolResult {
    let Some((count, faces, plus)) = parse_dice(&params.dice) else {
        return context.build_error(tools::no_dice(params.dice));
    };
    if !(1..=MOST_DICE).contains(&count) || !(2..=MOST_FACES).contains(&faces) {
        return context.build_error(tools::dice_limits(MOST_DICE, MOST_FACES));
    }
    let mut rng = match create_rng() {
        Ok(chance) => chance,
        Err(why) => return context.build_error(why),
    };
    let rolls: Vec<u32> = (0..count).map(|_| rng.random_range(1..=faces)).collect();
    let sum = rolls.iter().map(|roll| i64::from(*roll)).sum::<i64>() + i64::from(plus);
    let each: Vec<String> = rolls.iter().map(u32::to_string).collect();
    let sign = if plus == 0 {
        String::new()
    } else {
        format!(" {plus:+}")
    };
    ToolResult::ok(if count == 1 && plus == 0 {
        sum.to_string()
    } else {
        format!("{}{sign} = {sum}", each.join(" + "))
    })
}

async fn choose_option(params: RandomChoice, context: ToolContext) -> ToolResult {
    let mut rng = match create_rng() {
        Ok(chance) => chance,
        Err(why) => return context.build_error(why),
    };
    match params.options.choose(&mut rng) {
        Some(option) => ToolResult::ok(option),
        None => context.build_error(tools::options_empty()),
    }
}

/// `2d6+1` as how many, of how many faces, and what is added.
fn parse_dice(dice: &str) -> Option<(u32, u32, i32)> {
    let dice = dice.trim().to_ascii_lowercase().replace(' ', "");
    let (count, rest) = dice.split_once('d')?;
    let count = if count.is_empty() {
        1
    } else {
        count.parse().ok()?
    };
    match rest.find(['+', '-']) {
        None => Some((count, rest.parse().ok()?, 0)),
        Some(at) => Some((
            count,
            rest.get(..at)?.parse().ok()?,
            rest.get(at..)?.parse().ok()?,
        )),
    }
}
