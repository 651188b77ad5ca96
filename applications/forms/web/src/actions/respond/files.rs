//! Files that respondents attach: kept in parts for their interview alone, named in the field's value as `DIGEST/NAME`.
//!
//! Room is set aside before anything of a file is read, so that of many that come at once only those are let in that fit
//! the quotas together. What comes is written part by part and never held whole. The interview is told of each file that it
//! took in, and takes no other for an answer; what it refuses is given up again, and so is what breaks off.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Bytes;
use enza_interview::{Command, Kind, Refusal};
use enza_kernel::conversation::Digest;
use enza_kernel::time::{Actor, Timestamp};
use enza_runtime::engine::{Receipt, Submission};
use enza_runtime::host::Refused;
use enza_runtime::seams::store::{FileKey, PART, Reservation, Reserved};
use enza_server::access::Rules;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::guest::{GuestCommand, GuestInterview};
use super::pace::count_upload;
use crate::problem::FormProblem;

/// How many bytes a file may have.
pub const LARGEST: usize = 10 * 1024 * 1024;
/// How many bytes its name may have.
const LONGEST_NAME: usize = 200;
/// How long room is set aside: longer than any request lasts.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// A file on its way.
pub struct Upload<S> {
    /// What it is called where it comes from.
    pub name: String,
    /// The most bytes that it can have, where its sender says so.
    pub most: Option<u64>,
    pub bytes: S,
}

/// A file that came in whole. Unless it is kept, it is given up when this goes.
pub struct ReceivedFile {
    app: AppState,
    key: Option<FileKey>,
    digest: Digest,
    name: String,
    size: u64,
}

/// A file on its way out.
pub struct FileDownload<S> {
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    pub bytes: S,
}

impl GuestInterview {
    /// Attaches a file to a field.
    pub async fn attach<S>(&self, app: &AppState, field_id: &str, upload: Upload<S>) -> Result<(), Problem>
    where
        S: Stream<Item = Result<Bytes, Problem>> + Unpin,
    {
        let taken = self.take_in(app, field_id, upload).await?;
        self.fill_with(app, BTreeMap::new(), vec![(field_id.to_owned(), taken)], "").await
    }

    /// Takes a file in for a field. It is no answer yet.
    pub async fn take_in<S>(&self, app: &AppState, field_id: &str, upload: Upload<S>) -> Result<ReceivedFile, Problem>
    where
        S: Stream<Item = Result<Bytes, Problem>> + Unpin,
    {
        let entries = self.entries();
        if !entries.iter().any(|entry| entry.id() == field_id && entry.field.kind == Kind::File) {
            let unknown = Refusal::UnknownField { field_id: field_id.to_owned() };
            return Err(Problem::Refused(Refused::from_reason(&unknown)));
        }
        let most = upload.most.unwrap_or(LARGEST as u64);
        if most > LARGEST as u64 {
            return Err(FormProblem::FileTooLarge.into());
        }
        count_upload(app.rate_limiter(), &self.row.id, app.now())?;
        let key = self.reserve(app, most).await?;
        let mut taken = ReceivedFile {
            app: app.clone(),
            key: Some(key),
            digest: Digest([0; 32]),
            name: plain_name(&upload.name),
            size: 0,
        };
        let digest = match taken.read(key, most, upload.bytes).await {
            Ok(digest) => digest,
            Err(problem) => {
                // Before its sender hears of it, so that the next try finds the room again.
                taken.key = None;
                app.engine().store().discard(key).await?;
                return Err(problem);
            }
        };
        if !app.engine().store().finish(key, &digest, taken.size).await? {
            return Err(Problem::NothingHere);
        }
        taken.digest = digest;
        Ok(taken)
    }

    /// Writes files that came in, and what else was filled in with them, into fields; all of it or nothing.
    pub async fn fill_with(
        &self,
        app: &AppState,
        mut answers: BTreeMap<String, String>,
        files: Vec<(String, ReceivedFile)>,
        key: &str,
    ) -> Result<(), Problem> {
        for (field_id, taken) in &files {
            answers.insert(field_id.clone(), format!("{}/{}", taken.digest, taken.name));
        }
        let sent = self.tell_and_fill(app, answers, &files, key).await;
        for (_, mut taken) in files {
            match &sent {
                Err(problem) if is_final(problem) => self.give_up(app, taken).await,
                // The first time it was sent, the same file came in as well.
                Ok(Some(receipt)) if receipt.repeated => {}
                // Where nobody knows whether it was taken, the file may be an answer by now.
                Ok(_) | Err(_) => taken.key = None,
            }
        }
        sent.map(drop)
    }

    async fn tell_and_fill(
        &self,
        app: &AppState,
        answers: BTreeMap<String, String>,
        files: &[(String, ReceivedFile)],
        key: &str,
    ) -> Result<Option<Receipt>, Problem> {
        for (_, ReceivedFile { digest, name, size, .. }) in files {
            let take = Command::TakeFile { digest: digest.to_string(), name: name.clone(), size: *size };
            self.tell(app, &take).await?;
        }
        if answers.is_empty() {
            return Ok(None);
        }
        let order = GuestCommand::Fill(answers);
        let once = self.once(key, &order);
        self.order(app, order, once).await.map(Some)
    }

    /// Gives up a file that came to nothing. The interview forgets it, unless it has the same from another time.
    async fn give_up(&self, app: &AppState, mut taken: ReceivedFile) {
        let Some(key) = taken.key.take() else { return };
        let store = app.engine().store();
        let given_up = async {
            store.discard(key).await?;
            if store.file_size(&self.row.id, &taken.digest).await?.is_none() {
                self.tell(app, &Command::LeaveFile { digest: taken.digest.to_string() }).await?;
            }
            Ok::<_, Problem>(())
        };
        if let Err(problem) = given_up.await {
            tracing::warn!(code = problem.code(), "a file that came to nothing stays with its interview");
        }
    }

    /// The file that is attached to a field, as far as this interview took it in itself.
    pub async fn attached(
        &self,
        app: &AppState,
        field_id: &str,
    ) -> Result<FileDownload<impl Stream<Item = Result<Vec<u8>, Problem>> + Send + use<>>, Problem> {
        let entries = self.entries();
        let entry = entries.iter().find(|entry| entry.id() == field_id && entry.field.kind == Kind::File);
        let value = entry.and_then(|entry| entry.record.value()).ok_or(Problem::NothingHere)?;
        let (digest, name) = value.split_once('/').ok_or(Problem::NothingHere)?;
        let digest = Digest::from_hex(digest).ok_or(Problem::NothingHere)?;
        let (app, session) = (app.clone(), self.row.id.clone());
        let size = app.engine().store().file_size(&session, &digest).await?.ok_or(Problem::NothingHere)?;
        let parts = stream::try_unfold(0, move |place| {
            let (app, session) = (app.clone(), session.clone());
            async move {
                let part = app.engine().store().read_part(&session, &digest, place).await?;
                Ok(part.map(|part| (part, place + 1)))
            }
        });
        Ok(FileDownload { name: name.to_owned(), size, bytes: parts })
    }

    async fn reserve(&self, app: &AppState, most: u64) -> Result<FileKey, Problem> {
        let now = app.now();
        let room = Reservation {
            session: self.row.id.clone(),
            link: self.state.link().map(str::to_owned),
            most,
            now,
            until: Timestamp(now.0 + PATIENCE.as_millis() as i64),
            quotas: Rules::read(app.register()).await?.files.quotas(),
        };
        match app.engine().store().reserve(&room).await? {
            Reserved::Reserved(key) => Ok(key),
            Reserved::Unknown => Err(Problem::NothingHere),
            Reserved::Full(quota) => Err(FormProblem::FilesFull(quota).into()),
        }
    }

    async fn tell(&self, app: &AppState, command: &Command) -> Result<(), Problem> {
        let submission = Submission { command: json!(command), by: Actor::Runtime, key: None };
        app.engine().submit(&self.row.id, submission).await?;
        Ok(())
    }
}

impl ReceivedFile {
    /// Reads a file to its end, part by part.
    async fn read<S>(&mut self, key: FileKey, most: u64, mut bytes: S) -> Result<Digest, Problem>
    where
        S: Stream<Item = Result<Bytes, Problem>> + Unpin,
    {
        let (mut whole, mut part, mut place) = (Sha256::new(), Vec::with_capacity(PART), 0);
        while let Some(piece) = bytes.next().await {
            let mut piece = piece?;
            self.size += piece.len() as u64;
            if self.size > most {
                return Err(FormProblem::FileTooLarge.into());
            }
            whole.update(&piece);
            while !piece.is_empty() {
                let fits = piece.split_to(piece.len().min(PART - part.len()));
                part.extend_from_slice(&fits);
                if part.len() == PART {
                    self.write(key, place, &part).await?;
                    (part, place) = (Vec::with_capacity(PART), place + 1);
                }
            }
        }
        if self.size == 0 {
            return Err(Problem::BodyUnfit("0 bytes".to_owned()));
        }
        if !part.is_empty() {
            self.write(key, place, &part).await?;
        }
        Ok(Digest(whole.finalize().into()))
    }

    async fn write(&self, key: FileKey, place: u32, part: &[u8]) -> Result<(), Problem> {
        let is_there = self.app.engine().store().write_part(key, place, part).await?;
        if is_there { Ok(()) } else { Err(Problem::NothingHere) }
    }
}

impl Drop for ReceivedFile {
    /// What was broken off, and what was refused, does not count.
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            let app = self.app.clone();
            tokio::spawn(async move {
                if let Err(failure) = app.engine().store().discard(key).await {
                    tracing::warn!(%failure, "room for a file could not be given back; it ends by itself");
                }
            });
        }
    }
}

/// Whether a problem says that nothing was done. After the others it may have been.
fn is_final(problem: &Problem) -> bool {
    let is_too_large = *problem == FormProblem::FileTooLarge.into();
    is_too_large
        || matches!(problem, Problem::Refused(_) | Problem::BodyUnfit(_) | Problem::BodyTooLarge | Problem::NoSession)
}

/// A name that can stand in a value: the last part of a path, without what would move a cursor or a folder.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut plain: String = last.chars().filter(|letter| !letter.is_control()).collect();
    while plain.len() > LONGEST_NAME {
        plain.pop();
    }
    let plain = plain.trim();
    if ["", ".", ".."].contains(&plain) { "file".to_owned() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_always_stand_in_a_value() {
        for (given, plain) in [
            ("report.pdf", "report.pdf"),
            ("C:\\Users\\ada\\報告.pdf", "報告.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..", "file"),
            (" \n ", "file"),
        ] {
            assert_eq!(plain_name(given), plain, "{given:?}");
        }
        assert_eq!(plain_name(&"あ".repeat(300)).len(), LONGEST_NAME / 3 * 3);
    }
}
