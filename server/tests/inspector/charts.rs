//! Charts: their ticks, and that every amount is in them.

use enza_server::drawing::chart::{Bar, Chart, bars, ticks};
use proptest::prelude::{any, proptest};
use proptest::{prop_assert, prop_assert_eq};

proptest! {
    #[test]
    fn ticks_rise_from_nothing_by_one_round_step_to_the_most(most in any::<u64>()) {
        let most = most / 2;
        let ticks = ticks(most);
        prop_assert_eq!(ticks[0], 0);
        let step = ticks[1];
        prop_assert!(ticks.windows(2).all(|pair| pair[1] - pair[0] == step), "{ticks:?}");
        prop_assert!(*ticks.last().unwrap() >= most && ticks[ticks.len() - 2] < most.max(1), "{most}: {ticks:?}");
        prop_assert!((2..=6).contains(&ticks.len()), "{ticks:?}");
        let digits = step.to_string();
        prop_assert!(["1", "2", "5"].contains(&&digits[..1]) && digits[1..].chars().all(|digit| digit == '0'), "{step}");
    }
}

#[test]
fn every_day_has_its_bar_and_says_its_sum_and_parts() {
    let bar = |name: &str, parts: &[u64]| Bar { name: name.to_owned(), brief: name.to_owned(), parts: parts.to_vec() };
    let list = [bar("Monday", &[3, 0]), bar("Tuesday", &[0, 0]), bar("Wednesday", &[1, 9])];
    let chart = Chart {
        title: "Spent",
        series: &["interview".to_owned(), "till".to_owned()],
        bars: &list,
        exact: &|amount| format!("{amount} coins"),
        brief: &|amount| amount.to_string(),
    };
    let drawn = bars(&chart).into_string();
    assert!(drawn.contains("<title>Monday: 3 coins\ninterview: 3 coins</title>"), "{drawn}");
    assert!(drawn.contains("<title>Tuesday: 0 coins</title>"), "{drawn}");
    assert!(drawn.contains("<title>Wednesday: 10 coins\ninterview: 1 coins\ntill: 9 coins</title>"), "{drawn}");
    assert_eq!((drawn.matches("series-0").count(), drawn.matches("series-1").count()), (2, 1));
    assert!(!drawn.contains("style="), "the policy forbids it");
}
