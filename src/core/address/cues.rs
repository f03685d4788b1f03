//! The words around a name that show it is a call, by language.

pub mod en;
pub mod zh;
pub mod zh_asks;
pub mod zh_names;
