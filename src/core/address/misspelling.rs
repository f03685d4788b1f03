//! A name typed wrong: "jnuo", "junp", "mkia". Decides nothing about how it is used there.

/// From so many letters on a name is known though one of them is wrong: shorter ones become other words.
const LONG_ENOUGH: usize = 4;
/// From so many letters on one may be missing: what is left of a shorter one is a pet name or another.
const MAY_MISS: usize = 5;
const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Whether a word is this name with one slip of the finger behind its first letter: two letters swapped, one hit beside
/// where it is, typed twice, or missed. Another letter than a neighbour makes another name: Mike is not Mika.
pub fn is_slip(word: &str, name: &[char]) -> bool {
    let word: Vec<char> = word.chars().map(|c| c.to_ascii_lowercase()).collect();
    let plain = |letters: &[char]| letters.iter().all(char::is_ascii_lowercase);
    if name.len() < LONG_ENOUGH || word.len() < LONG_ENOUGH || !plain(name) || !plain(&word) {
        return false;
    }
    let Some(at) = word
        .iter()
        .zip(name)
        .position(|(written, meant)| written != meant)
    else {
        return is_end_slip(&word, name);
    };
    let (written, meant) = (&word[at..], &name[at..]);
    if at == 0 {
        return false;
    }
    match written.len() as isize - meant.len() as isize {
        0 => {
            is_neighbour(written[0], meant[0]) && written[1..] == meant[1..]
                || is_swapped(written, meant)
        }
        1 => written[0] == word[at - 1] && written[1..] == *meant,
        -1 => name.len() >= MAY_MISS && *written == meant[1..],
        _ => false,
    }
}

/// The last letter is there twice, or missed: "tedd" of Teddy.
fn is_end_slip(word: &[char], name: &[char]) -> bool {
    word.len() == name.len() + 1 && word.last() == name.last()
        || name.len() >= MAY_MISS && word.len() + 1 == name.len()
}

fn is_swapped(written: &[char], meant: &[char]) -> bool {
    written.len() >= 2
        && written[0] == meant[1]
        && written[1] == meant[0]
        && written[2..] == meant[2..]
}

/// Whether two letters stand beside one another in a row; what is above or below makes more words than slips.
fn is_neighbour(one: char, other: char) -> bool {
    ROWS.iter().any(
        |row| matches!((row.find(one), row.find(other)), (Some(a), Some(b)) if a.abs_diff(b) == 1),
    )
}
