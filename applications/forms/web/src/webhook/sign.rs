//! The signature of Standard Webhooks: an HMAC-SHA256 over id, time and body, in base64, after the version `v1`.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use enza_forms::Secret;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// What stands before the secret's own letters.
const PREFIX: &str = "whsec_";

/// The value of `webhook-signature`; none where the secret cannot be read.
pub fn sign(secret: &Secret, id: &str, seconds: i64, body: &[u8]) -> Option<String> {
    let key = BASE64_STANDARD.decode(secret.reveal().strip_prefix(PREFIX)?).ok()?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    mac.update(format!("{id}.{seconds}.").as_bytes());
    mac.update(body);
    Some(format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_that_of_the_specification_s_own_example() {
        let secret = Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let body = br#"{"test": 2432232314}"#;
        let signed = sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signed.as_deref(), Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
    }

    #[test]
    fn what_is_no_secret_signs_nothing() {
        for text in ["", "MfKQ9r8G", "whsec_!!"] {
            assert_eq!(sign(&Secret::new(text), "msg", 0, b""), None, "{text}");
        }
    }
}
