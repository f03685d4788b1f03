//! What a model call asks for.

/// What kind of prompt the next model call gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundKind {
    Normal,
    /// The answer before held no action: say so and ask again, once.
    Repair,
    /// The round limit is reached: no tools any more, bring it to an end.
    WrapUp,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ModelQuestion {
    pub(super) kind: RoundKind,
    /// Whether another model can be asked the same, should this one fail.
    pub(super) has_fallback_model: bool,
}

impl ModelQuestion {
    /// A question whose prompt is not put together yet: no other model is known to be there.
    pub(super) fn new(kind: RoundKind) -> Self {
        Self {
            kind,
            has_fallback_model: false,
        }
    }
}
