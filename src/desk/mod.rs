//! What people ask the companion about itself; one file a request, shared by page, slash commands and command line.
