//! The registry of tools and actions, their schemas and the built-in ones.
