//! What people ask the companion about itself; one file a request, shared by the room, slash commands and the command
//! line. Reads what was kept and never changes what the companion does.

pub mod why;
