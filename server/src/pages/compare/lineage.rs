//! Which sessions are forks of which, and how much two of them share.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::{SessionId, SessionRow};

/// A session and its ancestors, nearest first, each with the last event that the session shares with it.
pub fn lineage(rows: &[SessionRow], session: &SessionRow) -> Vec<(SessionId, Seq)> {
    let mut line = vec![(session.id.clone(), session.head)];
    let mut next = session.parent.clone();
    let mut limit = session.head;
    // A log cannot have two parents or be its own; the bound only keeps a damaged list from being walked for ever.
    while let Some((parent, at)) = next.take() {
        limit = limit.min(at);
        next = rows.iter().find(|row| row.id == parent).and_then(|row| row.parent.clone());
        line.push((parent, limit));
        if line.len() > rows.len() + 1 {
            break;
        }
    }
    line
}

/// The session whose events two others have in common, and the last of them; none where they are not related.
pub fn common(a: &[(SessionId, Seq)], b: &[(SessionId, Seq)]) -> Option<(SessionId, Seq)> {
    a.iter().find_map(|(id, limit)| {
        let (_, other) = b.iter().find(|(one, _)| one == id)?;
        Some((id.clone(), *limit.min(other)))
    })
}

/// Everyone who descends from the same first session, parents before forks, each with how deep it stands.
pub fn tree<'a>(rows: &'a [SessionRow], session: &SessionRow) -> Vec<(usize, &'a SessionRow)> {
    let line = lineage(rows, session);
    let known = line.iter().rev().find_map(|(id, _)| rows.iter().find(|row| row.id == *id));
    let mut found = Vec::new();
    if let Some(root) = known {
        descend(rows, root, 0, &mut found);
    }
    found
}

fn descend<'a>(rows: &'a [SessionRow], row: &'a SessionRow, depth: usize, found: &mut Vec<(usize, &'a SessionRow)>) {
    if found.len() > rows.len() {
        return;
    }
    found.push((depth, row));
    let mut forks: Vec<(&Seq, &SessionRow)> = rows
        .iter()
        .filter_map(|one| one.parent.as_ref().map(|(parent, at)| (parent, at, one)))
        .filter(|(parent, ..)| **parent == row.id)
        .map(|(_, at, one)| (at, one))
        .collect();
    forks.sort_by(|a, b| (a.0, &a.1.id).cmp(&(b.0, &b.1.id)));
    for (_, fork) in forks {
        descend(rows, fork, depth + 1, found);
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::application::Standing;
    use enza_kernel::time::Timestamp;

    use super::{Seq, SessionId, SessionRow, common, lineage, tree};

    fn row(id: &str, head: u64, parent: Option<(&str, u64)>) -> SessionRow {
        SessionRow {
            id: SessionId::of(id),
            application: "till".to_owned(),
            owner: "ada".to_owned(),
            of: None,
            head: Seq(head),
            standing: Standing::default(),
            opened_at: Timestamp(0),
            changed_at: Timestamp(0),
            parent: parent.map(|(parent, at)| (SessionId::of(parent), Seq(at))),
            quiet: false,
        }
    }

    #[test]
    fn two_forks_share_what_came_before_the_earlier_one() {
        let rows = [
            row("root", 20, None),
            row("late", 15, Some(("root", 12))),
            row("early", 9, Some(("root", 7))),
            // Made of `late`, but at an event that `late` has from `root`.
            row("grandchild", 8, Some(("late", 5))),
            row("stranger", 3, None),
        ];
        let line = |place: usize| lineage(&rows, &rows[place]);
        let shared = |a, b| common(&line(a), &line(b)).map(|(id, at)| (id.as_str().to_owned(), at.0));
        assert_eq!(shared(1, 2), Some(("root".to_owned(), 7)));
        assert_eq!(shared(0, 1), Some(("root".to_owned(), 12)));
        assert_eq!(shared(3, 1), Some(("late".to_owned(), 5)));
        assert_eq!(shared(3, 2), Some(("root".to_owned(), 5)));
        assert_eq!(shared(1, 1), Some(("late".to_owned(), 15)));
        assert_eq!(shared(1, 4), None);
        let tree: Vec<(usize, &str)> =
            tree(&rows, &rows[2]).iter().map(|(depth, row)| (*depth, row.id.as_str())).collect();
        assert_eq!(tree, [(0, "root"), (1, "early"), (1, "late"), (2, "grandchild")]);
    }

    #[test]
    fn forks_of_a_session_that_is_gone_are_still_related() {
        let rows = [row("a", 9, Some(("gone", 4))), row("b", 9, Some(("gone", 6)))];
        let shared = common(&lineage(&rows, &rows[0]), &lineage(&rows, &rows[1]));
        assert_eq!(shared, Some((SessionId::of("gone"), Seq(4))));
    }
}
