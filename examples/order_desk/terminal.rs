//! Text for a terminal: colour, width and line breaks.

/// The width that the transcript is laid out for.
pub(crate) const WIDTH: usize = 100;

/// Colours, where they are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) colour: bool,
}

impl Paint {
    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.with("36", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The text without what could steer the terminal or turn the reading direction: a model or a service wrote it.
pub(crate) fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' => '\n',
            '\t' => ' ',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        })
        .collect()
}

/// Breaks the text into lines of at most this width: at blanks, between wide characters, else anywhere.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrap_line(line, width)).collect()
}

fn wrap_line(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut breakable = 0;
    let mut taken = 0;
    for (place, c) in text.char_indices() {
        if taken + char_width(c) > width {
            let end = if breakable > start { breakable } else { place };
            lines.push(text[start..end].trim_end().to_owned());
            start = end;
            taken = columns(&text[start..place]);
        }
        taken += char_width(c);
        if c == ' ' || char_width(c) == 2 {
            breakable = place + c.len_utf8();
        }
    }
    lines.push(text[start..].trim_end().to_owned());
    lines
}

/// The text cut to this width, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut taken = 1;
    let kept = text.chars().take_while(|c| {
        taken += char_width(*c);
        taken <= width
    });
    kept.chain(['…']).collect()
}

/// The text with blanks behind it up to this width.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// How many columns the text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Two columns for the wide scripts and symbols; that is as exact as aligned labels need.
fn char_width(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_asked_and_nothing_is_lost() {
        for text in
            ["one two three four", "订单已经送到了 Lyon 请查收", "{\"a\":\"bbbbbbbbbbbbbbbbbbbbbbbb\"}", "", "a\n\nb"]
        {
            for width in 2..20 {
                let lines = wrap(text, width);
                assert!(lines.iter().all(|line| columns(line) <= width), "{lines:?}");
                let squeezed = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(squeezed(&lines.concat()), squeezed(text));
            }
        }
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
    }

    #[test]
    fn cuts_and_pads_by_columns() {
        assert_eq!(cut("订单号码", 5), "订单…");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(columns(&pad("顾客", 10)), 10);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\tc\u{202e}d\n"), "a\u{fffd}[2Jb c\u{fffd}d\n");
    }
}
