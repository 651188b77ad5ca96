//! What people do with forms, as plain functions over the server and the one who asks: owners with their forms and what was
//! answered, respondents with their interviews. HTTP and HTML stay outside.

pub mod forms;
pub mod respond;
pub mod submissions;
