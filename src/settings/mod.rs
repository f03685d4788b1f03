//! Settings: load, layer, watch, resolve to a policy per channel; errors name file and line.
