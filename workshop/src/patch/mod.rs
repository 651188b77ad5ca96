//! Patches as models write them, and diffs as people read them. Pure.
