//! What transcripts and chat templates call those who take part in them, in lower case. Whoever reads what a model wrote
//! holds it against these: behind one of them somebody else speaks, or the model for itself.

/// Whoever answers, where it can be nobody's line of a chat: "AI: good or bad?" may be one.
pub const ASSISTANT: &[&str] = &["assistant", "助手"];
/// Other words for the same.
pub const MODEL: &[&str] = &["model", "ai", "bot"];
/// Whoever asks.
pub const USER: &[&str] = &["user", "human", "用户", "人类"];
/// Whoever sets the frame.
pub const SYSTEM: &[&str] = &["system", "系统"];

/// Whether this is a word for whoever answers.
pub fn is_assistant(name: &str) -> bool {
    ASSISTANT.contains(&name) || MODEL.contains(&name)
}

/// Whether this is a word for anybody who takes part.
pub fn is_role(name: &str) -> bool {
    is_assistant(name) || USER.contains(&name) || SYSTEM.contains(&name)
}
