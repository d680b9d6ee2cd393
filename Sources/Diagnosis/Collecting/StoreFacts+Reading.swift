import Glibc
import HostNetwork
import PeerStorage

extension StoreFacts {
    /// Examines a folder, or the nearest existing folder above it.
    package init(reading path: String) {
        var folder = path
        while !SystemFile.exists(folder), let parent = Self.parent(of: folder) { folder = parent }
        if folder.isEmpty || !SystemFile.exists(folder) { folder = "." }
        var status = statvfs()
        let isKnown = statvfs(folder, &status) == 0
        let (total, _) = UInt64(status.f_blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        var description = stat()
        // Above a folder that does not exist yet, others may write; the folder gets its own permissions.
        let isOpen = folder == path && stat(folder, &description) == 0 && description.st_mode & 0o022 != 0
        let (free, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        self.init(
            path: folder,
            mountPoint: Self.mountPoint(of: folder),
            free: isKnown ? (isTooLarge ? .max : free) : nil,
            isReadOnly: isKnown && UInt(status.f_flag) & UInt(ST_RDONLY) != 0,
            isWritable: access(folder, W_OK | X_OK) == 0 || errno == EROFS,
            reserve: DiskReserve.size(ofDiskWith: total),
            // Some file systems have no limit and say 0 of 0.
            hasFreeFiles: !isKnown || status.f_files == 0 || status.f_favail > 0,
            isOpenToOthers: isOpen
        )
    }

    /// The folder above a folder; nil if there is none.
    private static func parent(of path: String) -> String? {
        guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The disk and the mode of a mount; equal for two folders that are mounted together.
    private struct Mount: Equatable {
        var disk: dev_t
        /// A folder of a disk can be mounted read-only although the disk itself is not.
        var isReadOnly: Bool

        /// Examines a folder; nil if the system does not permit it.
        init?(of path: String) {
            var status = stat()
            var volume = statvfs()
            guard stat(path, &status) == 0, statvfs(path, &volume) == 0 else { return nil }
            disk = status.st_dev
            isReadOnly = UInt(volume.f_flag) & UInt(ST_RDONLY) != 0
        }
    }

    /// Returns the highest folder that is mounted together with a folder.
    private static func mountPoint(of folder: String) -> String {
        guard let resolved = realpath(folder, nil) else { return folder }
        defer { Glibc.free(resolved) }
        var highest = String(cString: resolved)
        guard let mount = Mount(of: highest) else { return highest }
        while let parent = parent(of: highest), Mount(of: parent) == mount { highest = parent }
        return highest
    }
}

extension ClockFacts {
    /// Reads the clocks, and when the program and the files of a folder were written.
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
