//! Toolchains outside the folder: virtual environments, interpreters in `PATH`, and homes that variables lead to.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use enza_applications::companion::work::Ended;

use crate::stage::{KEY, Stage, told};

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
fn environment(stage: &Stage) -> PathBuf {
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
    let mut stage = Stage::new();
    let venv = environment(&stage);
    stage.runner.tools = vec![("VIRTUAL_ENV".to_owned(), venv.clone())];
    let line = "$VIRTUAL_ENV/bin/python3 && cat $VIRTUAL_ENV/lib/python3.9/site-packages/web.py";
    assert_eq!(told(&stage.line(line).await), (Ended::Status(0), "a library\na package\n"));
}

#[tokio::test]
async fn a_virtual_environment_outside_the_folder_works_by_the_interpreter_in_path() {
    let mut stage = Stage::new();
    let venv = environment(&stage);
    stage.runner.path = format!("{}/bin:/usr/bin:/bin", venv.display()).into();
    let line = format!("python3 && cat {}/lib/python3.9/site-packages/web.py", venv.display());
    assert_eq!(told(&stage.line(&line).await), (Ended::Status(0), "a library\na package\n"));
}

#[tokio::test]
async fn a_virtual_environment_in_the_folder_reads_the_python_that_it_stands_on() {
    let stage = Stage::new();
    let base = stage.root.path().join("home/pythons/3.9");
    let program = python(&base);
    stage.write(".venv/pyvenv.cfg", &format!("home = {}\n", base.join("bin").display()));
    fs::create_dir_all(stage.folder().join(".venv/bin")).unwrap();
    symlink(program, stage.folder().join(".venv/bin/python3")).unwrap();
    assert_eq!(told(&stage.line(".venv/bin/python3").await), (Ended::Status(0), "a library\n"));
}

#[tokio::test]
async fn an_interpreter_in_path_reads_what_lies_around_it_and_no_more() {
    let mut stage = Stage::new();
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
    let stage = Stage::new();
    let place = stage.root.path().join("home/papers");
    put(&place.join("bin/python3"), "#!/bin/sh\n", 0o755);
    put(&place.join("lib/plan.txt"), KEY, 0o644);
    let line = format!(
        "mkdir -p .venv/bin; echo 'home = {0}/bin' > .venv/pyvenv.cfg; mkdir venv; \
         echo 'home = {1}/home/.ssh/..' > venv/pyvenv.cfg; ln -s {0} env",
        place.display(),
        stage.root.path().display()
    );
    assert_eq!(stage.line(&line).await.ended, Ended::Status(0));
    let ran =
        stage.line(&format!("cat {}/lib/plan.txt env/lib/plan.txt {}", place.display(), stage.key().display())).await;
    assert!(ran.ended == Ended::Status(1) && !ran.output.contains(KEY), "{ran:?}");
}

#[tokio::test]
async fn homes_of_toolchains_are_followed_where_variables_lead_and_their_keys_stay_closed() {
    let mut stage = Stage::new();
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
