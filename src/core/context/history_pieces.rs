//! The history by whose words it is, for prompts in which the companion's lines are messages of their own: places in the
//! history's text, so that both layouts show the same words under the same escaping and within the same budget.

use std::ops::Range;

use serde::Serialize;

use crate::chat::MessageId;

/// A stretch of the history that one side wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryPiece {
    pub place: Range<usize>,
    /// The companion's lines in it; empty where it is what others wrote, with time marks and reactions.
    pub own: Vec<OwnLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OwnLine {
    pub short: u16,
    /// The short id it answers.
    pub replies_to: Option<u16>,
    /// Where its words stand, behind number and name.
    pub words: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthersLine {
    pub message: MessageId,
    /// Number and name, and the words behind them, as places in the history's text.
    pub head: Range<usize>,
    pub words: Range<usize>,
}

/// Pieces as they are gathered: neighbours of one side become one.
#[derive(Default)]
pub(super) struct HistoryPieces(Vec<HistoryPiece>);

impl HistoryPieces {
    pub(super) fn push_others(&mut self, end: usize) {
        let from = self.0.last().map_or(0, |last| last.place.end);
        match self.0.last_mut() {
            _ if from == end => {}
            Some(last) if last.own.is_empty() => last.place.end = end,
            _ => self.0.push(HistoryPiece {
                place: from..end,
                own: Vec::new(),
            }),
        }
    }

    pub(super) fn push_own_line(&mut self, end: usize, line: OwnLine) {
        let from = self.0.last().map_or(0, |last| last.place.end);
        match self.0.last_mut() {
            Some(last) if !last.own.is_empty() => {
                last.place.end = end;
                last.own.push(line);
            }
            _ => self.0.push(HistoryPiece {
                place: from..end,
                own: vec![line],
            }),
        }
    }

    /// All of them; nothing of the text stands behind `end`.
    pub(super) fn into_pieces(mut self, end: usize) -> Vec<HistoryPiece> {
        let cut = |place: &mut Range<usize>| *place = place.start.min(end)..place.end.min(end);
        for piece in &mut self.0 {
            cut(&mut piece.place);
            piece.own.iter_mut().for_each(|line| cut(&mut line.words));
        }
        self.0
    }
}
