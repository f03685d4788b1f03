//! What the model is shown: lines that cannot be forged, a prompt that starts with the same bytes, budgets that hold.

mod forms;
mod hostile;
mod layouts;
mod lore;
mod names;
mod profiles;
mod prompt;
mod prompt_sizes;
mod rapport;
mod recalled;
mod sections;
mod small_models;
mod summaries;
mod support;
mod turn_costs;
mod window;
