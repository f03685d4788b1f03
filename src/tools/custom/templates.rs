//! How templates of definitions are filled: their work is bounded, and they can run nothing and read no file.

use minijinja::{AutoEscape, Environment};

/// How much work one template may be: some hundred thousand steps take milliseconds.
const FUEL: u64 = 200_000;

/// Templates as tools use them: text stays as it is, and what is not there is nothing.
pub(super) fn create_environment() -> Environment<'static> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    templates.set_fuel(Some(FUEL));
    templates
}
