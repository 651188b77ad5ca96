//! A workbook: one sheet, the ids in the first row and the labels in the second, both kept in sight.
//!
//! Numbers are numbers and days are days, so that they can be reckoned with. Text is written as text and never as a
//! formula, so it needs no guard here. A text that is longer than a cell holds is cut, and says so.

use enza_interview::{Kind, SubmittedAnswer};
use enza_kernel::time::Timestamp;
use enza_server::words::Words;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::columns::{AFTER, BEFORE, Column, absences, by_column, incomplete};
use crate::actions::submissions::Sheet;

/// How many characters a cell holds.
const CELL: usize = 32_767;
/// The first row after the heads.
const FIRST: u32 = 2;

/// The workbook.
pub(super) fn workbook(words: Words, columns: &[Column], sheets: &[Sheet]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let mut page = PageWriter {
        sheet: workbook.add_worksheet(),
        day: Format::new().set_num_format("yyyy-mm-dd"),
        moment: Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
        row: 0,
        column: 0,
    };
    page.sheet.set_name(words.say("exports.sheet"))?;
    page.heads(words, columns)?;
    for (place, sheet) in (FIRST..).zip(sheets) {
        page.row(place, columns, sheet)?;
    }
    page.sheet.set_freeze_panes(FIRST, 1)?;
    page.sheet.set_autofit_max_width(360).autofit();
    workbook.save_to_buffer()
}

/// The page, and where the next cell goes.
struct PageWriter<'a> {
    sheet: &'a mut Worksheet,
    day: Format,
    moment: Format,
    row: u32,
    column: u16,
}

impl PageWriter<'_> {
    fn heads(&mut self, words: Words, columns: &[Column]) -> Result<(), XlsxError> {
        let bold = Format::new().set_bold();
        let before = BEFORE.iter().map(|name| (*name, words.of("export-column", name)));
        let fields = columns.iter().map(|column| (column.id.as_str(), column.label.as_str()));
        let after = AFTER.iter().map(|name| (*name, words.of("export-column", name)));
        for (place, (id, label)) in (0..).zip(before.chain(fields).chain(after)) {
            self.sheet.write_string(0, place, cut(id))?;
            self.sheet.write_string_with_format(1, place, cut(label), &bold)?;
        }
        Ok(())
    }

    fn row(&mut self, row: u32, columns: &[Column], sheet: &Sheet) -> Result<(), XlsxError> {
        (self.row, self.column) = (row, 0);
        self.text(sheet.session.as_str())?;
        self.text(sheet.status.word())?;
        match sheet.version {
            Some(version) => self.number(version as f64)?,
            None => self.skip(),
        }
        self.text(sheet.bootstrap.language.as_deref().unwrap_or_default())?;
        self.text(sheet.bootstrap.country.as_deref().unwrap_or_default())?;
        self.moment(Some(sheet.opened_at))?;
        self.moment(sheet.submitted_at)?;
        self.text(if sheet.delivered { "true" } else { "false" })?;
        for (column, answer) in columns.iter().zip(by_column(columns, sheet)) {
            self.answer(column.kind, answer)?;
        }
        self.text(&absences(sheet))?;
        self.text(&incomplete(sheet))
    }

    fn answer(&mut self, kind: Kind, answer: Option<&SubmittedAnswer>) -> Result<(), XlsxError> {
        let Some(value) = answer.and_then(|answer| answer.value.as_deref()) else {
            self.skip();
            return Ok(());
        };
        match kind {
            // A spreadsheet keeps fifteen digits; a longer number is more likely a name.
            Kind::Number | Kind::Integer if value.len() <= 15 => match value.parse() {
                Ok(number) => self.number(number),
                Err(_) => self.text(value),
            },
            Kind::Date => match ExcelDateTime::parse_from_str(value) {
                Ok(day) => {
                    self.sheet.write_datetime_with_format(self.row, self.column, &day, &self.day)?;
                    self.skip();
                    Ok(())
                }
                Err(_) => self.text(value),
            },
            Kind::Number
            | Kind::Integer
            | Kind::Text
            | Kind::LongText
            | Kind::Time
            | Kind::Choice
            | Kind::Choices
            | Kind::Email
            | Kind::Phone
            | Kind::YesNo
            | Kind::File => self.text(value),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), XlsxError> {
        if !text.is_empty() {
            self.sheet.write_string(self.row, self.column, cut(text))?;
        }
        self.skip();
        Ok(())
    }

    fn number(&mut self, number: f64) -> Result<(), XlsxError> {
        self.sheet.write_number(self.row, self.column, number)?;
        self.skip();
        Ok(())
    }

    fn moment(&mut self, at: Option<Timestamp>) -> Result<(), XlsxError> {
        if let Some(at) = at {
            let moment = ExcelDateTime::from_timestamp(at.0.div_euclid(1_000))?;
            self.sheet.write_datetime_with_format(self.row, self.column, &moment, &self.moment)?;
        }
        self.skip();
        Ok(())
    }

    fn skip(&mut self) {
        self.column += 1;
    }
}

fn cut(text: &str) -> String {
    // A cell counts in UTF-16, as spreadsheets do.
    if text.encode_utf16().count() <= CELL {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut length = 0;
    for letter in text.chars() {
        length += letter.len_utf16();
        if length >= CELL {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}
