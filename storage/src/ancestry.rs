//! Which stretch of which log a fork's events are read from.
//!
//! A fork keeps only its own events; the earlier ones stay with its ancestors. A session's line is itself, its parent,
//! its parent's parent, and so on; each gives the part of its log that no nearer one covers. The stretches together
//! have no gap and no overlap, whatever was appended to an ancestor after the fork.
//!
//! Reading the line and the stretches belongs to each store.

use enza_kernel::time::Seq;

/// One session of a line, nearest first: itself, its parent, its parent's parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ancestor<K> {
    pub key: K,
    /// The last event that it shares with its parent; 0 where it has none.
    pub forked_at: Seq,
}

/// The events of one session's own log after one place and up to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch<K> {
    pub key: K,
    pub after: Seq,
    pub upto: Seq,
}

/// Where the events after `after` and up to `head` are, oldest first.
pub(crate) fn stretches<K: Copy>(line: &[Ancestor<K>], after: Seq, head: Seq) -> Vec<Stretch<K>> {
    let mut found: Vec<_> = reaches(line, head)
        .zip(line)
        .map(|((key, upto), one)| Stretch { key, after: one.forked_at.max(after), upto })
        .filter(|stretch| stretch.after < stretch.upto)
        .collect();
    found.reverse();
    found
}

/// How far each session of a line reaches into the log of the first one, nearest first. A snapshot of an ancestor is
/// one of this session too, if it is not beyond that.
pub(crate) fn reaches<K: Copy>(line: &[Ancestor<K>], head: Seq) -> impl Iterator<Item = (K, Seq)> {
    line.iter().scan(head, |ceiling, one| {
        let upto = *ceiling;
        *ceiling = upto.min(one.forked_at);
        Some((one.key, upto))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(of: &[(char, u64)]) -> Vec<Ancestor<char>> {
        of.iter().map(|&(key, at)| Ancestor { key, forked_at: Seq(at) }).collect()
    }

    fn read(of: &[(char, u64)], after: u64, head: u64) -> Vec<(char, u64, u64)> {
        stretches(&line(of), Seq(after), Seq(head)).iter().map(|one| (one.key, one.after.0, one.upto.0)).collect()
    }

    #[test]
    fn a_session_without_a_parent_is_one_stretch() {
        assert_eq!(read(&[('a', 0)], 0, 9), [('a', 0, 9)]);
        assert_eq!(read(&[('a', 0)], 9, 9), []);
    }

    #[test]
    fn a_fork_of_a_fork_reads_each_part_once() {
        let line = [('c', 7), ('b', 4), ('a', 0)];
        assert_eq!(read(&line, 0, 9), [('a', 0, 4), ('b', 4, 7), ('c', 7, 9)]);
        assert_eq!(read(&line, 5, 9), [('b', 5, 7), ('c', 7, 9)]);
    }

    #[test]
    fn a_fork_before_its_parents_own_first_event_skips_the_parent() {
        assert_eq!(read(&[('c', 2), ('b', 4), ('a', 0)], 0, 3), [('a', 0, 2), ('c', 2, 3)]);
    }
}
