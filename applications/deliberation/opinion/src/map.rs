//! The opinion map: where everyone stands, who stands together, what unites and what divides.
//!
//! This is what `--json` prints. Statements that a moderator took out are not on it. Everything is computed from the votes
//! and the settings alone.

use serde::{Deserialize, Serialize};

use crate::components::{Component, Components};
use crate::consensus::Consensus;
use crate::divides::{self, Divide};
use crate::figures::{self, Figures, GroupAware, GroupFigures, Tally};
use crate::groups::{self, Grouping};
use crate::representative::{self, Representative};
use crate::votes::Votes;

/// How a map is drawn; the defaults are Polis'.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Votes that a participant needs to be put into a group; all statements where there are fewer.
    pub minimum_votes: usize,
    /// Where fewer than this many have enough votes, those with most votes are taken in up to this number, and whoever has
    /// as many as the last of them.
    pub at_least: usize,
    pub most_groups: usize,
    /// Statements chosen for each group, for each side of the consensus, and for what divides.
    pub pick: usize,
    /// The z-score beyond which something is sure: 90 of 100 on one side.
    pub beyond: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { minimum_votes: 7, at_least: 15, most_groups: 5, pick: 5, beyond: 1.281_551_565_544_600_4 }
    }
}

/// Everything that votes show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpinionMap {
    pub participants: Vec<Place>,
    pub statements: Vec<StatementOnMap>,
    pub groups: Vec<Group>,
    /// How clearly groups stand apart, −1 to 1; none where there is one group, or where groups were given.
    pub silhouette: Option<f64>,
    pub components: Vec<Component>,
    pub consensus: Consensus,
    pub divides: Vec<Divide>,
    /// Statements that a moderator took out.
    pub left_out: Vec<String>,
}

/// Where a participant stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    pub id: String,
    pub x: f64,
    pub y: f64,
    pub votes: usize,
    /// None for who voted too little.
    pub group: Option<usize>,
}

/// A statement with what was said of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementOnMap {
    pub id: String,
    pub text: Option<String>,
    /// Where somebody would stand who had agreed with this and nothing else.
    pub x: f64,
    pub y: f64,
    /// Of everyone who voted, also those in no group.
    pub all: Tally,
    pub groups: Vec<GroupFigures>,
    pub consensus: GroupAware,
}

/// People who stand together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    pub id: usize,
    pub size: usize,
    pub x: f64,
    pub y: f64,
    pub representative: Vec<Representative>,
}

/// Draws a map with groups of its own.
pub fn draw(votes: &Votes, settings: &Settings) -> OpinionMap {
    let components = Components::of(votes);
    let places = places(votes, &components);
    let clusters = groups::gather(&places, &taken(votes, settings), settings.most_groups);
    assemble(votes, settings, components, &places, &clusters.grouping, clusters.silhouette)
}

/// Draws a map with groups that are given, such as those of a file.
pub fn draw_with_groups(votes: &Votes, grouping: &Grouping, settings: &Settings) -> OpinionMap {
    let components = Components::of(votes);
    let places = places(votes, &components);
    assemble(votes, settings, components, &places, grouping, None)
}

fn places(votes: &Votes, components: &Components) -> Vec<[f64; 2]> {
    (0..votes.participants().len()).map(|participant| components.place(votes, participant)).collect()
}

/// Who voted enough to be put into a group.
fn taken(votes: &Votes, settings: &Settings) -> Vec<usize> {
    let enough = settings.minimum_votes.min(votes.voted().len());
    let cast: Vec<usize> = (0..votes.participants().len()).map(|participant| votes.cast_by(participant)).collect();
    let mut most: Vec<usize> = cast.clone();
    most.sort_unstable_by(|one, other| other.cmp(one));
    let of_the_last = most.get(settings.at_least.saturating_sub(1)).or(most.last()).copied().unwrap_or_default();
    let bar = if settings.at_least == 0 { enough } else { enough.min(of_the_last) };
    (0..cast.len()).filter(|participant| cast[*participant] >= bar.max(1)).collect()
}

fn assemble(
    votes: &Votes,
    settings: &Settings,
    components: Components,
    places: &[[f64; 2]],
    grouping: &Grouping,
    silhouette: Option<f64>,
) -> OpinionMap {
    let figures = figures::figures(votes, grouping);
    let all = figures::tally(votes, 0..votes.participants().len());
    let groups =
        (0..grouping.count).map(|group| group_on_map(votes, settings, &figures, places, grouping, group)).collect();
    let participants = places.iter().enumerate().map(|(at, [x, y])| Place {
        id: votes.participants()[at].clone(),
        x: *x,
        y: *y,
        votes: votes.cast_by(at),
        group: grouping.of.get(at).copied().flatten(),
    });
    let is_out = votes.statements().iter().filter(|statement| statement.left_out);
    OpinionMap {
        participants: participants.collect(),
        statements: votes.shown().map(|at| statement_on_map(votes, &components, &figures[at], all[at], at)).collect(),
        groups,
        silhouette,
        consensus: Consensus::of(votes, &all, settings.pick, settings.beyond),
        divides: divides::find(votes, &figures, settings.pick, settings.beyond),
        left_out: is_out.map(|statement| statement.id.clone()).collect(),
        components: shown_components(votes, components),
    }
}

fn statement_on_map(
    votes: &Votes,
    components: &Components,
    figures: &Figures,
    all: Tally,
    at: usize,
) -> StatementOnMap {
    let statement = &votes.statements()[at];
    let [x, y] = components.place_of_statement(at);
    StatementOnMap {
        id: statement.id.clone(),
        text: statement.text.clone(),
        x,
        y,
        all,
        groups: figures.groups.clone(),
        consensus: figures.consensus,
    }
}

fn group_on_map(
    votes: &Votes,
    settings: &Settings,
    figures: &[Figures],
    places: &[[f64; 2]],
    grouping: &Grouping,
    group: usize,
) -> Group {
    let size = grouping.members(group).count();
    let mean = |along: usize| {
        // Summed in order of size, so that the order of participants leaves no trace in the last digit.
        let mut coordinates: Vec<f64> = grouping.members(group).map(|member| places[member][along]).collect();
        coordinates.sort_by(f64::total_cmp);
        coordinates.iter().sum::<f64>() / size.max(1) as f64
    };
    Group {
        id: group,
        size,
        x: mean(0),
        y: mean(1),
        representative: representative::select(votes, figures, group, settings.pick, settings.beyond),
    }
}

/// The components without the statements that are not on the map, where they are zero.
fn shown_components(votes: &Votes, components: Components) -> Vec<Component> {
    let shown: Vec<usize> = votes.shown().collect();
    let kept = |component: Component| Component {
        loadings: shown.iter().map(|at| component.loadings[*at]).collect(),
        ..component
    };
    components.found.into_iter().map(kept).collect()
}
