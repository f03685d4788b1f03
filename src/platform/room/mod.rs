//! The local room: a chat page and inspector served on loopback.
