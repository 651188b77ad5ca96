//! How a command ended, in words.

use enza_kernel::text::Lang;

use super::RunEnd;

impl RunEnd {
    /// In words.
    pub fn say(self, lang: Lang) -> String {
        match self {
            RunEnd::Status(0) => lang.pick("成功", "it came off").to_owned(),
            RunEnd::Status(code) => lang.pick(format!("終了コード {code}"), format!("it ended with status {code}")),
            RunEnd::Signal(signal) => {
                lang.pick(format!("シグナル {signal} で終了"), format!("it was ended by signal {signal}"))
            }
            RunEnd::OutOfTime => lang
                .pick(
                    "時間切れで止めました(設定 command_seconds)",
                    "it took too long and was stopped (command_seconds in the settings)",
                )
                .to_owned(),
            RunEnd::TooManyProcesses => lang
                .pick(
                    "プロセスが多すぎるため止めました(設定 command_processes)",
                    "it started too many processes and was stopped (command_processes in the settings)",
                )
                .to_owned(),
            RunEnd::TooMuchMemory => lang
                .pick(
                    "メモリを使いすぎたため止めました(設定 command_memory_mb)",
                    "it took too much memory and was stopped (command_memory_mb in the settings)",
                )
                .to_owned(),
            RunEnd::TooMuchDisk => lang
                .pick(
                    "ディスクを使いすぎたため止めました(設定 command_disk_mb)",
                    "it took too much of the disk and was stopped (command_disk_mb in the settings)",
                )
                .to_owned(),
            RunEnd::Stopped => lang.pick("実行中のコマンドを止めました", "the command was stopped").to_owned(),
            RunEnd::Unseen => lang
                .pick("途中で切れ、終わり方はわかりません", "it was cut off, and nobody saw how it ended")
                .to_owned(),
        }
    }
}
