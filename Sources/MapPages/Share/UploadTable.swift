/// Which files of browsers are taken, how much of each has arrived, and what became of them.
///
/// Times are in seconds of any clock, and sizes in bytes. ``UploadQueue`` has the bytes.
struct UploadTable {
    /// The size up to which files are taken before a person is asked, because what is in them belongs to the question.
    static let smallSize: UInt64 = 16_000_000
    /// The maximum number of files without a decision.
    static let maximumOpen = 8
    /// The maximum number of files of one client without a decision.
    static let maximumOpenPerClient = 2
    /// The number of results that are kept.
    static let maximumResults = 200
    /// The number of times that a person says no, after which nothing more is taken from a client.
    static let maximumRefusals = 2
    /// The number of files that cannot be used, after which nothing more is taken from a client.
    static let maximumFaults = 10
    /// The maximum number of clients whose refused files are counted; if there are more, nothing is taken any more.
    static let maximumClients = 1000
    /// How long nothing of a file need arrive: a phone may be locked, or out of reach for a while.
    static let patience = (small: 600, large: 3600)
    // A phone that sends needs less for a piece.
    /// After how long the rest of a small file gives its place to another file.
    static let leastPatience = 60

    /// What is known of one file.
    struct Entry: Hashable, Sendable {
        /// Its number, counted from 1.
        var number: Int
        /// The address of the browser's machine.
        var client: String
        /// The name that the browser has given.
        var name: String
        var size: UInt64
        /// The number of bytes that have arrived, from the start.
        var length: UInt64 = 0
        var state: UploadQueue.State
        /// When something of it last arrived; a browser that only asks holds no place.
        var lastUse: Int
        /// Whether a piece is being written.
        var isWriting = false

        fileprivate var isSmall: Bool { size <= UploadTable.smallSize }
    }

    /// The answer to the announcement of a file.
    enum Announcement: Hashable, Sendable {
        /// The file is taken, or waits for a person, or it was announced before.
        case accepted
        /// The client cannot send files any more.
        case forbidden
        /// There are too many files without a decision, of which a person is asked about one, or none.
        case busy(isDecided: Bool)
        /// The disk has too little space.
        case noSpace
    }

    private(set) var entries: [UploadID: Entry] = [:]
    private var count = 0
    /// The files with a decision, in the order of the decisions.
    private var finished: [UploadID] = []
    private var refusals: [String: (byPerson: Int, faults: Int)] = [:]

    /// Returns whether a client may send a file: not after several were refused.
    func takesFiles(of client: String) -> Bool {
        guard let known = refusals[client] else { return refusals.count < Self.maximumClients }
        return known.byPerson < Self.maximumRefusals && known.faults < Self.maximumFaults
    }

    /// Notes that a browser wants to send a file.
    ///
    /// - Parameters:
    ///   - id: The id that the browser has chosen.
    ///   - client: The address of the browser's machine.
    ///   - name: The name of the file.
    ///   - size: The size of the file.
    ///   - now: The time.
    ///   - space: The number of bytes that the disk has for files.
    /// - Returns: Whether the file may come, or what is in the way.
    mutating func announce(
        _ id: UploadID,
        from client: String,
        called name: String,
        size: UInt64,
        at now: Int,
        space: UInt64
    ) -> Announcement {
        if entries[id] != nil { return .accepted }
        guard takesFiles(of: client) else { return .forbidden }
        dropOld(at: now)
        let open = entries.values.filter { !$0.state.isFinal }
        guard open.count(where: { $0.client == client }) < Self.maximumOpenPerClient || dropIdle(of: client, at: now),
            entries.values.count(where: { !$0.state.isFinal }) < Self.maximumOpen || dropIdle(at: now)
        else { return .busy(isDecided: open.contains { $0.state != .receiving }) }
        let needed = Self.needed(size)
        let promised = entries.values.filter { !$0.state.isFinal }.reduce(UInt64(0)) { sum, entry in
            sum.addingReportingOverflow(Self.needed(entry.size) - min(entry.length, entry.size)).partialValue
        }
        guard needed <= space, promised <= space - needed else { return .noSpace }
        count += 1
        let state: UploadQueue.State = size <= Self.smallSize ? .receiving : .asked
        entries[id] = Entry(number: count, client: client, name: name, size: size, state: state, lastUse: now)
        return .accepted
    }

    /// The space that a file needs: the import makes a copy, and then removes the file.
    private static func needed(_ size: UInt64) -> UInt64 {
        let (double, isTooLarge) = size.multipliedReportingOverflow(by: 2)
        return isTooLarge ? .max : double
    }

    /// Begins to write a piece of a file; returns false if it is not the next piece, or not expected now.
    mutating func begin(_ id: UploadID, at offset: UInt64, length: UInt64, _ now: Int) -> Bool {
        guard var entry = entries[id], entry.state == .receiving, !entry.isWriting, entry.length == offset,
            length > 0, length <= entry.size - min(entry.length, entry.size)
        else { return false }
        entry.isWriting = true
        entry.lastUse = now
        entries[id] = entry
        return true
    }

    /// Notes that a piece was written, or failed to be if its length is nil; returns whether the file is complete now.
    mutating func end(_ id: UploadID, length: UInt64?) -> Bool {
        guard var entry = entries[id], entry.isWriting else { return false }
        entry.isWriting = false
        entry.length += length ?? 0
        let isComplete = entry.state == .receiving && entry.length == entry.size
        if isComplete { entry.state = .waiting }
        entries[id] = entry
        return isComplete
    }

    /// Notes that a person has agreed to a large file, which may come now.
    mutating func allow(_ number: Int, at now: Int) {
        guard let id = id(of: number), entries[id]?.state == .asked else { return }
        entries[id]?.state = .receiving
        entries[id]?.lastUse = now
    }

    /// Notes what became of a file.
    ///
    /// - Returns: The number of files of the client that could not be used.
    @discardableResult
    mutating func finish(_ number: Int, _ state: UploadQueue.State) -> Int {
        guard state.isFinal, let id = id(of: number), let entry = entries[id], !entry.state.isFinal else { return 0 }
        entries[id]?.state = state
        finished.append(id)
        if finished.count > Self.maximumResults { entries[finished.removeFirst()] = nil }
        switch state {
        case .refused: refusals[entry.client, default: (0, 0)].byPerson += 1
        case .unusable: refusals[entry.client, default: (0, 0)].faults += 1
        default: break
        }
        return refusals[entry.client]?.faults ?? 0
    }

    /// The files whose bytes are needed.
    var open: Set<UploadID> { Set(entries.filter { !$0.value.state.isFinal }.keys) }

    private func id(of number: Int) -> UploadID? { entries.first { $0.value.number == number }?.key }

    /// Forgets files of which nothing has arrived for long.
    mutating func dropOld(at now: Int) {
        entries = entries.filter { _, entry in
            guard entry.state == .receiving, !entry.isWriting else { return true }
            return now - entry.lastUse < (entry.isSmall ? Self.patience.small : Self.patience.large)
        }
    }

    /// Forgets the small file of a client, or of any, of which nothing has arrived for longest; returns false if there is none.
    private mutating func dropIdle(of client: String? = nil, at now: Int) -> Bool {
        let idle = entries.filter { _, entry in
            entry.client == client ?? entry.client && entry.state == .receiving && !entry.isWriting && entry.isSmall
                && now - entry.lastUse >= Self.leastPatience
        }
        guard let id = idle.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return false }
        entries[id] = nil
        return true
    }
}

/// The name by which a browser finds its file again: letters and digits that no other browser guesses.
package struct UploadID: Hashable, Sendable {
    private let text: String

    /// Reads an id; nil if it has another form.
    init?(_ text: String) {
        guard (16...40).contains(text.utf8.count),
            text.utf8.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            })
        else { return nil }
        self.text = text
    }
}
