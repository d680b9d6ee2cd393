import Glibc
import PeerCore
import PeerStorage

/// The folder in which a received file appears, and its possible names.
struct FileTarget: Sendable {
    /// The maximum number of names that are tried.
    private static let maximumNumber = 10_000

    /// The folder.
    let folder: Folder
    private let name: Name
    /// The path of the file, or of the folder in which it gets a name.
    private let path: String

    private enum Name: Sendable {
        case exactly(String)
        case numbered(SafeFileName)
    }

    /// Opens the folder of a file that does not exist yet.
    init(file path: String, _ faults: (any FaultInjector)?) throws(PeerError) {
        try Self.check(path)
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let name = String(path[parent.endIndex...])
        guard !["", ".", ".."].contains(name) else { throw .noFilePath }
        self.name = .exactly(name)
        self.path = path
        folder = try Self.open(parent.isEmpty ? "." : String(parent), faults)
    }

    /// Opens a folder in which a file gets a safe name.
    init(folder path: String, _ name: SafeFileName, _ faults: (any FaultInjector)?) throws(PeerError) {
        try Self.check(path)
        self.name = .numbered(name)
        self.path = path
        folder = try Self.open(path, faults)
    }

    /// Checks that a text can be a path.
    static func check(_ path: String) throws(PeerError) {
        // The system would end the path at a NUL.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .noFilePath }
    }

    /// Checks that the file can be created: it does not exist, and the folder is writable.
    func check() throws(SystemError) {
        if case .exactly(let name) = name, try folder.contains(name) { throw SystemError(number: EEXIST) }
        guard try folder.isWritable() else { throw SystemError(number: EACCES) }
    }

    /// Gives a file in any folder on the same disk its final name, and returns its path.
    ///
    /// When this returns, the name is on the disk. If this fails, the file has its former name.
    func take(_ temporary: String, from source: Folder) throws(SystemError) -> String {
        switch name {
        case .exactly(let name):
            try take(temporary, from: source, as: name)
            return path
        case .numbered(let safe):
            for number in 1...Self.maximumNumber {
                let name = safe.numbered(number)
                do throws(SystemError) {
                    try take(temporary, from: source, as: name)
                    return path.hasSuffix("/") ? path + name : "\(path)/\(name)"
                } catch  where error.number == EEXIST {
                    continue
                }
            }
            throw SystemError(number: EEXIST)
        }
    }

    private func take(_ temporary: String, from source: Folder, as name: String) throws(SystemError) {
        // A rename would replace an existing file, so a link is made. Some file systems have no links.
        let isLinked = try link(temporary, from: source, as: name)
        if !isLinked {
            if try folder.contains(name) { throw SystemError(number: EEXIST) }
            try folder.replaceHere(temporary, from: source, as: name)
        }
        do throws(SystemError) {
            try folder.synchronize()
        } catch {
            if isLinked {
                try? folder.removeFile(name)
            } else {
                try? source.replaceHere(name, from: folder, as: temporary)
            }
            throw error
        }
        // The old name goes only when the new one is on the disk, so the file has a name after any crash.
        if isLinked { try? source.removeFile(temporary) }
    }

    /// Creates a hard link to a file in the folder; returns false if the file system has no links.
    private func link(_ temporary: String, from source: Folder, as name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try folder.linkHere(temporary, from: source, as: name)
            return true
        } catch  where error.hasNoLinks {
            return false
        }
    }

    private static func open(_ path: String, _ faults: (any FaultInjector)?) throws(PeerError) -> Folder {
        do throws(SystemError) {
            return try Folder(path, faults)
        } catch {
            throw PeerError(
                .invalidArgument,
                "The folder for the received file cannot be opened: \(error.reason).",
                remedy: error.remedy ?? "Choose an existing folder.",
                cause: error
            )
        }
    }
}
