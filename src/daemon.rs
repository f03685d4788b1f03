//! The one loop: wires the rooms together and executes the effects of the core.
