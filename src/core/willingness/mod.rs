//! How much a good member would want to speak now: a logistic score over named terms, each explained.
