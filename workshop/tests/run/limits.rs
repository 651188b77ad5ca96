//! How much of the machine a command may take with everything it starts.

use enza_work::{ResourceLimits, RunEnd};

use crate::run::fixture::RunFixture;

const MIB: u64 = 1 << 20;

fn stage(most: ResourceLimits) -> RunFixture {
    let mut stage = RunFixture::new();
    stage.most = most;
    stage
}

#[tokio::test]
async fn a_command_that_takes_too_much_memory_is_stopped() {
    let stage = stage(ResourceLimits { memory: 200 * MIB, ..ResourceLimits::default() });
    let ran = stage.python("import time\nheld = bytearray(400 << 20)\ntime.sleep(100000)\n").await;
    assert_eq!(ran.ended, RunEnd::TooMuchMemory);
}

#[tokio::test]
async fn memory_is_counted_over_all_processes_and_once_where_it_is_shared() {
    let all = "import os, time\nfor _ in range(4):\n  if os.fork() == 0:\n    held = bytearray(80 << 20)\n    time.sleep(100000)\ntime.sleep(100000)\n";
    let limited = stage(ResourceLimits { memory: 200 * MIB, ..ResourceLimits::default() });
    assert_eq!(limited.python(all).await.ended, RunEnd::TooMuchMemory);
    let shared = "import os, time\nheld = bytearray(100 << 20)\nfor _ in range(4):\n  if os.fork() == 0:\n    time.sleep(1.5)\n    os._exit(0)\ntime.sleep(1.5)\n";
    assert_eq!(limited.python(shared).await.ended, RunEnd::Status(0));
}

#[tokio::test]
async fn a_command_that_fills_the_disk_is_stopped_whether_in_its_folder_or_in_the_private_one() {
    for place in [".", "$TMPDIR"] {
        let stage = stage(ResourceLimits { disk: 64 * MIB, ..ResourceLimits::default() });
        let line = format!(
            "for i in $(seq 1000); do head -c 8000000 /dev/urandom > {place}/$i; sleep 0.02; done; sleep 100000"
        );
        assert_eq!(stage.line(&line).await.ended, RunEnd::TooMuchDisk, "{place}");
    }
}

#[tokio::test]
async fn one_file_that_is_too_large_is_stopped_and_a_deleted_one_counts() {
    let limited = stage(ResourceLimits { disk: 64 * MIB, ..ResourceLimits::default() });
    assert_eq!(limited.line("head -c 100000000 /dev/zero > large").await.ended, RunEnd::TooMuchDisk);
    let hidden = "import os, time\nheld = []\nfor i in range(20):\n  f = open(f'f{i}', 'wb')\n  os.unlink(f'f{i}')\n  f.write(os.urandom(8 << 20))\n  f.flush()\n  held.append(f)\ntime.sleep(100000)\n";
    assert_eq!(limited.python(hidden).await.ended, RunEnd::TooMuchDisk);
}

#[tokio::test]
async fn the_number_of_processes_is_the_one_that_was_set() {
    let line = "for i in 1 2 3 4 5 6; do sleep 100000 & done; wait";
    let limited = stage(ResourceLimits { processes: 5, ..ResourceLimits::default() });
    assert_eq!(limited.line(line).await.ended, RunEnd::TooManyProcesses);
    let roomy = stage(ResourceLimits { processes: 10, ..ResourceLimits::default() });
    assert_eq!(roomy.line(&line.replace("100000", "0.2")).await.ended, RunEnd::Status(0));
}
