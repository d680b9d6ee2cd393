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
    /// How long nothing of a file need arrive: a phone may be locked, or out of reach for a while.
    static let patience = (small: 600, large: 3600)
    /// After how long the rest of a small file, or a file of which nothing has come, gives way to another file; a phone that
    /// sends needs less for a block.
    static let leastPatience = 60

    /// The answer to the announcement of a file.
    enum Announcement: Hashable, Sendable {
        /// The file is taken, or waits for a person, or it was announced before.
        case accepted
        /// The client cannot send files any more.
        case forbidden
        /// There are too many files without a decision; whether a person is being asked about one of them.
        case busy(isDecided: Bool)
        /// The disk has too little space.
        case noSpace
    }

    private(set) var uploads: [UploadQueue.ID: UploadQueue.Upload] = [:]
    private var count = 0
    /// The files with a decision, in the order of the decisions.
    private var finished: [UploadQueue.ID] = []
    private var refusals = UploadRefusals()

    /// Returns whether a client may send a file: not after several were refused.
    func takesFiles(of client: String) -> Bool { refusals.takesFiles(of: client) }

    /// Notes that a browser wants to send a file.
    ///
    /// - Parameter space: The number of bytes that the disk has for files.
    /// - Returns: Whether the file is allowed, or what prevents it.
    mutating func announce(
        _ id: UploadQueue.ID,
        from client: String,
        called name: String,
        size: UInt64,
        at now: Int,
        space: UInt64
    ) -> Announcement {
        if uploads[id] != nil { return .accepted }
        guard takesFiles(of: client) else { return .forbidden }
        dropOld(at: now)
        let open = uploads.values.filter { !$0.state.isFinal }
        guard open.count(where: { $0.client == client }) < Self.maximumOpenPerClient || dropIdle(of: client, at: now),
            uploads.values.count(where: { !$0.state.isFinal }) < Self.maximumOpen || dropIdle(at: now)
        else { return .busy(isDecided: open.contains { $0.state != .receiving }) }
        let needed = UploadQueue.spaceNeeded(for: size)
        let promised = uploads.values.filter { !$0.state.isFinal }.reduce(UInt64(0)) { sum, upload in
            sum.addingReportingOverflow(UploadQueue.spaceNeeded(for: upload.size) - min(upload.length, upload.size))
                .partialValue
        }
        guard needed <= space, promised <= space - needed else { return .noSpace }
        count += 1
        let state: UploadQueue.State = size <= Self.smallSize ? .receiving : .asked
        uploads[id] = UploadQueue.Upload(
            number: count,
            client: client,
            name: name,
            size: size,
            state: state,
            lastUse: now
        )
        return .accepted
    }

    /// Begins to write a block of a file; returns false if it is not the next block, or not expected now.
    mutating func begin(_ id: UploadQueue.ID, at offset: UInt64, length: UInt64, _ now: Int) -> Bool {
        guard var upload = uploads[id], upload.state == .receiving, !upload.isWriting, upload.length == offset,
            length > 0, length <= upload.size - min(upload.length, upload.size)
        else { return false }
        upload.isWriting = true
        upload.lastUse = now
        uploads[id] = upload
        return true
    }

    /// Notes that a block was written, or failed to be if its length is nil; returns whether the file is complete now.
    mutating func end(_ id: UploadQueue.ID, length: UInt64?) -> Bool {
        guard var upload = uploads[id], upload.isWriting else { return false }
        upload.isWriting = false
        upload.length += length ?? 0
        let isComplete = upload.state == .receiving && upload.length == upload.size
        if isComplete { upload.state = .waiting }
        uploads[id] = upload
        return isComplete
    }

    /// Notes that a person has agreed to a large file, so it can be uploaded now.
    mutating func allow(_ id: UploadQueue.ID, at now: Int) {
        guard uploads[id]?.state == .asked else { return }
        uploads[id]?.state = .receiving
        uploads[id]?.lastUse = now
    }

    /// Notes what became of a file.
    ///
    /// - Returns: The number of files of the client that could not be used.
    @discardableResult
    mutating func finish(_ id: UploadQueue.ID, _ state: UploadQueue.State) -> Int {
        guard state.isFinal, let upload = uploads[id], !upload.state.isFinal else { return 0 }
        uploads[id]?.state = state
        finished.append(id)
        if finished.count > Self.maximumResults { uploads[finished.removeFirst()] = nil }
        switch state {
        case .refused: refusals.refused(upload.client)
        case .unusable: refusals.unusable(upload.client)
        default: break
        }
        return refusals.faults(of: upload.client)
    }

    /// The files whose bytes are needed.
    var open: Set<UploadQueue.ID> { Set(uploads.filter { !$0.value.state.isFinal }.keys) }

    func id(of number: Int) -> UploadQueue.ID? { uploads.first { $0.value.number == number }?.key }

    /// Forgets files that have received nothing for a long time.
    mutating func dropOld(at now: Int) {
        uploads = uploads.filter { _, upload in
            guard upload.state == .receiving, !upload.isWriting else { return true }
            return now - upload.lastUse < (upload.isSmall ? Self.patience.small : Self.patience.large)
        }
    }

    /// Forgets the file, of a client or of any, that has been idle longest and is small or has not begun; returns false if
    /// there is none.
    private mutating func dropIdle(of client: String? = nil, at now: Int) -> Bool {
        let idle = uploads.filter { _, upload in
            upload.client == client ?? upload.client && upload.state == .receiving && !upload.isWriting
                && (upload.isSmall || upload.length == 0)
                && now - upload.lastUse >= Self.leastPatience
        }
        guard let id = idle.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return false }
        uploads[id] = nil
        return true
    }
}

extension UploadQueue.Upload {
    fileprivate var isSmall: Bool { size <= UploadTable.smallSize }
}
