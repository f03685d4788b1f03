//! What memory finds, and what comes to mind by itself, as sentences.

mod consolidation;
mod group_expressions;
