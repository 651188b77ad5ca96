//! A panel of a floor as a person sees it at a terminal: its title, and what is in it.

use enza_kernel::panel::{Fact, ListItem, Meter, Panel, PanelContent};

use crate::screen::{Columns, Screen, fold, gauge};

/// How wide a meter is.
const GAUGE: usize = 12;

/// The lines of a panel.
pub fn panel(screen: &Screen, panel: &Panel) -> Vec<String> {
    let body = match &panel.content {
        PanelContent::Facts { facts } => self::facts(screen, facts),
        PanelContent::List { things } => things.iter().flat_map(|thing| item(screen, thing)).collect(),
        PanelContent::Meters { meters } => meters.iter().map(meter).collect(),
        PanelContent::Table { columns, rows } => table(screen, columns, rows),
    };
    [vec![screen.paint.strong(&panel.title)], body].concat()
}

fn facts(screen: &Screen, facts: &[Fact]) -> Vec<String> {
    let mut columns = Columns::bare();
    for one in facts {
        let mark = if one.current { "▸" } else { "" };
        let value = [one.value.as_deref(), one.remark.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("  ");
        columns.row([mark.to_owned(), one.label.clone(), value]);
    }
    columns.lines(screen.width())
}

fn item(screen: &Screen, thing: &ListItem) -> Vec<String> {
    let mark = if thing.current { "▸ " } else { "  " };
    let remark = thing.remark.as_deref().map(|remark| format!("  ({remark})")).unwrap_or_default();
    fold(&format!("{mark}{}{remark}", thing.text), screen.width())
}

fn meter(meter: &Meter) -> String {
    let bar = gauge(meter.used, meter.limit, GAUGE);
    format!("{}  {bar}  {} / {}", meter.label, meter.used, meter.limit)
}

fn table(screen: &Screen, names: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let mut columns = Columns::bare();
    for row in [names].into_iter().chain(rows.iter().map(Vec::as_slice)) {
        columns.row(row.iter().cloned());
    }
    columns.lines(screen.width())
}
