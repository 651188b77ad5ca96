//! Files of what was answered, read back by somebody else's readers.

use axum::http::StatusCode;
use calamine::{Data, Reader as _, Xlsx};
use enza_kernel::text::Lang;
use enza_runtime::seams::register::AuditLog as _;
use serde_json::{Value, json};

use crate::common::Answer;
use crate::submissions::owner::{ALL, FormOwner};

/// A submitted sheet, and one that was left after the first field.
async fn two_sheets() -> (FormOwner, String, String) {
    let desk = FormOwner::new().await;
    let whole = desk.submitted(ALL).await;
    desk.arrived(&whole).await;
    desk.stage.clock.push(std::time::Duration::from_secs(60));
    let part = desk.fill(desk.guest().await, &[("day", "2026-11-04"), ("people", "")]).await;
    (desk, whole.to_string(), part.row.id.to_string())
}

/// INT: exports have a column for each field, and an Excel that reads Japanese.
#[tokio::test]
async fn csv_has_a_row_for_each_sheet_and_a_column_for_each_field() {
    let (desk, whole, part) = two_sheets().await;
    let answer = file(&desk, "csv", "").await;
    let text = answer.text();
    assert!(text.starts_with('\u{feff}'), "without the mark a spreadsheet takes it for another encoding");
    let rows = rows(&text);
    assert_eq!(
        rows[0],
        "session,status,version,language,country,started,submitted,delivered,day,people,mail,pleased,guests.1.age,absences,incomplete"
            .split(',')
            .collect::<Vec<_>>()
    );
    let without_times = |row: &[String]| [&row[..5], &row[7..]].concat();
    assert_eq!(
        without_times(&rows[1]),
        [
            part.as_str(),
            "in_progress",
            "1",
            "en",
            "US",
            "false",
            "2026-11-04",
            "",
            "",
            "",
            "",
            r#"{"people":"skipped"}"#,
            ""
        ]
    );
    assert_eq!(
        without_times(&rows[2]),
        [
            whole.as_str(),
            "submitted",
            "1",
            "en",
            "US",
            "true",
            "2026-11-03",
            "-3",
            "ada@example.org",
            "yes",
            "41",
            "",
            ""
        ]
    );
    assert_eq!((rows[1][6].as_str(), rows.len()), ("", 3));
    assert!(rows[2][6].ends_with('Z'), "{}", rows[2][6]);
}

#[tokio::test]
async fn a_file_has_what_the_filter_leaves() {
    let (desk, whole, _) = two_sheets().await;
    for query in ["?status=submitted", "?text=ADA@example", "?status=submitted&version=1"] {
        let sessions: Vec<String> =
            rows(&file(&desk, "csv", query).await.text())[1..].iter().map(|row| row[0].clone()).collect();
        assert_eq!(sessions, [whole.as_str()], "{query}");
    }
    for query in ["?version=2", "?to=2020-01-01", "?from=2999-01-01"] {
        assert_eq!(rows(&file(&desk, "csv", query).await.text()).len(), 1, "{query}: the heads alone");
    }
}

#[tokio::test]
async fn json_lines_have_each_sheet_as_programs_see_it() {
    let (desk, whole, part) = two_sheets().await;
    let answer = file(&desk, "jsonl", "").await;
    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let listed = desk.get(&format!("{}/submissions", desk.api())).await.json();
    assert_eq!(json!(lines), listed["submissions"]);
    assert_eq!(lines.iter().map(|line| line["session"].clone()).collect::<Vec<_>>(), [json!(part), json!(whole)]);
    assert_eq!(lines[0]["values"], json!({ "day": "2026-11-04" }));
}

#[tokio::test]
async fn a_workbook_has_ids_then_labels_and_numbers_and_days_as_such() {
    let (desk, whole, _) = two_sheets().await;
    let answer = file(&desk, "xlsx", "?status=submitted").await;
    let mut book: Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(answer.body.to_vec())).expect("a workbook");
    let range = book.worksheet_range("Answers").expect("the sheet");
    let rows: Vec<Vec<Data>> = range.rows().map(<[Data]>::to_vec).collect();
    let text = |text: &str| Data::String(text.to_owned());
    assert_eq!((&rows[0][8], &rows[1][8]), (&text("day"), &text("Day of the visit")));
    assert_eq!((&rows[0][12], &rows[1][12]), (&text("guests.1.age"), &text("Age (guest 1)")));
    assert_eq!((&rows[2][0], &rows[2][1]), (&text(&whole), &text("submitted")));
    let Data::DateTime(day) = &rows[2][8] else { panic!("not a day: {:?}", rows[2][8]) };
    // 2026-11-03, as spreadsheets count days.
    assert_eq!(day.as_f64(), 46_329.0);
    assert_eq!(
        (&rows[2][9], &rows[2][10], &rows[2][12]),
        (&Data::Float(-3.0), &text("ada@example.org"), &Data::Float(41.0))
    );
    assert!(matches!(rows[2][5], Data::DateTime(_)), "{:?}", rows[2][5]);
    assert_eq!(rows.len(), 3);
}

#[tokio::test]
async fn files_of_the_pages_and_of_the_interface_are_the_same() {
    let (desk, ..) = two_sheets().await;
    for ending in ["csv", "jsonl"] {
        let by_page = desk.stage.look(&format!("{}.{ending}", desk.page()), &desk.cookie, Lang::En).await;
        assert_eq!(by_page.text(), file(&desk, ending, "").await.text());
        let name = by_page.headers["content-disposition"].to_str().expect("a name");
        assert!(
            name.starts_with("attachment; filename=\"enza-answers-")
                && name.contains("filename*=UTF-8''Visit%20report"),
            "{name}"
        );
    }
    let unknown = desk.get(&format!("{}/export?format=pdf", desk.api())).await;
    assert_eq!((unknown.status, unknown.code()), (StatusCode::UNPROCESSABLE_ENTITY, "body-unfit".to_owned()));
}

async fn file(desk: &FormOwner, ending: &str, query: &str) -> Answer {
    let query = query.trim_start_matches('?');
    let answer = desk.get(&format!("{}/export?format={ending}&{query}", desk.api())).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let row = |row: Result<csv::StringRecord, csv::Error>| row.expect("a row").iter().map(str::to_owned).collect();
    reader.records().map(row).collect()
}

#[tokio::test]
async fn whatever_is_taken_along_from_the_page_is_in_the_journal() {
    let desk = FormOwner::new().await;
    for ending in ["csv", "jsonl", "xlsx"] {
        let path = format!("{}.{ending}", desk.page());
        let taken = desk.stage.look(&path, &desk.cookie, Lang::En).await;
        assert_eq!(taken.status.as_u16(), 200, "{ending}: {}", taken.text());
    }
    let journal = desk.stage.store.notes(None, None, 10).await.unwrap();
    let lines: Vec<_> = journal.iter().map(|line| (&*line.note.by, &*line.note.act, &*line.note.on)).collect();
    assert_eq!(lines, [("ada", "submissions-exported", desk.form.as_str()); 3]);
}
