//! What the model is shown: lines that cannot be forged, a prompt that starts with the same bytes, budgets that hold.

mod forms;
mod hostile;
mod layouts;
mod measured;
mod names;
mod profiles;
mod prompt;
mod rapport;
mod sections;
mod summed_up;
mod support;
mod tokens;
mod window;
