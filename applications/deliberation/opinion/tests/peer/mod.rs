//! Ours beside red-dwarf, the Python package that follows Polis' mathematics, on the same made-up votes.
//!
//! For groups that are given, every figure must be the same to nine digits; components must be parallel, and places follow
//! from them. Which groups either finds by itself need not be the same, so it is only told (`--no-capture`). Without Python
//! this fails: a comparison that was not made is not one that was passed.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stdout,
    reason = "it runs the peer and tells what it saw"
)]

mod votes;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use enza_opinion::{Agreement, GroupFigures, Grouping, OpinionMap, Settings, Side, draw, draw_with_groups, figures};
use serde_json::Value;

use votes::Case;

/// Figures of given groups may differ by this much.
const FIGURES: f64 = 1e-9;
/// Components must be at least this parallel.
const PARALLEL: f64 = 0.999;
/// Places follow from components, which both sides find by iteration.
const PLACES: f64 = 1e-6;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// What red-dwarf says of these cases.
fn ask_peer(cases: &[Case]) -> Vec<Value> {
    let made = Command::new(root().join("testing/opinion")).stderr(Stdio::inherit()).output().unwrap();
    assert!(made.status.success(), "red-dwarf could not be installed; testing/opinion says why");
    let python = String::from_utf8(made.stdout).unwrap();
    let mut peer = Command::new(python.trim())
        .arg(root().join("applications/deliberation/opinion/tests/peer/compare.py"))
        .env("PYTHONWARNINGS", "ignore")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let asked = Value::Array(cases.iter().map(Case::to_json).collect()).to_string();
    // It reads everything before it writes anything.
    peer.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let answered = peer.wait_with_output().unwrap();
    assert!(answered.status.success(), "compare.py failed");
    serde_json::from_slice(&answered.stdout).unwrap()
}

#[test]
fn figures_of_given_groups_and_components_are_those_of_red_dwarf() {
    let cases: Vec<Case> = (1..=16).map(Case::of_seed).collect();
    let answers = ask_peer(&cases);
    assert_eq!(answers.len(), cases.len());
    let mut seen = Seen { least_parallel: 1.0, ..Seen::default() };
    for (case, answer) in cases.iter().zip(&answers) {
        let map = draw_with_groups(&case.votes, &case.grouping, &Settings::default());
        compare_figures(case, &answer["given"], &mut seen);
        compare_representative(case, &map, &answer["given"]["representative"], &mut seen);
        compare_consensus(case, &map, &answer["whole"]["consensus"], &mut seen);
        compare_components(case, &map, &answer["whole"], &mut seen);
        compare_places(case, &map, &answer["whole"], &mut seen);
        compare_files(case, &answer["files"]);
        tell_own_groups(case, &answer["own_groups"]);
    }
    println!("{seen:#?}");
    assert!(seen.figures > 10_000 && seen.representative > 100 && seen.consensus > 20 && seen.places > 500, "{seen:?}");
}

/// How much was compared, and the widest difference of each kind.
#[derive(Debug, Default)]
struct Seen {
    figures: usize,
    widest_figure: f64,
    representative: usize,
    /// Groups for which red-dwarf chooses nothing, though Polis would: surely different, but with no best agreement.
    chosen_by_us_alone: usize,
    consensus: usize,
    ties_in_consensus: usize,
    least_parallel: f64,
    widest_variance: f64,
    places: usize,
    widest_place: f64,
}

impl Seen {
    fn figure(&mut self, what: &str, ours: f64, theirs: &Value) {
        let difference = (ours - number(theirs)).abs();
        assert!(difference <= FIGURES, "{what}: {ours} and {theirs}");
        self.figures += 1;
        self.widest_figure = self.widest_figure.max(difference);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// In the order in which compare.py names them.
fn in_order(group: &GroupFigures) -> [f64; 11] {
    let (tally, agree, disagree) = (group.tally, group.agree, group.disagree);
    let [na, nd, ns] = [tally.agree, tally.disagree, tally.seen].map(f64::from);
    [
        na,
        nd,
        ns,
        agree.probability,
        agree.probability_test,
        agree.representativeness,
        agree.representativeness_test,
        disagree.probability,
        disagree.probability_test,
        disagree.representativeness,
        disagree.representativeness_test,
    ]
}

fn compare_figures(case: &Case, theirs: &Value, seen: &mut Seen) {
    let ours = figures(&case.votes, &case.grouping);
    let mut compared = 0;
    for (statement, ours) in case.votes.statements().iter().zip(&ours) {
        // What nobody voted on is not in red-dwarf's matrix.
        let Some(groups) = theirs["figures"].get(&statement.id) else { continue };
        assert_eq!(list(groups).len(), ours.groups.len());
        for (group, figures) in ours.groups.iter().zip(list(groups)) {
            for (ours, theirs) in in_order(group).iter().zip(list(figures)) {
                seen.figure(&format!("seed {}, statement {}", case.seed, statement.id), *ours, theirs);
            }
        }
        let theirs = list(&theirs["group_aware"][&statement.id]);
        seen.figure("group-aware agreement", ours.consensus.agree, &theirs[0]);
        seen.figure("group-aware disagreement", ours.consensus.disagree, &theirs[1]);
        compared += 1;
    }
    assert_eq!(compared, theirs["figures"].as_object().unwrap().len());
}

fn compare_representative(case: &Case, map: &OpinionMap, theirs: &Value, seen: &mut Seen) {
    for (group, theirs) in map.groups.iter().zip(list(theirs)) {
        let theirs = list(theirs);
        if theirs.is_empty() && group.representative.iter().all(|one| one.side == Side::Disagree && !one.is_best_agreed)
        {
            seen.chosen_by_us_alone += 1;
            continue;
        }
        assert_eq!(group.representative.len(), theirs.len(), "seed {}, group {}", case.seed, group.id);
        for (ours, theirs) in group.representative.iter().zip(theirs) {
            let side = if ours.side == Side::Agree { "agree" } else { "disagree" };
            assert_eq!((ours.statement.as_str(), side), (theirs[0].as_str().unwrap(), theirs[1].as_str().unwrap()));
            assert_eq!(ours.is_best_agreed, theirs[4].as_bool().unwrap());
            seen.figure("representativeness", ours.representativeness, &theirs[2]);
            seen.figure("its test", ours.representativeness_test, &theirs[3]);
            seen.representative += 1;
        }
    }
}

fn compare_consensus(case: &Case, map: &OpinionMap, theirs: &Value, seen: &mut Seen) {
    let mut compare = |name: &str, side: Side, ours: &[Agreement]| {
        let theirs = list(&theirs[name]);
        assert_eq!(ours.len(), theirs.len(), "seed {}, {name}", case.seed);
        for (ours, theirs) in ours.iter().zip(theirs) {
            seen.figure("consensus", ours.probability, &theirs[1]);
            seen.figure("its test", ours.probability_test, &theirs[2]);
            seen.consensus += 1;
            if ours.statement != theirs[0].as_str().unwrap() {
                // Of statements with the same figures we take the first; red-dwarf sorts by an order that is not stable.
                let theirs = map.statements.iter().find(|one| theirs[0] == *one.id).unwrap();
                assert_eq!(
                    (theirs.all.of(side), theirs.all.seen),
                    (ours.taken, ours.seen),
                    "seed {}, {name}",
                    case.seed
                );
                seen.ties_in_consensus += 1;
            }
        }
    };
    compare("agree", Side::Agree, &map.consensus.agree);
    compare("disagree", Side::Disagree, &map.consensus.disagree);
}

fn compare_components(case: &Case, map: &OpinionMap, theirs: &Value, seen: &mut Seen) {
    let names: Vec<&str> = list(&theirs["statements"]).iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(map.components.len(), 2);
    for (at, ours) in map.components.iter().enumerate() {
        let theirs_of: BTreeMap<&str, f64> =
            names.iter().copied().zip(list(&theirs["components"][at]).iter().map(number)).collect();
        let along = |(statement, loading): (&enza_opinion::StatementOnMap, &f64)| {
            theirs_of.get(statement.id.as_str()).map_or(0.0, |other| loading * other)
        };
        let parallel = map.statements.iter().zip(&ours.loadings).map(along).sum::<f64>().abs();
        assert!(parallel >= PARALLEL, "seed {}, component {at}: {parallel}", case.seed);
        seen.least_parallel = seen.least_parallel.min(parallel);
        for (ours, theirs) in [(ours.variance, &theirs["variance"][at]), (ours.explained, &theirs["explained"][at])] {
            let difference = (ours - number(theirs)).abs();
            assert!(difference <= FIGURES, "seed {}, component {at}: {ours} and {theirs}", case.seed);
            seen.widest_variance = seen.widest_variance.max(difference);
        }
    }
}

/// Along each component both may point either way, all places alike.
fn compare_places(case: &Case, map: &OpinionMap, theirs: &Value, seen: &mut Seen) {
    let people = map.participants.iter().map(|place| (&theirs["places"][&place.id], [place.x, place.y]));
    let is_theirs = |id: &str| theirs["statement_places"].get(id);
    let statements = map.statements.iter().filter_map(|one| is_theirs(&one.id).map(|theirs| (theirs, [one.x, one.y])));
    let pairs: Vec<(&Value, [f64; 2])> = people.chain(statements).collect();
    for along in 0..2 {
        let agree: f64 = pairs.iter().map(|(theirs, ours)| number(&theirs[along]) * ours[along]).sum();
        for (theirs, ours) in &pairs {
            let difference = (ours[along] - number(&theirs[along]) * agree.signum()).abs();
            assert!(difference <= PLACES, "seed {}: {ours:?} and {theirs}", case.seed);
            seen.widest_place = seen.widest_place.max(difference);
        }
    }
    seen.places += pairs.len();
}

/// red-dwarf reads the files that we write.
fn compare_files(case: &Case, theirs: &Value) {
    let numbers = |text: &str| text.parse::<i64>().unwrap();
    let mut ours: Vec<[i64; 3]> = case
        .export
        .votes
        .iter()
        .map(|vote| [numbers(&vote.voter), numbers(&vote.comment), i64::from(vote.vote.value())])
        .collect();
    ours.sort_unstable();
    assert_eq!(serde_json::to_value(&ours).unwrap(), theirs["votes"]);
    let out: Vec<i64> = case.moderated.iter().map(|id| numbers(id)).collect();
    assert_eq!(serde_json::to_value(&out).unwrap(), theirs["taken_out"]);
}

fn tell_own_groups(case: &Case, theirs: &Value) {
    let map = draw(&case.votes, &Settings { at_least: 0, ..Settings::default() });
    let ours = Grouping { of: map.participants.iter().map(|place| place.group).collect(), count: map.groups.len() };
    let theirs: Vec<Option<u64>> =
        map.participants.iter().map(|place| theirs.get(&place.id).and_then(Value::as_u64)).collect();
    let grouped: Vec<usize> = (0..theirs.len()).filter(|at| theirs[*at].is_some()).collect();
    let is_same = |one: usize, other: usize| (ours.of[one] == ours.of[other]) == (theirs[one] == theirs[other]);
    let pairs = grouped
        .iter()
        .flat_map(|one| grouped.iter().filter(move |other| *other > one).map(move |other| (*one, *other)));
    let (same, all) =
        pairs.fold((0, 0), |(same, all), (one, other)| (same + usize::from(is_same(one, other)), all + 1));
    let count = theirs.iter().flatten().max().map_or(0, |most| most + 1);
    println!(
        "seed {}: {} people, {} statements; groups of their own {} and {count}; of {all} pairs {same} are seen alike",
        case.seed,
        case.votes.participants().len(),
        case.votes.statements().len(),
        ours.count,
    );
}
