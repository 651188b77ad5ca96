//! The session of the tour: a script answers the sample form, and the understudy asks.

use std::time::Duration;

use async_trait::async_trait;
use enza_interview::{Form, Open};
use enza_kernel::text::Lang;
use enza_models::understudy::Understudy;
use enza_terminal::environment::Environment;
use enza_terminal::keyboard::Keyboard;
use enza_terminal::part::{TourScript, TourSession};
use enza_terminal::screen::Screen;
use enza_terminal::setup::{self, ModelSetup, short_id};
use enza_terminal::trouble::Trouble;

use crate::delivery::Outbox;
use crate::run::{self, Conversation, Respondent};
use crate::words::tour as words;

/// The script.
pub struct InterviewTour;

#[async_trait(?Send)]
impl TourScript for InterviewTour {
    async fn play(&self, around: &Environment, screen: &Screen, breath: Duration) -> Result<TourSession, Trouble> {
        let outbox = Outbox { folder: crate::outbox(around) };
        let players = ModelSetup::understudy(Understudy::new(around.applications.registry()));
        let working = setup::start_engine(around, &players).await?;
        let engine = &working.engine;
        let session = run::open(engine, Open::at_home(Form::sample(screen.lang))).await?;
        screen.remember(&session, crate::resumes(short_id(&session)));
        let script = Respondent::scripted(words::answers(screen.lang), breath);
        let nobody = (script, Keyboard::nobody(screen.paint));
        let played = Conversation::new(engine, screen, session.clone(), nobody, &players.chosen).hold(false).await;
        engine.close().await;
        played?;
        let file = outbox.file_of(&session);
        Ok(TourSession { session, file })
    }

    fn try_next(&self, lang: Lang) -> (&'static str, &'static str) {
        ("enza interview run", crate::words::words(lang).say("interview.tour_run"))
    }
}
