//! What memory finds, and what comes to mind by itself, as sentences.

mod chatter;
mod comes_to_mind;
mod consolidation;
mod facts;
