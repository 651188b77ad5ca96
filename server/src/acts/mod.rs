//! What people can do, as plain functions over the house and the caller.
//!
//! The interface for programs and the pages both come here, so that neither can do what the other cannot. An act checks
//! what was asked, does it, and notes it in the journal where that is due. HTTP and HTML stay outside.

pub mod account;
pub mod people;
pub mod running;
