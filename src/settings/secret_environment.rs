//! Takes secrets out of the process's environment. What a process was started with stands in `/proc/PID/environ` to its end,
//! where programs that it starts may read it. So it starts itself anew without them, as the same process, and reads them
//! from a pipe.

use std::collections::BTreeMap;
use std::io;

use kith_core::redactor::Redactor;
use kith_core::secret::is_secret_name;

/// The variable that says that the rest of the environment comes on standard input.
const REST: &str = "KITH_ENVIRONMENT";
/// What [`REST`] says.
const ON_INPUT: &str = "stdin";
/// The most that surely fits into a pipe which nobody reads yet, in bytes.
const FITS: usize = 4096;

/// Takes the variables that [`restart_without_secrets`] put on standard input; in other processes there are none.
pub(super) fn add_hidden_variables(environment: &mut BTreeMap<String, String>) {
    if environment
        .remove(REST)
        .is_some_and(|from| from == ON_INPUT)
    {
        let rest: BTreeMap<String, String> =
            serde_json::from_reader(io::stdin().lock()).unwrap_or_default();
        environment.extend(rest);
    }
}

/// The variables that hold a secret: one that is known, or by their name. A path is none.
fn find_secret_variables<'a>(
    environment: &'a BTreeMap<String, String>,
    redactor: &Redactor,
) -> BTreeMap<&'a str, &'a str> {
    let is_secret = |(name, value): &(&String, &String)| {
        redactor.has_match(value)
            || is_secret_name(name) && !value.is_empty() && !value.starts_with('/')
    };
    environment
        .iter()
        .filter(is_secret)
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

/// Starts the process anew where its environment holds secrets, and does not come back then. To be called before
/// anything else is started.
///
/// # Errors
/// What keeps it from that; the secrets stay where they are.
#[cfg(unix)]
pub fn restart_without_secrets(
    environment: &BTreeMap<String, String>,
    redactor: &Redactor,
) -> io::Result<()> {
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    let secret = find_secret_variables(environment, redactor);
    if !secret.keys().any(|name| is_variable_set(name)) {
        return Ok(());
    }
    let rest = serde_json::to_vec(&secret)?;
    if rest.len() > FITS {
        return Err(io::Error::other(format!(
            "there are more than {FITS} bytes of them"
        )));
    }
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(&rest)?;
    drop(writer);
    let mut arguments = std::env::args_os();
    let mut command = Command::new(kith_system::find_own_program());
    command
        .arg0(arguments.next().unwrap_or_default())
        .args(arguments)
        .env(REST, ON_INPUT)
        .stdin(reader);
    for name in secret.keys() {
        command.env_remove(name);
    }
    Err(command.exec())
}

/// Elsewhere an environment is nobody else's to read.
#[cfg(not(unix))]
pub fn restart_without_secrets(_: &BTreeMap<String, String>, _: &Redactor) -> io::Result<()> {
    Ok(())
}

/// Whether a variable stands in the environment that the process was started with.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the rest of the environment is read by `read_environment`"
)]
fn is_variable_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

#[cfg(test)]
#[path = "tests/unit/secret_environment.rs"]
mod tests;
