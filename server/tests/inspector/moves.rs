//! The diagram of a table of moves, on tables of every shape.

use enza_kernel::floor::Position;
use enza_kernel::moves::Table;
use enza_server::drawing::moves::{Plan, StateBox};
use proptest::prelude::{Just, Strategy, any, proptest};
use proptest::{prop_assert, prop_assert_eq};

/// Tables of 2 to 15 states: each reached from an earlier one, each with a way to the last.
fn tables() -> impl Strategy<Value = Table> {
    (2_usize..=15).prop_flat_map(|count| {
        let parents = proptest::collection::vec(any::<proptest::sample::Index>(), count);
        let extras = proptest::collection::vec((0..count, 0..count, any::<bool>()), 0..count);
        (Just(count), parents, extras).prop_map(|(count, parents, extras)| {
            let mut toml = format!(
                "name = \"t\"\nstates = [{}]\nstart = \"s0\"\nends = [\"s{}\"]\n",
                (0..count).map(|nth| format!("\"s{nth}\"")).collect::<Vec<_>>().join(", "),
                count - 1
            );
            let mut seen = std::collections::BTreeSet::new();
            let mut add = |from: usize, to: usize, list: &str| {
                if from != to && seen.insert((from, to, list.to_owned())) {
                    toml += &format!("[[{list}]]\nfrom = \"s{from}\"\nto = \"s{to}\"\non = \"because of {from}\"\n");
                }
            };
            for (nth, parent) in parents.iter().enumerate().skip(1) {
                add(parent.index(nth), nth, "move");
                add(nth, count - 1, "move");
            }
            add(0, count - 1, "move");
            for (from, to, is_error) in extras {
                if from != count - 1 {
                    add(from, to, if is_error { "error" } else { "move" });
                }
            }
            Table::parse(&toml).unwrap_or_else(|fault| panic!("{fault}\n{toml}"))
        })
    })
}

fn overlap(a: &StateBox, b: &StateBox) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

proptest! {
    #[test]
    fn every_state_has_one_box_and_no_two_boxes_overlap(table in tables(), things in 0_usize..9) {
        let positions: Vec<Position> = (0..things)
            .map(|nth| Position {
                table: "t".to_owned(),
                thing: format!("thing number {nth}"),
                at: table.states()[nth % table.states().len()].clone(),
            })
            .collect();
        let plan = Plan::of(&table, &positions);
        let mut drawn: Vec<&str> = plan.sheets.iter().map(|sheet| sheet.state.as_str()).collect();
        let mut declared: Vec<&str> = table.states().iter().map(String::as_str).collect();
        drawn.sort_unstable();
        declared.sort_unstable();
        prop_assert_eq!(drawn, declared);
        for (nth, a) in plan.sheets.iter().enumerate() {
            prop_assert!(a.x >= 0.0 && a.y >= 0.0 && a.x + a.width <= plan.width && a.y + a.height <= plan.height, "{a:?}");
            for b in &plan.sheets[nth + 1..] {
                prop_assert!(!overlap(a, b), "{a:?} {b:?}");
            }
        }
        let named: usize = plan.sheets.iter().map(|sheet| sheet.here.len() + sheet.more).sum();
        prop_assert_eq!(named, things);
    }

    #[test]
    fn every_move_is_drawn_and_stays_on_the_drawing(table in tables()) {
        let plan = Plan::of(&table, &[]);
        for (list, is_error) in [(table.moves(), false), (table.errors(), true)] {
            for one in list {
                let way = plan.ways.iter().find(|way| way.from == one.from && way.to == one.to && way.is_error == is_error);
                prop_assert!(way.is_some(), "{one:?}");
            }
        }
        for way in &plan.ways {
            for number in numbers(&way.path) {
                prop_assert!((0.0..=plan.width.max(plan.height)).contains(&number), "{way:?}");
            }
        }
    }

    #[test]
    fn ways_around_the_boxes_never_lead_through_one(table in tables()) {
        let plan = Plan::of(&table, &[]);
        for way in plan.ways.iter().filter(|way| way.path.contains('L')) {
            let corners: Vec<(f64, f64)> = numbers(&way.path).chunks(2).map(|pair| (pair[0], pair[1])).collect();
            for pair in corners.windows(2) {
                for sheet in &plan.sheets {
                    prop_assert!(!crosses(pair[0], pair[1], sheet), "{way:?} {sheet:?}");
                }
            }
        }
    }
}

/// Whether a straight piece runs through the inside of a box.
fn crosses(a: (f64, f64), b: (f64, f64), sheet: &StateBox) -> bool {
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    left < sheet.x + sheet.width - 0.5
        && right > sheet.x + 0.5
        && top < sheet.y + sheet.height - 0.5
        && bottom > sheet.y + 0.5
}

fn numbers(path: &str) -> Vec<f64> {
    let parts = path.split(|letter: char| letter.is_ascii_alphabetic() || letter == ' ');
    parts.filter(|part| !part.is_empty()).map(|part| part.parse().expect("a number")).collect()
}

#[test]
fn moves_between_the_same_states_are_one_way_with_both_labels() {
    let table = Table::parse(
        "name = \"door\"\nstates = [\"shut\", \"open\"]\nstart = \"shut\"\nends = [\"open\"]\n\
         [[move]]\nfrom = \"shut\"\nto = \"open\"\non = \"key\"\n[[move]]\nfrom = \"shut\"\nto = \"open\"\non = \"push\"\n\
         [[error]]\nfrom = \"open\"\nto = \"shut\"\non = \"wind\"\n",
    )
    .unwrap();
    let plan = Plan::of(&table, &[]);
    let told: Vec<(&str, bool)> = plan.ways.iter().map(|way| (way.label.as_str(), way.is_error)).collect();
    assert_eq!(told, [("key / push", false), ("wind", true)]);
}
