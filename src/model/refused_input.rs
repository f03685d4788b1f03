//! What a model's server refuses in a question: pictures it cannot read, lines its filter does not let pass, fields of the
//! body it does not know, a system message. The question is asked again without what its refusal is about, and how it was
//! taken then is remembered and told: what the refusal named as long as the process lives, and what was only suspected
//! until it is tried again.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::body_changes::{BodyChange, find_changes};
use super::fault::{InputRefusal, ModelFault};
use super::image::AttachedImage;
use super::refusal_wording::RefusalTopic;
use super::request::{ChatLine, ModelRequest};
use super::retry::RetryKind;

/// How often one question is asked again without something.
const MOST_TRIES: usize = 6;
const PIECES_KEPT: usize = 1_024;
const PASSED_KEPT: usize = 16_384;
/// So many of the newest lines that never passed are left out first.
const FIRST_SUSPECTS: usize = 8;

/// After so many questions something that was only suspected is asked again: it may have helped by chance.
const TRIED_AGAIN: usize = 16;

#[derive(Debug, Default)]
pub(super) struct RefusedInput(Mutex<LearntRefusals>);

#[derive(Debug, Default)]
struct LearntRefusals {
    /// Pictures and lines, by fingerprint.
    pieces: VecDeque<u64>,
    /// The lines that stood in a question it took, by fingerprint.
    passed: HashSet<u64>,
    changes: Vec<BodyChange>,
    guesses: Vec<BodyChange>,
    /// How many questions were asked since something was tried again.
    asked: usize,
}

impl LearntRefusals {
    /// From time to time all guesses are asked again, and the piece of this question that was left out for longest.
    fn try_again(&mut self, request: &ModelRequest) {
        self.asked = (self.asked + 1) % TRIED_AGAIN;
        if self.asked > 0 {
            return;
        }
        self.guesses.clear();
        let images = request.images.iter().map(fingerprint_image);
        let here: HashSet<u64> = images
            .chain(request.lines.iter().map(fingerprint))
            .collect();
        if let Some(place) = self.pieces.iter().position(|piece| here.contains(piece)) {
            self.pieces.remove(place);
        }
    }
}

/// A question on its way to one server, without what that refuses.
pub(super) struct Question<'a> {
    pub request: Cow<'a, ModelRequest>,
    pub changes: Vec<BodyChange>,
    guesses: Vec<BodyChange>,
    /// The pictures and lines that were left out of it on suspicion, by fingerprint.
    suspects: Vec<u64>,
    /// So many of the first are pictures that a filter may have meant.
    filtered_images: usize,
    /// How often lines were left out, and how many.
    line_tries: usize,
    lines_left_out: usize,
    /// What it was refused with, and what was done about that.
    notes: Vec<String>,
}

impl RefusedInput {
    pub fn begin<'a>(&self, request: &'a ModelRequest) -> Question<'a> {
        let mut learnt = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        learnt.try_again(request);
        let mut question = Question {
            request: Cow::Borrowed(request),
            changes: [&*learnt.changes, &*learnt.guesses].concat(),
            guesses: learnt.guesses.clone(),
            suspects: Vec::new(),
            filtered_images: 0,
            line_tries: 0,
            lines_left_out: 0,
            notes: Vec::new(),
        };
        let is_refused = |piece: u64| learnt.pieces.contains(&piece);
        let is_refused_image = |one: &AttachedImage| is_refused(fingerprint_image(one));
        if !request.requires_images && request.images.iter().any(is_refused_image) {
            let images = &mut question.request.to_mut().images;
            images.retain(|one| !is_refused_image(one));
        }
        if !learnt.pieces.is_empty() {
            question.leave_out_lines(|line| is_refused(fingerprint(line)));
        }
        if question.changes.contains(&BodyChange::MergeSystem) {
            question.request.to_mut().merge_system();
        }
        question
    }

    /// The server took the question: answers with what is to be told of that.
    pub fn record_success(&self, question: Question<'_>) -> Vec<String> {
        let mut learnt = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for change in question.changes {
            let known = match question.guesses.contains(&change) {
                true => &mut learnt.guesses,
                false => &mut learnt.changes,
            };
            if !known.contains(&change) {
                known.push(change);
            }
        }
        learnt.pieces.extend(question.suspects);
        let excess = learnt.pieces.len().saturating_sub(PIECES_KEPT);
        learnt.pieces.drain(..excess);
        if learnt.passed.len() > PASSED_KEPT {
            learnt.passed.clear();
        }
        learnt
            .passed
            .extend(question.request.lines.iter().map(fingerprint));
        question.notes
    }

    /// Whether the question can be asked again without what its refusal is about; `body` is what was sent.
    pub fn adapt(&self, question: &mut Question<'_>, fault: &ModelFault, body: &Value) -> bool {
        let Some(refusal) = fault.refusal.as_deref() else {
            return false;
        };
        if question.notes.len() >= MOST_TRIES {
            return false;
        }
        let is_lasting = matches!(fault.retry, RetryKind::Never);
        let adapted = question
            .change_body(refusal, body, false)
            .or_else(|| question.leave_out_images(refusal, is_lasting))
            .or_else(|| self.leave_out_suspects(question, refusal))
            .or_else(|| question.change_body(refusal, body, true));
        let message = &fault.message;
        let note = adapted.map(|how| format!("{message} It was taken {how}, and so it is asked."));
        question.notes.extend(note.clone());
        note.is_some()
    }

    /// A filter names no line: the newest that never stood in a question it took are left out, and the newest of all,
    /// which is mostly the one to answer, only if nothing else helps.
    fn leave_out_suspects(
        &self,
        question: &mut Question<'_>,
        refusal: &InputRefusal,
    ) -> Option<String> {
        if refusal.kind != Some(RefusalTopic::Filtered) {
            return None;
        }
        let learnt = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while question.line_tries < 3 {
            let lines = question.request.lines.iter();
            let mut suspects: Vec<u64> = lines.map(fingerprint).collect();
            if question.line_tries < 2 {
                suspects.pop();
            }
            suspects.retain(|line| !learnt.passed.contains(line));
            if question.line_tries == 0 {
                suspects.drain(..suspects.len().saturating_sub(FIRST_SUSPECTS));
            }
            question.line_tries += 1;
            if !suspects.is_empty() {
                question.leave_out_lines(|line| suspects.contains(&fingerprint(line)));
                // It was not the pictures, or not they alone.
                question
                    .suspects
                    .drain(..std::mem::take(&mut question.filtered_images));
                question.suspects.extend(&suspects);
                // What was tried before did not help.
                if question.lines_left_out > 0 {
                    question.notes.pop();
                }
                question.lines_left_out += suspects.len();
                let count = question.lines_left_out;
                return Some(format!(
                    "without {count} lines, of which its filter refuses one"
                ));
            }
        }
        None
    }
}

impl Question<'_> {
    pub fn apply_changes(&self, body: &mut Value) {
        self.changes.iter().for_each(|change| change.apply(body));
    }

    /// Changes what the refusal names; where `is_guess`, what it may be about though it names nothing.
    fn change_body(
        &mut self,
        refusal: &InputRefusal,
        body: &Value,
        is_guess: bool,
    ) -> Option<String> {
        let can_merge = !self.request.system.is_empty();
        let changes = find_changes(refusal, body, &self.changes, can_merge, is_guess);
        if changes.contains(&BodyChange::MergeSystem) {
            self.request.to_mut().merge_system();
        }
        let how: Vec<String> = changes.iter().map(BodyChange::describe).collect();
        if is_guess {
            self.guesses.extend(changes.clone());
        }
        self.changes.extend(changes);
        (!how.is_empty()).then(|| how.join(" and "))
    }

    /// Servers say in many ways that a model cannot see, or that they cannot read a picture, and filters do not say
    /// whether they mean it. What passes says nothing about the pictures.
    fn leave_out_images(&mut self, refusal: &InputRefusal, is_lasting: bool) -> Option<String> {
        let is_other = matches!(
            refusal.kind,
            Some(RefusalTopic::AccountSpent | RefusalTopic::KeyRefused)
        );
        let is_filtered = refusal.kind == Some(RefusalTopic::Filtered);
        let may_concern =
            is_filtered || matches!(refusal.status, 400 | 404 | 413 | 415 | 422 | 500) && !is_other;
        if !may_concern || self.request.images.is_empty() || self.request.requires_images {
            return None;
        }
        let images = std::mem::take(&mut self.request.to_mut().images);
        if is_lasting {
            self.suspects.extend(images.iter().map(fingerprint_image));
            self.filtered_images = if is_filtered { images.len() } else { 0 };
        }
        Some("without the pictures".to_owned())
    }

    fn leave_out_lines(&mut self, is_left_out: impl Fn(&ChatLine) -> bool) {
        let lines = self.request.lines.iter();
        let left_out: Vec<ChatLine> = lines.filter(|line| is_left_out(line)).cloned().collect();
        if !left_out.is_empty() {
            self.request.to_mut().leave_out_lines(&left_out);
        }
    }
}

fn fingerprint_image(one: &AttachedImage) -> u64 {
    fingerprint(&one.image.data())
}

/// What tells one picture or line from another while this runs.
fn fingerprint(piece: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    piece.hash(&mut hasher);
    hasher.finish()
}
