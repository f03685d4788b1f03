//! Who is talking to whom: an online guess, for each message, of which earlier message it answers.
