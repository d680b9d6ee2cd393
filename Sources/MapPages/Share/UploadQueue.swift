import Glibc
internal import PeerStorage
package import RegionStore
package import Sentences
import Synchronization

/// The files that browsers send, which come in blocks, until a person has decided on them.
///
/// ``UploadTable`` decides; this class has the bytes.
package final class UploadQueue: Sendable {
    /// What is known of one file.
    package struct Upload: Hashable, Sendable {
        /// Its number, counted from 1.
        package var number: Int
        /// The address of the browser's machine.
        package var client: String
        /// The name that the browser has given.
        package var name: String
        /// The size of the file, in bytes.
        package var size: UInt64
        /// The number of bytes that have arrived, from the start.
        package var length: UInt64 = 0
        package var state: State
        /// When something of it last arrived; a browser that only asks does not change it.
        var lastUse: Int
        /// Whether a block is being written.
        var isWriting = false
    }

    /// A file about which a person must be asked.
    package struct Question: Sendable {
        package var upload: Upload
        /// The complete file, which is removed with the object; nil if the question is whether to allow its upload.
        package var file: UploadedFile?
    }

    /// What becomes of a file.
    package enum State: Hashable, Sendable {
        /// The person is asked whether to allow its upload.
        case asked
        /// Blocks of it come.
        case receiving
        /// All of it is there, and there is no decision yet.
        case waiting
        /// The person said no; the sentence says so.
        case refused(Sentence)
        /// The file cannot be used; the sentence says why.
        case unusable(Sentence)
        /// There was no decision in time; the sentence says what to do.
        case unanswered(Sentence)
        /// The laptop could not take or add it; the sentence says what to do.
        case failed(Sentence)
        /// It was added; the sentence says what.
        case added(Sentence)

        /// Whether nothing more happens to the file.
        package var isFinal: Bool {
            switch self {
            case .asked, .receiving, .waiting: false
            case .refused, .unusable, .unanswered, .failed, .added: true
            }
        }
    }

    /// The name by which a browser finds its file again: letters and digits that no other browser guesses.
    package struct ID: Hashable, Sendable {
        private let text: String

        /// Reads an id; nil if it has another form.
        init?(_ text: String) {
            let allowed = "abcdefghijklmnopqrstuvwxyz0123456789".utf8
            guard (16...40).contains(text.utf8.count), text.utf8.allSatisfy(allowed.contains) else { return nil }
            self.text = text
        }
    }

    /// The maximum length of a block, in bytes: a phone that is out of reach loses at most one, and each answer takes a moment.
    package static let maximumBlockLength = 2 << 20
    /// The maximum length of the name of a file, in bytes.
    static let maximumNameLength = 1000
    /// The number of unusable files of a client about which the person at the laptop is told.
    package static let maximumNotes = 2

    private struct Contents {
        var table = UploadTable()
        var files: [ID: UploadedFile] = [:]
        /// The allowed files, as the person at the laptop sees them.
        var watched: [ID: Upload] = [:]
    }

    /// The files about which a person must be asked, one after the other.
    package let questions: AsyncStream<Question>
    private let continuation: AsyncStream<Question>.Continuation
    private let contents = Mutex(Contents())
    private let now: @Sendable () -> Int
    private let observer: @Sendable (Upload) -> Void

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - now: The time in seconds; nil for that of the machine.
    ///   - observer: Called when a block of a file that a person has agreed to has arrived; with the whole size also when the file
    ///     has ended early.
    package init(now: (@Sendable () -> Int)? = nil, observer: @escaping @Sendable (Upload) -> Void = { _ in }) {
        // The table bounds the number of files, and each is in the stream twice at most.
        (questions, continuation) = AsyncStream.makeStream()
        let start = SuspendingClock.now
        self.now = now ?? { Int((SuspendingClock.now - start).components.seconds) }
        self.observer = observer
    }

    /// The space that a file needs: the import makes a copy, and then removes the file.
    package static func spaceNeeded(for size: UInt64) -> UInt64 {
        let (double, isTooLarge) = size.multipliedReportingOverflow(by: 2)
        return isTooLarge ? .max : double
    }

    // MARK: Browsers

    func takesFiles(of client: String) -> Bool { contents.withLock { $0.table.takesFiles(of: client) } }

    /// Returns what is known of a file; nil if it was never announced or is forgotten.
    func upload(_ id: ID) -> Upload? { contents.withLock { $0.table.uploads[id] } }

    /// Notes that a browser wants to send a file; `space` is the number of bytes that the disk has for files.
    func announce(
        _ id: ID,
        from client: String,
        called name: String,
        size: UInt64,
        space: UInt64,
        in makeFile: () throws -> UploadedFile
    ) throws -> UploadTable.Announcement {
        try change { contents in
            let isKnown = contents.table.uploads[id] != nil
            var table = contents.table
            let answer = table.announce(id, from: client, called: name, size: size, at: now(), space: space)
            if answer == .accepted, !isKnown, let upload = table.uploads[id] {
                contents.files[id] = try makeFile()
                if upload.state == .asked { continuation.yield(Question(upload: upload)) }
            }
            contents.table = table
            return answer
        }
    }

    /// Adds a block to a file; returns false if it was not expected.
    ///
    /// - Throws: An error if it cannot be written; then the file has ended.
    func add(_ block: OpenFile, to id: ID, at offset: UInt64) throws -> Bool {
        let length = try block.size()
        let file = contents.withLock { contents in
            contents.table.begin(id, at: offset, length: length, now()) ? contents.files[id] : nil
        }
        guard let file else { return false }
        do {
            try Self.copy(block, length, to: file.file, at: offset)
        } catch {
            change { contents in
                _ = contents.table.end(id, length: nil)
                contents.table.finish(id, .failed("The laptop could not write the file to its disk."))
            }
            throw error
        }
        let watched = contents.withLock { contents -> Upload? in
            let isComplete = contents.table.end(id, length: length)
            guard let upload = contents.table.uploads[id] else { return nil }
            if isComplete { continuation.yield(Question(upload: upload, file: contents.files[id])) }
            guard contents.watched[id] != nil else { return nil }
            contents.watched[id] = upload
            return upload
        }
        if let watched { observer(watched) }
        return true
    }

    private static func copy(_ block: OpenFile, _ length: UInt64, to file: OpenFile, at offset: UInt64) throws {
        let bufferLength: UInt64 = 256 << 10
        var done: UInt64 = 0
        while done < length {
            let bytes = try block.bytes(Int(min(bufferLength, length - done)), at: done)
            guard !bytes.isEmpty else { throw SystemError(number: EIO) }
            try file.write(bytes, at: offset + done)
            done += UInt64(bytes.count)
        }
    }

    /// Ends a file for which the disk has no space any more.
    func endWithoutSpace(_ id: ID) {
        change {
            _ = $0.table.finish(id, .failed("The laptop has no space on its disk for the rest of the file."))
        }
    }

    /// Ends a file whose phone does not want to send the rest; changes nothing if all of it has come.
    func stop(_ id: ID) {
        change { contents in
            guard contents.table.uploads[id]?.state == .receiving else { return }
            contents.table.finish(id, .failed("You stopped it. Nothing of it was added."))
        }
    }

    /// Forgets files that have received nothing for a long time.
    package func forgetOld() { change { $0.table.dropOld(at: now()) } }

    // MARK: The person at the laptop

    /// Allows a file to be uploaded.
    package func allow(_ number: Int) {
        change { contents in
            guard let id = contents.table.id(of: number) else { return }
            contents.table.allow(id, at: now())
            contents.watched[id] = contents.table.uploads[id]
        }
    }

    /// Notes what became of a file.
    ///
    /// - Returns: Whether to tell the person at the laptop. Only the first unusable files of a client are reported.
    @discardableResult
    package func finish(_ number: Int, _ state: State) -> Bool {
        change { contents in
            let faults = contents.table.id(of: number).map { contents.table.finish($0, state) } ?? 0
            return faults <= Self.maximumNotes
        }
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
        for var upload in ended {
            upload.length = upload.size
            observer(upload)
        }
        return result
    }
}
