//! What a model is shown, and what it makes of it.

mod context;
mod demo;
