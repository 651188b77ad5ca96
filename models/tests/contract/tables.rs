//! The data files: providers and prices, ours and the user's.

use std::fs;

use enza_kernel::budget::Price;
use enza_models::prices::Prices;
use enza_models::providers::{Dialect, Provider, ProviderError, Providers};
use enza_runtime::seams::model::RateLimits;

#[test]
fn every_built_in_provider_is_found_by_name() {
    let names: Vec<String> = Providers::built_in().iter().map(|provider| provider.name.clone()).collect();
    let expected = ["anthropic", "gemini", "groq", "llama.cpp", "lm-studio", "ollama", "openai", "openrouter", "vllm"];
    assert_eq!(names, expected);
    let all = Providers::built_in();
    for name in expected {
        let provider = all.find(name).unwrap();
        let is_local = provider.base_url.starts_with("http://127.0.0.1:");
        assert_eq!(provider.needs_key, !is_local, "{name}: a service needs a key, a server of one's own does not");
        assert!(provider.hint.is_some(), "{name}: people are told what to do");
    }
    assert_eq!(all.find("nobody"), None);
}

#[test]
fn every_default_model_has_a_price_and_own_servers_cost_nothing() {
    let prices = Prices::built_in();
    for provider in Providers::built_in().iter() {
        if let Some(model) = &provider.default_model {
            assert!(prices.find(&provider.name, model).is_some(), "{}/{model}", provider.name);
        }
        if !provider.needs_key {
            assert_eq!(prices.find(&provider.name, "anything"), Some(Price::default()), "{}", provider.name);
        }
    }
}

#[test]
fn the_users_files_add_and_replace() {
    let folder = tempfile::tempdir().unwrap();
    let own = "name = \"mine\"\ntitle = \"Mine\"\ndialect = \"openai\"\nbase_url = \"https://example.org/v1\"\n\
               [pace]\nat_once = 3\nrequests_per_minute = 5\ntokens_per_minute = 70\n";
    fs::write(folder.path().join("mine.toml"), own).unwrap();
    fs::write(folder.path().join("ollama.toml"), own.replace("mine", "ollama")).unwrap();
    fs::write(folder.path().join("notes.txt"), "not a provider").unwrap();
    let all = Providers::with_folder(folder.path()).unwrap();
    let mine = all.find("mine").unwrap();
    assert_eq!(mine.dialect, Dialect::OpenAi);
    assert_eq!(mine.pace, RateLimits { at_once: 3, requests_per_minute: Some(5), tokens_per_minute: Some(70) });
    assert_eq!(all.find("ollama").unwrap().base_url, "https://example.org/v1");
    assert!(all.find("anthropic").is_some());
    assert_eq!(Providers::with_folder(&folder.path().join("nowhere")), Ok(Providers::built_in()));
}

#[test]
fn a_key_that_nobody_knows_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = "name = \"mine\"\ntitle = \"Mine\"\ndialect = \"openai\"\nbase_url = \"https://example.org\"\n[quirks]\nusage_in_steam = true\n";
    fs::write(&path, text).unwrap();
    let Err(ProviderError::Misread { path: named, why }) = Providers::with_folder(folder.path()) else {
        panic!("the misspelt quirk was accepted")
    };
    assert_eq!(named, path);
    assert!(why.contains("usage_in_steam"), "{why}");
}

#[test]
fn two_files_for_one_provider_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"mine\"\ntitle = \"Mine\"\ndialect = \"openai\"\nbase_url = \"https://example.org\"\n";
    let (first, second) = (folder.path().join("a.toml"), folder.path().join("b.toml"));
    fs::write(&first, text).unwrap();
    fs::write(&second, text).unwrap();
    let trouble = ProviderError::Twice { name: "mine".into(), first, second };
    assert_eq!(Providers::with_folder(folder.path()), Err(trouble));
}

#[test]
fn a_file_that_could_never_work_says_why() {
    let file = |lines: &str| Provider::from_toml(&format!("title = \"T\"\ndialect = \"openai\"\n{lines}")).unwrap_err();
    let cases = [
        ("name = \"a/b\"\nbase_url = \"http://x\"", "`name`"),
        ("name = \"a\"\nbase_url = \"x\"", "`base_url`"),
        ("name = \"a\"\nbase_url = \"file:///x\"", "`base_url`"),
        ("name = \"a\"\nbase_url = \"http://x\"\nneeds_key = true", "`key_variable`"),
        ("name = \"a\"\nbase_url = \"http://x\"\n[pace]\nat_once = 0", "`pace.at_once`"),
        ("name = \"a\"\nbase_url = \"http://me:secret@x\"", "`key_variable`"),
        ("name = \"a\"\nbase_url = \"http://x\"\ncolour = 1", "colour"),
    ];
    for (lines, named) in cases {
        let why = file(lines);
        assert!(why.contains(named), "{lines}: {why}");
    }
}

#[test]
fn a_price_is_found_by_name_or_by_its_longest_beginning() {
    let table = |model: &str, input: f64| {
        format!(
            "[[price]]\nprovider = \"p\"\nmodel = \"{model}\"\nas_of = \"2026-11-16\"\ninput = {input}\noutput = 1.0\n"
        )
    };
    let prices =
        Prices::with_overrides(&[table("big*", 1.0), table("big-2*", 2.0), table("big-2", 3.0)].concat()).unwrap();
    let input = |model: &str| prices.find("p", model).map(|price| price.input_per_million);
    assert_eq!(input("big-1"), Some(1_000_000));
    assert_eq!(input("big-2-2026"), Some(2_000_000));
    assert_eq!(input("big-2"), Some(3_000_000));
    assert_eq!(input("small"), None);
    assert_eq!(prices.find("q", "big-1"), None);
}

#[test]
fn the_users_price_goes_before_ours() {
    let mine =
        "[[price]]\nprovider = \"anthropic\"\nmodel = \"claude*\"\nas_of = \"2026-01-01\"\ninput = 1.0\noutput = 2.5\n";
    let price = Prices::with_overrides(mine).unwrap().find("anthropic", "claude-opus-5-5").unwrap();
    // Where a line says nothing about the cache, the cache costs what reading costs.
    let expected = Price {
        input_per_million: 1_000_000,
        output_per_million: 2_500_000,
        cache_read_per_million: 1_000_000,
        cache_write_per_million: 1_000_000,
    };
    assert_eq!(price, expected);
}

#[test]
fn a_price_that_is_none_is_refused() {
    let table = |input: &str| {
        format!("[[price]]\nprovider = \"p\"\nmodel = \"m\"\nas_of = \"2026-11-16\"\ninput = {input}\noutput = 1.0\n")
    };
    assert!(Prices::with_overrides(&table("-1.0")).unwrap_err().to_string().contains("p/m"));
    assert!(Prices::with_overrides(&table("nan")).unwrap_err().to_string().contains("p/m"));
    assert!(Prices::with_overrides("[[price]]\nprovder = \"p\"").unwrap_err().to_string().contains("provder"));
}
