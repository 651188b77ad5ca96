//! Budgets: what is held, what is charged, and that a limit holds.

use enza_kernel::application::Reason as _;
use enza_kernel::budget::{Exceeded, Ledger, LedgerScope, Ledgers, Price};
use enza_kernel::conversation::Usage;
use enza_kernel::text::{Lang, Said};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn a_ledger_without_a_limit_takes_everything() {
    let mut ledger = Ledger::default();
    ledger.hold(u64::MAX).unwrap();
    ledger.hold(1).unwrap();
    assert_eq!(ledger.left(), None);
}

#[test]
fn a_reserve_is_released_when_the_call_is_settled() {
    let mut ledger = Ledger::limited(100);
    ledger.hold(80).unwrap();
    assert_eq!(ledger.hold(30), Err(Exceeded { which: LedgerScope::Session, need: 30, left: 20 }));
    ledger.settle(80, 10);
    assert_eq!(ledger, Ledger { limit: Some(100), spent: 10, held: 0 });
    assert_eq!(ledger.hold(90), Ok(()));
}

#[test]
fn a_purse_holds_in_every_ledger_or_in_none() {
    let mut purse = Ledgers { owner: Ledger::limited(100), day: Ledger::limited(50), ..Ledgers::default() };
    let before = purse;
    assert_eq!(purse.hold(60), Err(Exceeded { which: LedgerScope::Day, need: 60, left: 50 }));
    assert_eq!(purse, before);
    purse.hold(40).unwrap();
    assert_eq!((purse.session.held, purse.owner.held, purse.day.held), (40, 40, 40));
    assert_eq!((purse.left(), purse.fits(11)), (Some(10), false));
}

#[test]
fn cached_tokens_have_their_own_price_and_fractions_are_rounded_up() {
    let price = Price {
        input_per_million: 3_000_000,
        output_per_million: 15_000_000,
        cache_read_per_million: 300_000,
        cache_write_per_million: 3_750_000,
    };
    let usage = Usage { input: 1_000, output: 100, cache_read: 601, cache_write: 200, cost: 0 };
    // 199 × 3 + 100 × 15 + 601 × 0.3 + 200 × 3.75 = 3027.3
    assert_eq!(price.cost(usage), 3_028);
}

#[test]
fn an_exceeded_budget_says_whose_it_is_and_what_to_do() {
    let exceeded = Exceeded { which: LedgerScope::Day, need: 60, left: 50 };
    assert_eq!(exceeded.code(), "budget-exceeded");
    assert_eq!(
        exceeded.say(Lang::En),
        Said::new(
            "The day's budget does not cover this: 60 are needed and 50 are left.",
            "Wait until tomorrow, or raise the budget.",
        )
    );
    assert_eq!(exceeded.say(Lang::Ja).message, "今日の予算が足りません(必要 60、残り 50)。");
}

proptest! {
    #[test]
    fn a_limit_holds_while_no_call_costs_more_than_its_reserve(calls in vec((0u64..50, 0u64..50, any::<bool>()), 0..60)) {
        let mut ledger = Ledger::limited(300);
        let mut under_way = Vec::new();
        for (reserve, actual, finish_one) in calls {
            if ledger.hold(reserve).is_ok() {
                under_way.push((reserve, actual.min(reserve)));
            }
            if finish_one && let Some((reserve, actual)) = under_way.pop() {
                ledger.settle(reserve, actual);
            }
            prop_assert!(ledger.spent + ledger.held <= 300);
        }
    }
}
