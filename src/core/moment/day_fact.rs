//! What a text can say of a day, and of which days it is true.

use chrono::{Datelike, NaiveDate};

/// In the numbers of weekdays: Saturday and Sunday.
pub(super) const WEEKEND: f64 = 7.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DayFact {
    /// So many from today, as weeks and months are from these.
    Days(f64),
    Weeks(f64),
    Months(f64),
    /// In the next week, and not in this one either: `next friday` said on a Friday.
    OnlyNextWeek,
    /// From Monday on, or the weekend.
    Weekday(f64),
    Year(f64),
    Month(f64),
    /// Of the month.
    Day(f64),
    LastDay,
    Date(NaiveDate),
}

impl DayFact {
    /// Whether it is true of a date, said today.
    pub(super) fn is_true_of(self, date: NaiveDate, today: NaiveDate) -> bool {
        let weekday = |date: NaiveDate| date.weekday().num_days_from_monday();
        let days = (date - today).num_days();
        let weeks = (days + i64::from(weekday(today))).div_euclid(7);
        let months = |date: NaiveDate| f64::from(date.year() * 12 + date.month0() as i32);
        match self {
            Self::Days(ahead) => days as f64 == ahead,
            Self::Weeks(ahead) => weeks as f64 == ahead,
            Self::Months(ahead) => months(date) - months(today) == ahead,
            Self::OnlyNextWeek => weeks == 1 && weekday(date) <= weekday(today),
            Self::Weekday(WEEKEND) => weekday(date) >= 5,
            Self::Weekday(wanted) => f64::from(weekday(date)) == wanted,
            Self::Year(year) => f64::from(date.year()) == year,
            Self::Month(month) => f64::from(date.month()) == month,
            Self::Day(day) => f64::from(date.day()) == day,
            Self::Date(wanted) => date == wanted,
            Self::LastDay => date.succ_opt().is_some_and(|next| next.day() == 1),
        }
    }
}
