//! The binary: hands the arguments to the library and turns the answer into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    kith::cli::main()
}
