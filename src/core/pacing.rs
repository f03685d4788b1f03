//! How long typing a message takes, and how alike two lines are.
