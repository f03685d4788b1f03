//! The store's statements as PostgreSQL reads them: the same words, but for how a bound value is written, a column whose
//! name it takes for a word of its own, and a hint it does not know.

const HINT: &str = "INDEXED BY ";

pub(super) fn translate(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 16);
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        match c {
            '\'' | '"' => {
                let end = rest[1..].find(c).map_or(rest.len(), |end| end + 2);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            '?' => {
                out.push('$');
                rest = &rest[1..];
            }
            _ if rest.starts_with(HINT) => {
                let end = rest[HINT.len()..]
                    .find(' ')
                    .map_or(rest.len(), |end| HINT.len() + end);
                rest = &rest[end..];
            }
            _ if is_part_of_name(c) => {
                let end = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
                match &rest[..end] {
                    "user" => out.push_str("\"user\""),
                    word => out.push_str(word),
                }
                rest = &rest[end..];
            }
            _ => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bound_values_and_the_column_user_are_written_in_postgresqls_way() {
        assert_eq!(
            translate(
                "SELECT user, user_name FROM reactions WHERE user = ?1 AND emoji <> 'user?' LIMIT ?12"
            ),
            "SELECT \"user\", user_name FROM reactions WHERE \"user\" = $1 AND emoji <> 'user?' LIMIT $12"
        );
        assert_eq!(
            translate("FROM turns INDEXED BY faults JOIN x"),
            "FROM turns  JOIN x"
        );
    }
}
