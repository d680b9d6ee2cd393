import Foundation
import Glibc
import PeerCore
import PeerTestSupport

/// What a disk has of a folder if the power fails: what was put on it for certain, and as much of the rest as it likes.
///
/// It looks at the folder itself when it is told that something was put on the disk.
final class DiskModel: Sendable {
    /// What the disk has beside what it must have.
    enum Luck: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// The names, but of the contents nothing.
        case namesOnly
        /// The contents, but of the names nothing.
        case contentsOnly
        /// Some names, and some pages of the contents.
        case some(UInt64)
        /// All that was written: a process died, not the machine.
        case everything
    }

    /// What is on the disk for certain, by the numbers of files and folders.
    struct Certain: Sendable {
        var contents: [UInt64: [UInt8]] = [:]
        var names: [UInt64: [String: UInt64]] = [:]
    }

    /// A folder as it would be found.
    struct Wreck: Sendable {
        enum Item: Sendable {
            case file(number: UInt64, [UInt8])
            case folder(number: UInt64)
        }

        /// By path; folders come before what is in them.
        var items: [(path: String, item: Item)] = []

        /// Tells apart what would be found to be different.
        var digest: ContentDigest {
            var text: [UInt8] = []
            for (path, item) in items {
                text += Array(path.utf8)
                if case .file(_, let bytes) = item { text += ContentDigest(hashing: bytes).bytes }
            }
            return ContentDigest(hashing: text)
        }
    }

    private struct State {
        var certain: Certain
        /// Keeps numbers from being used again.
        var pins: [UInt64: OpenPin] = [:]
    }

    private let folder: String
    private let state: Locked<State>

    /// Looks at a folder; all that is in it is on the disk, unless it is said what is.
    init(_ folder: String, certain: Certain? = nil) {
        self.folder = folder
        self.state = Locked(State(certain: certain ?? Certain()))
        look { path, number in
            guard certain == nil else { return }
            state.withLock { Self.settle(path, number, &$0.certain) }
        }
    }

    /// Is told that a file or folder was put on the disk.
    func synchronized(_ path: String) {
        guard let number = Self.number(of: path) else { return }
        state.withLock { Self.settle(path, number, &$0.certain) }
    }

    /// Notices what is new.
    ///
    /// To be called often enough that nothing comes and goes between.
    func look() {
        look { _, _ in }
    }

    /// Returns what would be found.
    func wreck(_ luck: Luck) -> Wreck {
        guard let number = Self.number(of: folder) else { return Wreck() }
        let certain = state.withLock { $0.certain }
        var present = Present(folder)
        present.look()
        var wreck = Wreck()
        var generator = SeededGenerator(seed: 0)
        if case .some(let seed) = luck { generator = SeededGenerator(seed: seed) }
        collect(number, at: "", certain, present, luck, &generator, &wreck)
        return wreck
    }

    /// What is there now.
    private struct Present {
        let folder: String
        var names: [UInt64: [String: UInt64]] = [:]
        var paths: [UInt64: String] = [:]

        init(_ folder: String) {
            self.folder = folder
        }

        mutating func look() {
            add(folder)
        }

        private mutating func add(_ path: String) {
            guard let number = DiskModel.number(of: path) else { return }
            paths[number] = path
            guard let list = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
            names[number] = [:]
            for name in list {
                names[number]?[name] = DiskModel.number(of: path + "/" + name)
                add(path + "/" + name)
            }
        }
    }

    private func collect(
        _ number: UInt64,
        at path: String,
        _ certain: Certain,
        _ present: Present,
        _ luck: Luck,
        _ generator: inout SeededGenerator,
        _ wreck: inout Wreck
    ) {
        let (old, new) = (certain.names[number] ?? [:], present.names[number] ?? [:])
        for name in Set(old.keys).union(new.keys).sorted() {
            // Memory that processes share does not outlive them.
            guard !name.hasSuffix("-shm") else { continue }
            let child: UInt64?
            switch luck {
            case .nothing, .contentsOnly: child = old[name]
            case .namesOnly, .everything: child = new[name]
            case .some: child = generator.next() % 2 == 0 ? old[name] : new[name]
            }
            guard let child else { continue }
            let childPath = path.isEmpty ? name : path + "/" + name
            if certain.names[child] != nil || present.names[child] != nil {
                wreck.items.append((childPath, .folder(number: child)))
                collect(child, at: childPath, certain, present, luck, &generator, &wreck)
            } else {
                let bytes = contents(child, certain, present, luck, &generator)
                wreck.items.append((childPath, .file(number: child, bytes)))
            }
        }
    }

    private func contents(
        _ number: UInt64,
        _ certain: Certain,
        _ present: Present,
        _ luck: Luck,
        _ generator: inout SeededGenerator
    ) -> [UInt8] {
        let old = certain.contents[number] ?? []
        let path = present.paths[number] ?? state.withLock { $0.pins[number]?.path } ?? ""
        let new = FileManager.default.contents(atPath: path).map { Array($0) } ?? old
        switch luck {
        case .nothing: return old
        // A length without contents reads as zeros.
        case .namesOnly: return old + [UInt8](repeating: 0, count: max(0, new.count - old.count))
        case .contentsOnly, .everything: return new
        case .some:
            var bytes = generator.next() % 2 == 0 ? new : old
            for start in stride(from: 0, to: bytes.count, by: 4096) {
                let page = start..<min(start + 4096, bytes.count)
                let source = generator.next() % 2 == 0 ? old : new
                let part = source.dropFirst(start).prefix(page.count)
                bytes.replaceSubrange(page, with: part + [UInt8](repeating: 0, count: page.count - part.count))
            }
            return bytes
        }
    }

    /// Makes a folder that is like a wreck.
    static func make(_ wreck: Wreck, at folder: String) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var paths: [UInt64: String] = [:]
        for (path, item) in wreck.items {
            let path = folder + "/" + path
            switch item {
            case .folder(let number):
                try manager.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700]
                )
                paths[number] = path
            case .file(let number, let bytes):
                if let first = paths[number] {
                    try manager.linkItem(atPath: first, toPath: path)
                } else {
                    _ = manager.createFile(
                        atPath: path,
                        contents: Data(bytes),
                        attributes: [.posixPermissions: 0o600]
                    )
                    paths[number] = path
                }
            }
        }
    }

    /// Makes a folder that is as this one is now, with the same things on the disk for certain: the process has died, and
    /// another one goes on.
    func goOn(in other: String) throws -> DiskModel {
        let wreck = wreck(.everything)
        try Self.make(wreck, at: other)
        var numbers: [UInt64: UInt64] = [:]
        numbers[Self.number(of: folder) ?? 0] = Self.number(of: other)
        for (path, item) in wreck.items {
            switch item {
            case .file(let number, _), .folder(let number): numbers[number] = Self.number(of: other + "/" + path)
            }
        }
        var certain = Certain()
        let ours = state.withLock { $0.certain }
        for (old, new) in numbers {
            certain.contents[new] = ours.contents[old]
            certain.names[new] = ours.names[old]?.compactMapValues { numbers[$0] }
        }
        return DiskModel(other, certain: certain)
    }

    private func look(_ body: (_ path: String, _ number: UInt64) -> Void) {
        var present = Present(folder)
        present.look()
        for (number, path) in present.paths {
            state.withLock { state in
                if state.pins[number] == nil { state.pins[number] = OpenPin(path) }
                // A folder is one, if it is there at all.
                if present.names[number] != nil, state.certain.names[number] == nil {
                    state.certain.names[number] = [:]
                }
            }
            body(path, number)
        }
    }

    private static func settle(_ path: String, _ number: UInt64, _ certain: inout Certain) {
        if let names = try? FileManager.default.contentsOfDirectory(atPath: path) {
            certain.names[number] = Dictionary(
                names.compactMap { name in Self.number(of: path + "/" + name).map { (name, $0) } }
            ) { first, _ in first }
        } else if let bytes = FileManager.default.contents(atPath: path) {
            certain.contents[number] = Array(bytes)
        }
    }

    static func number(of path: String) -> UInt64? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return UInt64(status.st_ino)
    }
}

/// A file that is held without being opened: its number is not given to another one, and it can be read when it has no
/// name any more.
private final class OpenPin: Sendable {
    private let descriptor: CInt

    /// Linux's `O_PATH`, which the importer leaves out.
    private static let pathOnly: CInt = 0o10_000_000

    var path: String { "/proc/self/fd/\(descriptor)" }

    init(_ path: String) {
        descriptor = open(path, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }
}
