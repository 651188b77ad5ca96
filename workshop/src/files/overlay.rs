//! Files as a row of proposals would leave them, without touching any.
//!
//! Each proposal sees what the ones before it did. A file is known by what it is really called: two ways to one file,
//! through a link or in another case where the file system does not tell, are one. Both sides of every file go into the
//! store, so that what was shown can be made, and taken back, later; what is more than the store could keep with everything
//! else is refused here, before anybody is asked. What a person should know about it is `notes`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cap_std::fs::{Dir, Metadata, MetadataExt};
use enza_kernel::conversation::Digest;
use enza_work::{Fault, Proposal};

use super::access::{Access, Purpose};
use super::folder_entry::{FolderEntry, fault};
use super::look::as_text;
use super::notes::is_veiled;
use super::resolve::{Links, ResolvedPath, Thing};
use super::text_change::{Patched, appended, edited, patched};
use super::walk::{Kind, Walk};
use crate::store::{Durable, Store};

/// The most files that one deleted folder may have.
const MOST_FILES: u32 = 2000;

/// Files as they would be.
pub(super) struct Overlay<'a> {
    reach: &'a Access,
    store: &'a Store,
    pub files: BTreeMap<String, OverlayFile>,
    turns: u32,
    /// How much has gone into the store for it, in bytes.
    kept: Cell<u64>,
}

/// One file on both sides.
pub(super) struct OverlayFile {
    pub was: Option<Content>,
    pub now: Option<Content>,
    /// Where what it holds now came from, if it was moved here.
    pub from: Option<String>,
    /// When it was last turned, counted over all files.
    pub turned: u32,
    /// The path with a link in it by which it was asked for.
    pub asked: Option<String>,
    /// What it is called at each link on the way to it.
    pub ways: Vec<String>,
    pub outside: bool,
    /// Its permission bits, if it is there.
    pub mode: Option<u32>,
    /// How many names the file has.
    pub names: u64,
    /// How many folders around it are not there yet, or go with it.
    pub folders: u32,
    identity: Option<(u64, u64)>,
}

/// What a file holds on one side.
#[derive(Clone)]
pub(super) struct Content {
    pub digest: Digest,
    pub bytes: u64,
    /// None where it is no text, or too large to be looked at.
    pub text: Option<String>,
}

impl<'a> Overlay<'a> {
    pub fn new(reach: &'a Access, store: &'a Store) -> Self {
        Self { reach, store, files: BTreeMap::new(), turns: 0, kept: Cell::new(0) }
    }

    /// Lets one proposal happen.
    pub fn propose(&mut self, proposal: &Proposal) -> Result<(), Fault> {
        match proposal {
            Proposal::Write { path, content } => self.write(path, content),
            Proposal::Create { path, content } => self.create(path, content),
            Proposal::Append { path, content } => {
                let (_, text) = self.text(path)?;
                self.write(path, &appended(&text, content))
            }
            Proposal::Edit { path, replacements } => {
                let (name, text) = self.text(path)?;
                let text = edited(&name, &text, replacements).map_err(|why| self.without_secrets(why, &[name]))?;
                self.write(path, &text)
            }
            Proposal::Patch { text } => self.patch(text),
            Proposal::Delete { path } => self.delete(path),
            Proposal::Move { path, to } => self.move_to(path, to),
        }
    }

    fn write(&mut self, path: &str, content: &str) -> Result<(), Fault> {
        let name = self.open(path, Links::Followed)?;
        let content = self.keep(&name, content)?;
        self.turn(&name, Some(content), None);
        Ok(())
    }

    fn create(&mut self, path: &str, content: &str) -> Result<(), Fault> {
        let name = self.open(path, Links::Followed)?;
        match self.files[&name].now {
            Some(_) => Err(Fault::Exists { path: name }),
            None => self.write(path, content),
        }
    }

    fn patch(&mut self, text: &str) -> Result<(), Fault> {
        let said_no = RefCell::new(None);
        let names = RefCell::new(Vec::new());
        let overlay = RefCell::new(&mut *self);
        let changed = patched(text, |path| {
            // A file that is not there is no fault: the patch may create it.
            let read = overlay.borrow_mut().text(path);
            let missing = matches!(read, Err(Fault::Missing { .. }));
            read.inspect(|(name, _)| names.borrow_mut().push(name.clone()))
                .map(|(_, text)| text)
                .map_err(|why| said_no.borrow_mut().get_or_insert(why).clone())
                .ok()
                .filter(|_| !missing)
        });
        match said_no.into_inner() {
            None | Some(Fault::Missing { .. }) => {}
            Some(why) => return Err(why),
        }
        let changed = changed.map_err(|why| self.without_secrets(why, &names.into_inner()))?;
        for Patched { path, to, after } in changed {
            if let Some(to) = &to {
                self.move_to(&path, to)?;
            }
            match after {
                Some(after) => self.write(to.as_ref().unwrap_or(&path), &after)?,
                None => self.delete(&path)?,
            }
        }
        Ok(())
    }

    fn delete(&mut self, path: &str) -> Result<(), Fault> {
        let found = self.reach.find(path, Purpose::Writing, Links::Refused)?;
        let ResolvedPath { path: folder, thing: Thing::Folder(dir), .. } = found else {
            let name = self.open(path, Links::Refused)?;
            if self.files[&name].now.is_none() {
                return Err(Fault::Missing { path: name });
            }
            self.turn(&name, None, None);
            return Ok(());
        };
        if folder.is_empty() {
            return Err(Fault::IsFolder { path: path.to_owned() });
        }
        self.delete_folder(&folder, &dir)
    }

    /// Deletes every file in a folder, ignored or not; what is no file cannot be brought back, and so is refused.
    fn delete_folder(&mut self, folder: &str, dir: &Dir) -> Result<(), Fault> {
        let mut names = Vec::new();
        let mut bytes = 0;
        let mut walk = Walk::new(MOST_FILES * 2, u32::MAX, None);
        let walked = walk.over(dir, folder, &mut |entry| {
            let path = entry.path.to_owned();
            match entry.kind {
                Kind::File => {
                    bytes += entry.folder.symlink_metadata(entry.name).map_or(0, |about| about.len());
                    names.push(path);
                }
                Kind::Folder => {}
                Kind::Link => return ControlFlow::Break(Fault::IsLink { path }),
                Kind::Special => return ControlFlow::Break(Fault::Special { path }),
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(why) = walked {
            return Err(why);
        }
        if walk.cut || names.len() > MOST_FILES as usize {
            return Err(Fault::TooMany { path: folder.to_owned(), most: MOST_FILES });
        }
        self.check_room(folder, bytes)?;
        let below = format!("{folder}/");
        let new = self.files.iter().filter(|(name, sheet)| name.starts_with(&below) && sheet.now.is_some());
        names.extend(new.map(|(name, _)| name.clone()).collect::<Vec<_>>());
        if names.is_empty() {
            return Err(Fault::NoFiles { path: folder.to_owned() });
        }
        for path in names {
            let name = self.open(&path, Links::Refused)?;
            self.turn(&name, None, None);
            let levels = name[below.len()..].matches('/').count() as u32 + 1;
            self.files.entry(name).and_modify(|sheet| sheet.folders = sheet.folders.max(levels));
        }
        Ok(())
    }

    fn move_to(&mut self, path: &str, to: &str) -> Result<(), Fault> {
        let from = self.open(path, Links::Refused)?;
        self.check_open(&from)?;
        let Some(content) = self.files[&from].now.clone() else { return Err(Fault::Missing { path: from }) };
        let to = self.open(to, Links::Followed)?;
        if self.files[&to].now.is_some() {
            return Err(Fault::Exists { path: to });
        }
        let origin = self.files[&from].from.clone().unwrap_or_else(|| from.clone());
        self.turn(&from, None, None);
        self.turn(&to, Some(content), Some(origin));
        Ok(())
    }

    /// The text of a file as it would be, with what it is really called.
    fn text(&mut self, path: &str) -> Result<(String, String), Fault> {
        let name = self.open(path, Links::Followed)?;
        self.check_open(&name)?;
        let most = self.reach.bounds.read;
        match &self.files[&name].now {
            None => Err(Fault::Missing { path: name }),
            Some(Content { text: Some(text), .. }) => Ok((name, text.clone())),
            Some(Content { bytes, .. }) if *bytes > most => Err(Fault::TooLarge { path: name, bytes: *bytes, most }),
            Some(Content { .. }) => Err(Fault::NotText { path: name }),
        }
    }

    /// What a rule closes is not changed piece by piece either, nor moved to where it is open: whether a piece is found
    /// tells what the file holds. What was not there before has nothing to tell.
    fn check_open(&self, name: &str) -> Result<(), Fault> {
        let sheet = &self.files[name];
        match sheet.was.is_some() && self.reach.closes(name, &sheet.ways) {
            true => Err(Fault::Closed { path: name.to_owned() }),
            false => Ok(()),
        }
    }

    /// Finds a file, there or not, and gives what it is really called.
    fn open(&mut self, path: &str, links: Links) -> Result<String, Fault> {
        let ResolvedPath { path: name, asked, ways, outside, thing } =
            self.reach.find(path, Purpose::Writing, links)?;
        self.check_around(&name)?;
        if let Some(sheet) = self.files.get_mut(&name) {
            sheet.asked = sheet.asked.take().or(asked);
            sheet.ways.extend(ways);
            return Ok(name);
        }
        let mut sheet = OverlayFile {
            was: None,
            now: None,
            from: None,
            turned: 0,
            asked,
            ways,
            outside,
            mode: None,
            names: 0,
            folders: 0,
            identity: None,
        };
        match thing {
            Thing::Folder(_) => return Err(Fault::IsFolder { path: name }),
            Thing::Nothing(spot) => sheet.folders = spot.missing.len() as u32,
            Thing::File(_, about) if self.reach.is_alias(&name, &about) => return Err(Fault::Secret { path: name }),
            Thing::File(spot, about) => {
                let identity = Some((about.dev(), about.ino()));
                let twin = self.files.iter().find(|(_, other)| other.identity == identity && other.names == 1);
                if let Some((twin, _)) = twin {
                    return Ok(twin.clone());
                }
                let was = self.load(&name, &spot, &about)?;
                sheet.mode = Some(about.mode() & 0o777);
                sheet.names = about.nlink();
                sheet.identity = identity;
                sheet.now = Some(was.clone());
                sheet.was = Some(was);
            }
        }
        self.files.insert(name.clone(), sheet);
        Ok(name)
    }

    /// A file cannot be inside a file that was proposed, nor in the place of a folder that was.
    fn check_around(&self, name: &str) -> Result<(), Fault> {
        let is_now = |sheet: &OverlayFile| sheet.now.is_some();
        let around = self.files.iter().find(|(other, sheet)| is_now(sheet) && name.starts_with(&format!("{other}/")));
        if let Some((other, _)) = around {
            return Err(Fault::NotAFolder { path: other.clone() });
        }
        let below = format!("{name}/");
        match self.files.iter().any(|(other, sheet)| is_now(sheet) && other.starts_with(&below)) {
            true => Err(Fault::IsFolder { path: name.to_owned() }),
            false => Ok(()),
        }
    }

    /// Whether so much more can be kept for these proposals. More would push out of the store what was kept for them before.
    fn check_room(&self, name: &str, bytes: u64) -> Result<u64, Fault> {
        let (all, most) = (self.kept.get().saturating_add(bytes), self.store.most_at_once());
        if all > most { Err(Fault::TooLarge { path: name.to_owned(), bytes: all, most }) } else { Ok(all) }
    }

    fn load(&self, name: &str, spot: &FolderEntry, about: &Metadata) -> Result<Content, Fault> {
        self.kept.set(self.check_room(name, about.len())?);
        if about.len() <= self.reach.bounds.read {
            let bytes = spot.read(name, self.reach.bounds.read)?;
            let digest = self.store.put(&bytes)?;
            return Ok(Content { digest, bytes: bytes.len() as u64, text: as_text(bytes) });
        }
        let (mut file, _) = spot.open().map_err(|why| fault(name, &why))?;
        let (digest, bytes) = self.store.put_from(&mut file, Durable::AtOnce)?;
        Ok(Content { digest, bytes, text: None })
    }

    fn keep(&self, name: &str, text: &str) -> Result<Content, Fault> {
        self.kept.set(self.check_room(name, text.len() as u64)?);
        let digest = self.store.put(text.as_bytes())?;
        let is_text = !text.contains('\0');
        Ok(Content { digest, bytes: text.len() as u64, text: is_text.then(|| text.to_owned()) })
    }

    fn turn(&mut self, name: &str, content: Option<Content>, from: Option<String>) {
        self.turns += 1;
        let sheet = self.files.get_mut(name).expect("only a file that was opened is turned");
        // What was moved here and then edited still came from there.
        sheet.from = from.or(sheet.from.take()).filter(|_| content.is_some());
        sheet.now = content;
        sheet.turned = self.turns;
    }

    /// A fault that quotes one of these files must not tell its secrets, whatever it is called by now.
    fn without_secrets(&self, fault: Fault, names: &[String]) -> Fault {
        let origin = |name: &String| self.files.get(name).and_then(|sheet| sheet.from.clone());
        let mut known = names.iter().cloned().chain(names.iter().filter_map(origin));
        match fault {
            Fault::DoesNotApply { path, piece, .. } if known.any(|name| is_veiled(self.reach, &name)) => {
                let why = "it is not found exactly once; the file holds secrets and is not shown".to_owned();
                Fault::DoesNotApply { path, piece, why }
            }
            other => other,
        }
    }
}
