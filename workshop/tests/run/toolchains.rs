//! Toolchains outside the folder: virtual environments, interpreters in `PATH`, and homes that variables lead to.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use enza_work::{Fault, RunEnd};

use crate::run::fixture::{KEY, RunFixture, told};

fn put(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// An interpreter that prints what its library says, as a Python does with its own.
fn python(prefix: &Path) -> PathBuf {
    let program = prefix.join("bin/python3");
    put(&program, "#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/../lib/python3.9/os.py\"\n", 0o755);
    put(&prefix.join("lib/python3.9/os.py"), "a library\n", 0o644);
    put(&prefix.join("private.txt"), KEY, 0o644);
    program
}

/// A virtual environment over that Python, both outside the folder of work.
fn environment(stage: &RunFixture) -> PathBuf {
    let (base, venv) = (stage.root.path().join("home/pythons/3.9"), stage.root.path().join("home/envs/web"));
    let program = python(&base);
    fs::create_dir_all(venv.join("bin")).unwrap();
    symlink(program, venv.join("bin/python3")).unwrap();
    put(&venv.join("pyvenv.cfg"), &format!("home = {}\nversion = 3.9\n", base.join("bin").display()), 0o644);
    put(&venv.join("lib/python3.9/site-packages/web.py"), "a package\n", 0o644);
    venv
}

#[tokio::test]
async fn a_virtual_environment_outside_the_folder_works_by_its_variable() {
    let mut stage = RunFixture::new();
    let venv = environment(&stage);
    stage.runner.tools = vec![("VIRTUAL_ENV".to_owned(), venv.clone())];
    let line = "$VIRTUAL_ENV/bin/python3 && cat $VIRTUAL_ENV/lib/python3.9/site-packages/web.py";
    assert_eq!(told(&stage.line(line).await), (RunEnd::Status(0), "a library\na package\n"));
}

#[tokio::test]
async fn a_virtual_environment_outside_the_folder_works_by_the_interpreter_in_path() {
    let mut stage = RunFixture::new();
    let venv = environment(&stage);
    stage.runner.path = format!("{}/bin:/usr/bin:/bin", venv.display()).into();
    let line = format!("python3 && cat {}/lib/python3.9/site-packages/web.py", venv.display());
    assert_eq!(told(&stage.line(&line).await), (RunEnd::Status(0), "a library\na package\n"));
}

#[tokio::test]
async fn a_virtual_environment_in_the_folder_reads_the_python_that_it_stands_on() {
    let stage = RunFixture::new();
    let base = stage.root.path().join("home/pythons/3.9");
    let program = python(&base);
    stage.write(".venv/pyvenv.cfg", &format!("home = {}\n", base.join("bin").display()));
    fs::create_dir_all(stage.folder().join(".venv/bin")).unwrap();
    symlink(program, stage.folder().join(".venv/bin/python3")).unwrap();
    assert_eq!(told(&stage.line(".venv/bin/python3").await), (RunEnd::Status(0), "a library\n"));
}

#[tokio::test]
async fn an_interpreter_in_path_reads_what_lies_around_it_and_no_more() {
    let mut stage = RunFixture::new();
    let base = stage.root.path().join("home/pythons/3.9");
    python(&base);
    let links = stage.root.path().join("home/links");
    fs::create_dir_all(&links).unwrap();
    symlink(base.join("bin/python3"), links.join("python3")).unwrap();
    stage.runner.path = format!("{}:/usr/bin:/bin", links.display()).into();
    let ran = stage.line(&format!("python3; cat {}/private.txt", base.display())).await;
    assert!(ran.output.starts_with("a library\n") && !ran.output.contains(KEY), "{ran:?}");
}

/// A command can write a `pyvenv.cfg`, and must not open anything by it that is no Python.
#[tokio::test]
async fn what_a_command_writes_in_its_folder_opens_nothing() {
    let stage = RunFixture::new();
    let place = stage.root.path().join("home/papers");
    put(&place.join("bin/python3"), "#!/bin/sh\n", 0o755);
    put(&place.join("lib/plan.txt"), KEY, 0o644);
    let line = format!(
        "mkdir -p .venv/bin; echo 'home = {0}/bin' > .venv/pyvenv.cfg; mkdir venv; \
         echo 'home = {1}/home/.ssh/..' > venv/pyvenv.cfg; ln -s {0} env",
        place.display(),
        stage.root.path().display()
    );
    assert_eq!(stage.line(&line).await.ended, RunEnd::Status(0));
    let ran =
        stage.line(&format!("cat {}/lib/plan.txt env/lib/plan.txt {}", place.display(), stage.key().display())).await;
    assert!(ran.ended == RunEnd::Status(1) && !ran.output.contains(KEY), "{ran:?}");
}

#[tokio::test]
async fn homes_of_toolchains_are_followed_where_variables_lead_and_their_keys_stay_closed() {
    let mut stage = RunFixture::new();
    let tools = stage.root.path().join("tools");
    put(&tools.join("cargo/registry/index"), "an index\n", 0o644);
    put(&tools.join("cargo/credentials.toml"), KEY, 0o644);
    put(&tools.join("nvm/versions/node/v1/lib/x"), "a module\n", 0o644);
    let set = |name: &str, path: &str| (name.to_owned(), tools.join(path));
    stage.runner.tools =
        vec![set("CARGO_HOME", "cargo"), set("NVM_DIR", "nvm"), ("GOROOT".to_owned(), stage.root.path().join("home"))];
    let line = format!(
        "cat $CARGO_HOME/registry/index $NVM_DIR/versions/node/v1/lib/x; cat {}/cargo/credentials.toml; cat {}",
        tools.display(),
        stage.key().display()
    );
    let ran = stage.line(&line).await;
    assert!(ran.output.starts_with("an index\na module\n") && !ran.output.contains(KEY), "{ran:?}");
    assert_eq!(ran.output.matches("Permission denied").count(), 2, "{ran:?}");
}

#[tokio::test]
async fn a_refusal_by_the_walls_is_recognised_and_names_what_was_to_be_read() {
    let mut stage = RunFixture::new();
    let place = stage.root.path().canonicalize().unwrap().join("home/data");
    put(&place.join("table.csv"), "1,2\n", 0o644);
    put(&place.join("tool"), "#!/bin/sh\necho ran\n", 0o755);
    let kept = |path: &str| Some(Box::new(Fault::KeptFrom { path: place.join(path).to_str().unwrap().to_owned() }));
    let table = place.join("table.csv");
    for line in [
        format!("cat {}", table.display()),
        "cat ../home/data/table.csv".to_owned(),
        format!("python3 -c 'open(\"{}\")'", table.display()),
    ] {
        assert_eq!(stage.line(&line).await.kept_from, kept("table.csv"), "{line}");
    }
    assert_eq!(stage.line(&format!("{}/tool", place.display())).await.kept_from, kept("tool"));
    symlink(place.join("tool"), stage.folder().join("tool")).unwrap();
    let refused = stage.words(&["./tool"]).await.unwrap_err();
    assert_eq!(Some(Box::new(refused)), kept("tool"), "also where it is the program itself");
    // Not the walls: it succeeded, it is a secret, it is the system's, it is not there, or it was opened.
    for line in [
        format!("cat {}; true", table.display()),
        format!("cat {}", stage.key().display()),
        "cat /etc/shadow".to_owned(),
        format!("echo {}/none: Permission denied; false", place.display()),
    ] {
        assert_eq!(stage.line(&line).await.kept_from, None, "{line}");
    }
    stage.granted = vec![table.to_str().unwrap().to_owned()];
    let ran = stage.line(&format!("cat {}", table.display())).await;
    assert_eq!((told(&ran), ran.kept_from.clone()), ((RunEnd::Status(0), "1,2\n"), None));
}

#[tokio::test]
async fn of_an_environment_the_whole_is_named() {
    let stage = RunFixture::new();
    let venv = environment(&stage).canonicalize().unwrap();
    let ran = stage.line(&format!("cat {}/lib/python3.9/site-packages/web.py", venv.display())).await;
    assert_eq!(ran.kept_from, Some(Box::new(Fault::KeptFrom { path: venv.to_str().unwrap().to_owned() })));
}
