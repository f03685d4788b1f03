//! Chat models: clients, time-outs, budget, and the stand-in.
