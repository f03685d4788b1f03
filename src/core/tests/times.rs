//! Times in words and figures: those that are over, those to come, and the hours of a day.

mod moments;
mod past;
mod recurring_hours;
