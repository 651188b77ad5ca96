//! One's own account: coming in and going out, looking after it, tokens, taking everything along, leaving.

mod leave;
mod login;
mod profile;
mod tokens;

pub use leave::{DeletionProof, delete, export, remove_with_everything};
pub use login::{
    LinkOutcome, NewAccount, SignedIn, lacks_password, look_at_link, may_register, register, sign_in, sign_in_by_link,
    sign_out, sign_out_everywhere,
};
pub(super) use profile::fit;
pub use profile::{Account, Changes, LangWish, account, change, change_password};
pub use tokens::{NewToken, SCOPES, Token, TokenWish, issue_token, revoke_token, tokens};
