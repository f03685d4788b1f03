//! The same core over recorded logs, in simulated time.
