import Glibc

extension ClockFacts {
    /// Reads the clocks, and when the program and the files of a folder were written.
    ///
    /// - Parameter folder: The folder.
    package init(reading folder: String) {
        let files = SystemFile.names(in: folder).compactMap { SystemFile.modificationTime(folder + "/" + $0) }
        self.init(
            now: Int64(time(nil)),
            program: SystemFile.modificationTime("/proc/self/exe"),
            store: files.max(),
            hardware: SystemFile.word("/sys/class/rtc/rtc0/since_epoch").flatMap { Int64($0) }
        )
    }
}
