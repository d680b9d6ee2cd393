import Glibc
internal import PeerStorage
package import RegionStore
import Synchronization

/// The files that browsers send, which come in pieces, until a person has decided on them.
///
/// ``UploadTable`` decides; this class has the bytes.
package final class UploadQueue: Sendable {
    /// A file about which a person must be asked.
    package struct Turn: Sendable {
        /// The number of the file, counted from 1.
        package var number: Int
        /// The address of the browser's machine.
        package var client: String
        /// The name that the browser has given.
        package var name: String
        /// The size of the file, in bytes.
        package var size: UInt64
        /// The complete file, which is removed with the object; nil if the question is whether it may come.
        package var file: UploadedFile?
    }

    /// What becomes of a file.
    package enum State: Hashable, Sendable {
        /// The person is asked whether it may come.
        case asked
        /// Pieces of it come.
        case receiving
        /// All of it is there, and there is no decision yet.
        case waiting
        /// The person said no; the sentence says so.
        case refused(String)
        /// The file cannot be used; the sentence says why.
        case unusable(String)
        /// There was no decision in time; the sentence says what to do.
        case unanswered(String)
        /// The laptop could not take or add it; the sentence says what to do.
        case failed(String)
        /// It was added; the sentence says what.
        case added(String)

        /// Whether nothing more happens to the file.
        package var isFinal: Bool {
            switch self {
            case .asked, .receiving, .waiting: false
            case .refused, .unusable, .unanswered, .failed, .added: true
            }
        }
    }

    /// How much of a file has arrived, for the person at the laptop.
    package struct Progress: Hashable, Sendable {
        /// The number of the file, counted from 1.
        package var number: Int
        /// The address of the browser's machine.
        package var client: String
        /// The name that the browser has given.
        package var name: String
        /// The size of the file, in bytes.
        package var size: UInt64
        /// The number of bytes that have arrived.
        package var length: UInt64

        /// Creates a description of the progress.
        package init(number: Int, client: String, name: String, size: UInt64, length: UInt64) {
            self.number = number
            self.client = client
            self.name = name
            self.size = size
            self.length = length
        }
    }

    // Each answer takes a moment, and a phone that is out of reach loses at most one piece.
    /// The maximum length of a piece, in bytes.
    package static let maximumPieceLength = 2 << 20
    /// The maximum length of the name of a file, in bytes.
    static let maximumNameLength = 1000
    /// The number of unusable files of a client about which the person at the laptop is told.
    package static let maximumNotes = 2

    private struct Contents {
        var table = UploadTable()
        var files: [UploadID: UploadedFile] = [:]
        /// What the person at the laptop sees of the files that may come.
        var watched: [UploadID: Progress] = [:]
    }

    /// The files about which a person must be asked, one after the other.
    package let turns: AsyncStream<Turn>
    private let continuation: AsyncStream<Turn>.Continuation
    private let contents = Mutex(Contents())
    private let now: @Sendable () -> Int
    private let observer: @Sendable (Progress) -> Void

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - now: The time in seconds.
    ///   - observer: Called when a piece of a file that a person has agreed to has arrived; with the whole size also when the file
    ///     has ended early.
    package init(
        now: @escaping @Sendable () -> Int = UploadQueue.monotonicSeconds,
        observer: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
        // The table bounds the number of files, and each is in the stream twice at most.
        (turns, continuation) = AsyncStream.makeStream()
        self.now = now
        self.observer = observer
    }

    /// Returns the time since the start of the machine.
    @Sendable package static func monotonicSeconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec)
    }

    // MARK: Browsers

    /// Returns whether a client may send files.
    func takesFiles(of client: String) -> Bool { contents.withLock { $0.table.takesFiles(of: client) } }

    /// Returns what is known of a file; nil if it was never announced or is forgotten.
    func entry(_ id: UploadID) -> UploadTable.Entry? {
        contents.withLock { $0.table.entries[id] }
    }

    /// Notes that a browser wants to send a file.
    ///
    /// - Parameters:
    ///   - id: The id that the browser has chosen.
    ///   - client: The address of the browser's machine.
    ///   - name: The name of the file.
    ///   - size: The size of the file, in bytes.
    ///   - space: The number of bytes that the disk has for files.
    ///   - makeFile: Creates the file.
    /// - Returns: Whether the file may come, or what is in the way.
    /// - Throws: The error of `makeFile`.
    func announce(
        _ id: UploadID,
        from client: String,
        called name: String,
        size: UInt64,
        space: UInt64,
        in makeFile: () throws -> UploadedFile
    ) throws -> UploadTable.Announcement {
        try change { contents in
            let isKnown = contents.table.entries[id] != nil
            var table = contents.table
            let answer = table.announce(id, from: client, called: name, size: size, at: now(), space: space)
            if answer == .accepted, !isKnown, let entry = table.entries[id] {
                contents.files[id] = try makeFile()
                if entry.state == .asked { continuation.yield(Turn(entry)) }
            }
            contents.table = table
            return answer
        }
    }

    /// Adds a piece to a file.
    ///
    /// - Parameters:
    ///   - piece: A file with the piece.
    ///   - id: The file.
    ///   - offset: Where the piece begins.
    /// - Returns: Whether the piece was expected.
    /// - Throws: An error if it cannot be written; then the file has ended.
    func add(_ piece: OpenFile, to id: UploadID, at offset: UInt64) throws -> Bool {
        let length = try piece.size()
        let file = contents.withLock { contents in
            contents.table.begin(id, at: offset, length: length, now()) ? contents.files[id] : nil
        }
        guard let file else { return false }
        do {
            try Self.copy(piece, length, to: file.file, at: offset)
        } catch {
            change { contents in
                _ = contents.table.end(id, length: nil)
                if let number = contents.table.entries[id]?.number {
                    contents.table.finish(number, .failed("The laptop could not write the file to its disk."))
                }
            }
            throw error
        }
        let progress = contents.withLock { contents -> Progress? in
            let isComplete = contents.table.end(id, length: length)
            guard let entry = contents.table.entries[id] else { return nil }
            if isComplete {
                var turn = Turn(entry)
                turn.file = contents.files[id]
                continuation.yield(turn)
            }
            guard contents.watched[id] != nil else { return nil }
            contents.watched[id] = Progress(entry)
            return contents.watched[id]
        }
        if let progress { observer(progress) }
        return true
    }

    /// Copies a piece, block by block.
    private static func copy(_ piece: OpenFile, _ length: UInt64, to file: OpenFile, at offset: UInt64) throws {
        let blockLength = 256 << 10
        var done: UInt64 = 0
        while done < length {
            let block = try piece.bytes(Int(min(UInt64(blockLength), length - done)), at: done)
            guard !block.isEmpty else { throw SystemError(number: EIO) }
            try file.write(block, at: offset + done)
            done += UInt64(block.count)
        }
    }

    /// Ends a file for which the disk has no space any more.
    func endWithoutSpace(_ id: UploadID) {
        change { contents in
            guard let number = contents.table.entries[id]?.number else { return }
            contents.table.finish(number, .failed("The laptop has no space on its disk for the rest of the file."))
        }
    }

    /// Forgets files of which nothing has arrived for long.
    package func forgetOld() { change { $0.table.dropOld(at: now()) } }

    // MARK: The person at the laptop

    /// Lets a file come.
    package func allow(_ number: Int) {
        change { contents in
            contents.table.allow(number, at: now())
            if let found = contents.table.entries.first(where: { $0.value.number == number }) {
                contents.watched[found.key] = Progress(found.value)
            }
        }
    }

    /// Notes what became of a file.
    ///
    /// - Returns: Whether to tell the person at the laptop. Only the first unusable files of a client are reported.
    @discardableResult
    package func finish(_ number: Int, _ state: State) -> Bool {
        change { $0.table.finish(number, state) } <= Self.maximumNotes
    }

    /// Changes the contents, and then releases the files that are not needed any more.
    private func change<Result>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
        let (result, unneeded, ended) = try contents.withLock { contents in
            let result = try body(&contents)
            let open = contents.table.open
            let unneeded = contents.files.filter { !open.contains($0.key) }
            let ended = contents.watched.filter { !open.contains($0.key) }
            for id in unneeded.keys { contents.files[id] = nil }
            for id in ended.keys { contents.watched[id] = nil }
            return (result, unneeded, ended.values)
        }
        // Outside of the lock, because removing a large file takes a moment.
        withExtendedLifetime(unneeded) {}
        for var progress in ended {
            progress.length = progress.size
            observer(progress)
        }
        return result
    }
}

extension UploadQueue.Turn {
    fileprivate init(_ entry: UploadTable.Entry) {
        self.init(number: entry.number, client: entry.client, name: entry.name, size: entry.size)
    }
}

extension UploadQueue.Progress {
    fileprivate init(_ entry: UploadTable.Entry) {
        self.init(
            number: entry.number,
            client: entry.client,
            name: entry.name,
            size: entry.size,
            length: entry.length
        )
    }
}
