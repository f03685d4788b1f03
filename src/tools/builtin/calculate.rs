//! `calculate`: arithmetic, percentages and units, for models that would guess. fend does the sums. It knows lambdas and
//! integers of any size, so it runs in a process of its own, whose time and memory are bounded before it reads anything.

mod notation;

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fend_core::{Context, CustomUnitAttribute, Interrupt};
use kith_language::{
    Language, LocalizedMessage, calculate, tool_descriptions, word_lists, word_table,
};
use kith_system::clock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{json, to_value};

use crate::custom::{CommandTool, DefinedTool, ToolDefinition, run_program};
use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// The argument by which the program itself is the calculator.
pub const CALCULATOR_FLAG: &str = "--calculate";
/// The longest expression, in bytes.
const LONGEST_EXPRESSION: usize = 500;
/// The longest result, in bytes: the factorial of 450.
const LONGEST_RESULT: usize = 1_000;
/// How long fend is asked to go on, and how long it may where it does not listen.
const LONGEST: Duration = Duration::from_millis(500);
const TIME_OUT: Duration = Duration::from_secs(5);

#[derive(Deserialize, JsonSchema)]
struct Calculate {
    expression: String,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "calculate",
        ToolKind::Tool,
        tool_descriptions::calculate(),
        run,
    )
    .primary("expression")
    .optional()
    .read_only()
    .time_out(TIME_OUT)
}

#[derive(Serialize, Deserialize)]
struct Task {
    expression: String,
    language: Language,
}

async fn run(params: Calculate, context: ToolContext) -> ToolResult {
    if params.expression.len() > LONGEST_EXPRESSION {
        return context.build_error(calculate::expression_too_long(LONGEST_EXPRESSION));
    }
    let program = kith_system::find_own_program();
    let command = CommandTool {
        argv: vec![program.to_string_lossy().into(), CALCULATOR_FLAG.into()],
        ..CommandTool::default()
    };
    let tool = DefinedTool {
        name: "calculate".to_owned(),
        file: Path::new("").into(),
        line: 0,
        skill: None,
        definition: ToolDefinition::default(),
    };
    let task = Task {
        expression: params.expression,
        language: context.language(),
    };
    let task = to_value(task).unwrap_or_default();
    run_program(&command, &tool, task, &context).await
}

/// The process: reads a task, and prints the result as a program tool does.
pub fn run_calculator() -> ExitCode {
    limit_process();
    let mut input = String::new();
    let read = std::io::stdin()
        .take(8 * LONGEST_EXPRESSION as u64)
        .read_to_string(&mut input);
    let (Ok(_), Ok(task)) = (read, serde_json::from_str::<Task>(&input)) else {
        return ExitCode::FAILURE;
    };
    let result = match calculate_expression(&task.expression) {
        Ok(result) => json!({ "content": result }),
        Err(why) => json!({ "error": why.in_language(task.language) }),
    };
    println!("{result}");
    ExitCode::SUCCESS
}

/// What goes beyond it ends the process: a loop no interrupt reaches, a number that fills the memory.
fn limit_process() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        for (resource, most) in [
            (Resource::Cpu, TIME_OUT.as_secs()),
            (Resource::As, 512 << 20),
            // What it reckoned with is somebody's, and stands in no file.
            (Resource::Core, 0),
        ] {
            let limit = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            // Only raising one is refused.
            let _ = setrlimit(resource, limit);
        }
    }
}

struct Deadline(Instant);

impl Interrupt for Deadline {
    fn should_interrupt(&self) -> bool {
        self.0.elapsed() > LONGEST
    }
}

word_table! {
    /// What people write in an expression, by language: each entry a word and what it stands for.
    struct CalculateWords { units: Vec<&'static str>, counts: Vec<&'static str> }
}

/// What an expression comes to. Takes what memory it takes: see [`run_calculator`].
///
/// # Errors
/// Why there is no result, in words for the model.
pub fn calculate_expression(expression: &str) -> Result<String, LocalizedMessage> {
    let mut context = Context::new();
    let words = CalculateWords::from_lists(word_lists("calculate"));
    for (entries, attribute) in [
        (words.units, CustomUnitAttribute::None),
        (words.counts, CustomUnitAttribute::Alias),
    ] {
        for (word, meaning) in entries.iter().filter_map(|entry| entry.split_once(" = ")) {
            context.define_custom_unit_v1(word, word, meaning, &attribute);
        }
    }
    let deadline = Deadline(clock::monotonic());
    let mut evaluate = |text: &str| {
        fend_core::evaluate_with_interrupt(text, &mut context, &deadline)
            .map_err(calculate::not_calculated)
    };
    for definition in notation::DEFINITIONS {
        evaluate(definition)?;
    }
    let text = notation::to_fend(expression)?;
    // People write KG and Cups; what differs by its case (MB, Mb) is known as it is.
    let result = evaluate(&text).or_else(|why| evaluate(&text.to_lowercase()).map_err(|_| why))?;
    match result.get_main_result() {
        "" => Err(calculate::not_calculated("there is nothing to calculate")),
        result if result.len() > LONGEST_RESULT => Err(calculate::result_too_large()),
        result => Ok(result.to_owned()),
    }
}
