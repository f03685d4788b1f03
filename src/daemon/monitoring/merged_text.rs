//! One text of metrics out of those of several partitions. By OpenMetrics' rules a name may be explained once, and all of its
//! samples follow, so that texts cannot be put one behind the other.

use std::fmt::Write as _;

const END: &str = "# EOF\n";
/// The partitions themselves, so that it can be seen who runs which.
const HELD: &str = "kith_partition_held";

/// A name with what explains it and its samples.
struct MetricFamily {
    name: String,
    about: String,
    samples: String,
}

/// Puts texts together, each with its partition's number as a label. Where nothing is divided there is no label. `is_held`:
/// whether the partitions are this process' still.
pub(super) fn merge_texts(texts: &[(u16, String)], is_divided: bool, is_held: bool) -> String {
    let mut families: Vec<MetricFamily> = Vec::new();
    for (partition, text) in texts {
        let mut at = None;
        for line in text.lines().filter(|line| *line != END.trim_end()) {
            match line.strip_prefix("# ") {
                Some(about) => {
                    let name = about.split(' ').nth(1).unwrap_or_default();
                    let known = families.iter().position(|family| family.name == name);
                    let place = known.unwrap_or_else(|| {
                        families.push(MetricFamily {
                            name: name.to_owned(),
                            about: String::new(),
                            samples: String::new(),
                        });
                        families.len() - 1
                    });
                    // Its own lines follow each other; those of a later text say the same.
                    if let Some(family) = families.get_mut(place)
                        && family.samples.is_empty()
                    {
                        family.about.push_str(line);
                        family.about.push('\n');
                    }
                    at = Some(place);
                }
                None => {
                    if let Some(family) = at.and_then(|at: usize| families.get_mut(at)) {
                        push_sample(&mut family.samples, line, is_divided.then_some(*partition));
                    }
                }
            }
        }
    }
    let mut merged: String = families
        .into_iter()
        .map(|family| family.about + &family.samples)
        .collect();
    // Writing into a string cannot fail.
    let _ = writeln!(
        merged,
        "# HELP {HELD} The partitions that this process runs.\n# TYPE {HELD} gauge"
    );
    for (partition, _) in texts {
        let held = u8::from(is_held);
        let _ = writeln!(merged, "{HELD}{{partition=\"{partition}\"}} {held}");
    }
    merged + END
}

fn push_sample(samples: &mut String, line: &str, partition: Option<u16>) {
    let end = line.find(['{', ' ']).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    samples.push_str(name);
    match (partition, rest.strip_prefix('{')) {
        (None, _) => samples.push_str(rest),
        (Some(number), Some(labels)) => {
            let _ = write!(samples, "{{partition=\"{number}\",{labels}");
        }
        (Some(number), None) => {
            let _ = write!(samples, "{{partition=\"{number}\"}}{rest}");
        }
    }
    samples.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "# HELP a What a is.\n# TYPE a counter\na_total{role=\"x y\"} 1\n# HELP b What b is.\n# TYPE b gauge\nb 2\n# EOF\n";

    #[test]
    fn each_name_is_explained_once_and_every_sample_says_of_which_partition_it_is() {
        let other = ONE.replace(" 1\n", " 3\n");
        let merged = merge_texts(&[(0, ONE.into()), (2, other)], true, true);
        assert_eq!(
            merged,
            "# HELP a What a is.\n# TYPE a counter\n\
             a_total{partition=\"0\",role=\"x y\"} 1\na_total{partition=\"2\",role=\"x y\"} 3\n\
             # HELP b What b is.\n# TYPE b gauge\nb{partition=\"0\"} 2\nb{partition=\"2\"} 2\n\
             # HELP kith_partition_held The partitions that this process runs.\n# TYPE kith_partition_held gauge\n\
             kith_partition_held{partition=\"0\"} 1\nkith_partition_held{partition=\"2\"} 1\n# EOF\n"
        );
    }

    #[test]
    fn what_is_not_divided_keeps_its_names_and_a_standby_says_that_it_holds_nothing() {
        let merged = merge_texts(&[(0, ONE.into())], false, true);
        assert!(merged.starts_with(ONE.trim_end_matches(END)), "{merged}");
        let standby = merge_texts(&[], true, true);
        assert!(
            standby.ends_with("kith_partition_held gauge\n# EOF\n"),
            "{standby}"
        );
        let lapsed = merge_texts(&[(0, ONE.into())], false, false);
        assert!(lapsed.contains("held{partition=\"0\"} 0"), "{lapsed}");
    }
}
