//! What this build of Enza is made of. The program and whatever tries or measures it read the same list.

pub mod applications;
