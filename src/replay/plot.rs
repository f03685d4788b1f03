//! A plot of shares as SVG, one curve and the marks on it. Its colours follow the reader's light or dark page, and
//! it brings its own background, so that it can be read where they are not followed. Computes no measure.

use std::fmt;

use quick_xml::escape::escape;

/// The picture's size and the plot's edges in it, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 690.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 470.0;
/// Lines across the plot, the edges included.
const TICKS: u32 = 5;
/// Labels of marks are left out where they would lie closer to the one before, in pixels.
const APART: f64 = 26.0;

const STYLE: &str = "\
text{font:14px system-ui,sans-serif;fill:#1f2328}
.title{font-size:16px;font-weight:600}
.page{fill:#ffffff}
.grid{stroke:#d0d7de}
.axis{stroke:#57606a;fill:none}
.curve{stroke:#0969da;stroke-width:2;fill:none}
.mark{fill:#bc4c00;stroke:#ffffff;stroke-width:1.5}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.page{fill:#0d1117}
.grid{stroke:#30363d}
.axis{stroke:#8b949e}
.curve{stroke:#58a6ff}
.mark{fill:#f0883e;stroke:#0d1117}
}";

/// A place in the plot, both 0 … 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotPoint {
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

impl PlotPoint {
    fn to_pixels(self) -> (f64, f64) {
        (
            LEFT + self.x * (RIGHT - LEFT),
            BOTTOM - self.y * (BOTTOM - TOP),
        )
    }
}

#[derive(Clone, Debug, Default)]
pub struct Plot {
    pub title: String,
    /// What is told to the right, and what upwards.
    pub axes: [String; 2],
    /// From left to right.
    pub curve: Vec<PlotPoint>,
    pub legend: String,
    /// Each with its label.
    pub marks: Vec<(PlotPoint, String)>,
}

impl fmt::Display for Plot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, middle) = (escape(self.title.as_str()), (LEFT + RIGHT) / 2.0);
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
             <text class=\"title\" x=\"{middle}\" y=\"32\" text-anchor=\"middle\">{title}</text>"
        )?;
        for tick in 0..=TICKS {
            let share = f64::from(tick) / f64::from(TICKS);
            let (x, y) = PlotPoint { x: share, y: share }.to_pixels();
            writeln!(
                f,
                "<path class=\"grid\" d=\"M{x:.1} {TOP}V{BOTTOM}M{LEFT} {y:.1}H{RIGHT}\"/>\n\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{share:.1}</text>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{share:.1}</text>",
                BOTTOM + 22.0,
                LEFT - 10.0,
                y + 5.0
            )?;
        }
        let (low, side) = (HEIGHT - 22.0, (TOP + BOTTOM) / 2.0);
        let [right, up] = self.axes.each_ref().map(|axis| escape(axis.as_str()));
        writeln!(
            f,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\n\
             <text x=\"{middle}\" y=\"{low}\" text-anchor=\"middle\">{right}</text>\n\
             <text transform=\"translate(26 {side}) rotate(-90)\" text-anchor=\"middle\">{up}</text>"
        )?;
        if !self.curve.is_empty() {
            write!(f, "<path class=\"curve\" d=\"")?;
            for (number, place) in self.curve.iter().enumerate() {
                let (x, y) = place.to_pixels();
                write!(f, "{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' })?;
            }
            writeln!(f, "\"/>")?;
        }
        let mut labelled: Option<(f64, f64)> = None;
        for (place, label) in &self.marks {
            let (x, y) = place.to_pixels();
            writeln!(
                f,
                "<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>"
            )?;
            if labelled
                .is_none_or(|(before_x, before_y)| (x - before_x).hypot(y - before_y) >= APART)
            {
                let label = escape(label.as_str());
                writeln!(
                    f,
                    "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                    x + 8.0,
                    y - 8.0
                )?;
                labelled = Some((x, y));
            }
        }
        if !self.legend.is_empty() {
            let (x, y) = (LEFT + 20.0, BOTTOM - 20.0);
            writeln!(f, "<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>")?;
            writeln!(
                f,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                x + 12.0,
                y + 5.0,
                escape(self.legend.as_str())
            )?;
        }
        writeln!(f, "</svg>")
    }
}
