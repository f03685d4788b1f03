//! From turn reports and decisions to the inspector, the log and the metrics.
