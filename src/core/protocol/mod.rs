//! Reading what a model wrote: XML and JSON, incremental, into calls, thoughts and repairs. Never an error.
