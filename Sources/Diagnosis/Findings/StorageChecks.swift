/// Judges the folder in which data are stored.
package enum StorageChecks {
    /// The free space that a usual region needs, beside the reserve.
    package static let ample: UInt64 = 100_000_000

    /// Judges the folder and its disk.
    package static func findings(of store: StoreFacts) -> [Finding] {
        let path = store.path
        if store.isReadOnly {
            return [
                Finding(
                    .readOnly,
                    .storage,
                    .problem,
                    "The disk with \(path) is mounted read-only, so nothing can be received.",
                    remedy: "Use a folder on another disk, or mount the disk for writing:",
                    command: "sudo mount -o remount,rw \(quoted(store.mountPoint))"
                )
            ]
        }
        guard store.isWritable else {
            return [
                Finding(
                    .noPermission,
                    .storage,
                    .problem,
                    "You have no permission to write to \(path), so nothing can be received.",
                    remedy: "Use a folder of your own. To see who may write to this one:",
                    command: "ls -ld \(quoted(path))"
                )
            ]
        }
        guard !store.isOpenToOthers else {
            return [
                Finding(
                    .openToOthers,
                    .storage,
                    .problem,
                    "\(path) can be changed by other users of this machine, so nothing is received there.",
                    remedy: "Let only yourself write to it:",
                    command: "chmod go-w \(quoted(path))"
                )
            ]
        }
        guard let free = store.hasFreeFiles ? store.free : 0 else { return [] }
        let text = megabytes(free)
        switch free {
        case ..<store.reserve:
            return [
                Finding(
                    .diskFull,
                    .storage,
                    .problem,
                    store.hasFreeFiles
                        ? "The disk with \(path) is full: nothing can be received below \(megabytes(store.reserve)) MB free "
                            + "(\(text) MB are left)."
                        : "The disk with \(path) has room for no further file, so nothing can be received.",
                    remedy: "Free some space, or use a folder on another disk. To see what takes the space:",
                    command: "du -xh -d 1 ~ | sort -h | tail"
                )
            ]
        case ..<(store.reserve + ample):
            return [
                Finding(
                    .diskLow,
                    .storage,
                    .warning,
                    "The disk with \(path) has only \(text) MB left. A large map does not fit.",
                    remedy: "Free some space, or use a folder on another disk. To see what takes the space:",
                    command: "du -xh -d 1 ~ | sort -h | tail"
                )
            ]
        default:
            return [Finding(.space, .storage, .ok, "The disk has room: \(text) MB free in \(path).")]
        }
    }

    private static func megabytes(_ bytes: UInt64) -> String { String(bytes / 1_000_000) }

    /// A path as one word of a shell.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !isPlain || path.isEmpty else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
