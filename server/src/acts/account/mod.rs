//! One's own account: coming in and going out, looking after it, tokens, taking everything along, leaving.

mod enter;
mod keep;
mod leave;
mod tokens;

pub use enter::{
    Entered, Entrance, Registering, enter, lacks_password, look_at_link, may_register, register, sign_in, sign_out,
    sign_out_everywhere,
};
pub(super) use keep::fit;
pub use keep::{Account, Changes, LangWish, account, change, change_password};
pub use leave::{Farewell, delete, export, remove_with_everything};
pub use tokens::{NewToken, SCOPES, Token, TokenWish, issue_token, revoke_token, tokens};
