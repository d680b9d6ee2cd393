import FoundationEssentials
import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Performs the actions of the meeting machines of a session: one machine for each peer.
///
/// Messages bypass the hub; see ``LinkDriver``.
actor SessionHub {
    typealias Job = @Sendable () async -> Void

    let configuration: PeerSession.Configuration
    let transport: any PeerTransport
    let board: PeerBoard
    let inboxes: Inboxes
    let limits: LinkLimits
    let incarnation: Incarnation
    let admission: Admission
    nonisolated let resources: ResourceDesk
    var peers: [PeerID: PeerRecord] = [:]
    /// The members of the group.
    var roster: RosterStateMachine
    /// The last change of the roster that the application was shown.
    var shownChangeCount: UInt64 = 0
    /// Limits how many peers are dialed automatically at once.
    nonisolated let pace = DialPace()
    /// The calls of the application's handlers.
    nonisolated let handlers = HandlerCalls()
    /// The calls that save something; unlike those of handlers, they may still finish while the session ends.
    private nonisolated let keepers = HandlerCalls()
    var connections: [Int: ConnectionRecord] = [:]
    /// The calls that wait until the peer of a connection is known.
    var identities: [Int: IdentityCall] = [:]
    var port = 0
    /// The peers that discovery sees now, if they are invited automatically.
    var nearby: [String: NearbyCandidate] = [:]
    /// How many automatic invitations are running.
    var automaticCount = 0
    /// Signals that the peers nearby should be examined again.
    nonisolated let looks = ReadyQueue<Void>(maximumCount: 1)
    /// The failure of discovery that was reported last.
    var discoveryFailure: PeerError?
    /// The calls that announce this machine, in order: the last one counts.
    var announcements: [Announcement] = []
    /// The token of this session's share links.
    let token = LinkToken.random()
    var hasLeft = false
    /// The number of trusted peers that are being saved.
    var pinCount = 0
    /// Resumes when no connection is left and all trusted peers are saved.
    var whenAtRest: CheckedContinuation<Void, Never>?
    private(set) var lastNumber = 0
    private let jobs: AsyncStream<Job>
    private nonisolated let addJob: AsyncStream<Job>.Continuation

    init(
        _ configuration: PeerSession.Configuration,
        _ transport: any PeerTransport,
        _ board: PeerBoard,
        _ inboxes: Inboxes
    ) throws(PeerError) {
        guard (1...63).contains(configuration.maximumPeers) else {
            throw PeerError(.invalidArgument, "The number of peers must be from 1 to 63.")
        }
        guard (1024...16_777_216).contains(configuration.buffers.maximumMessageLength),
            configuration.buffers.outboxLength > 0
        else {
            throw PeerError(.invalidArgument, "The longest message must have from 1,024 to 16,777,216 bytes.")
        }
        var configuration = configuration
        let largest = configuration.connections.limits.maximumResourceSize
        configuration.maximumResourceSize = min(configuration.maximumResourceSize, largest)
        // Every hello names this limit, so that peers do not offer larger resources.
        configuration.connections.limits.maximumResourceSize = configuration.maximumResourceSize
        self.configuration = configuration
        self.transport = transport
        self.incarnation = Incarnation(high: transport.random(), low: transport.random())
        self.board = board
        self.inboxes = inboxes
        var limits = LinkLimits.standard
        limits.maximumMessageLength = configuration.buffers.maximumMessageLength
        limits.maximumOutboxLength = configuration.buffers.outboxLength
        // A part of the budget, as long as the longest message, is reserved. Other streams need room beside it.
        limits.windowBudget = max(limits.windowBudget, 2 * configuration.buffers.maximumMessageLength)
        limits.reconnectionWindow = configuration.reconnection.window
        self.limits = limits
        self.roster = RosterStateMachine(
            own: MemberRecord(
                id: configuration.local.id,
                incarnation: incarnation,
                displayName: configuration.local.displayName,
                platform: configuration.local.platform,
                software: configuration.local.software
            ),
            introduces: configuration.topology == .mesh
        )
        self.admission = Admission(configuration.connections, linkToken: token, logger: configuration.logger)
        let (jobs, addJob) = AsyncStream.makeStream(of: Job.self)
        (self.jobs, self.addJob) = (jobs, addJob)
        self.resources = ResourceDesk(
            ResourceDesk.Session(
                configuration: configuration,
                transport: transport,
                incarnation: incarnation,
                spawn: { if case .enqueued = addJob.yield($0) { true } else { false } }
            )
        )
    }

    /// This machine's id.
    var localID: PeerID { configuration.local.id }

    var clock: any PeerClock { transport.clock }

    nonisolated var logger: Logger { configuration.logger }

    /// Starts work that runs concurrently with the hub until the session ends.
    ///
    /// - Returns: Whether it runs; false if the session has ended.
    @discardableResult
    nonisolated func spawn(_ job: @escaping Job) -> Bool {
        if case .enqueued = addJob.yield(job) { true } else { false }
    }

    /// Runs the session until ``leave(telling:within:)``.
    ///
    /// - Parameter listening: Called once, when this machine listens.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotListen``.
    func run(listening: @escaping @Sendable () -> Void) async throws {
        if let executor = transport.executor {
            try await withTaskExecutorPreference(executor) { try await listen(listening) }
        } else {
            try await listen(listening)
        }
    }

    private func listen(_ listening: @escaping @Sendable () -> Void) async throws {
        defer { finishAll() }
        try await transport.withListener(
            local: configuration.local,
            port: configuration.port,
            configuration: configuration.connections,
            incarnation: incarnation,
            admission: admission,
            accept: { connection, place in await self.accepted(connection, place) },
            body: { port in
                await self.listens(on: port)
                listening()
                await self.work()
            }
        )
    }

    private func listens(on port: Int) {
        self.port = port
        noteOwnAddresses()
        logger.debug("listening", metadata: ["port": "\(port)"])
    }

    /// Runs all jobs until the session ends.
    private func work() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watch() }
            if configuration.invites != .manually {
                group.addTask { await self.watchNearby() }
                group.addTask { await self.inviteNearby() }
            }
            for await job in jobs { group.addTask { await job() } }
            // Some jobs wait for these calls, and no later job can end them.
            failCalls()
            group.cancelAll()
        }
    }

    /// Fails all calls that wait for a link.
    private func failCalls() {
        for call in identities.values { call.continuation.resume(returning: .failure(.taskCancelled)) }
        identities = [:]
        for id in Array(peers.keys) { failWishes(of: id, .taskCancelled) }
    }

    /// Ends the jobs.
    func stopWork() { addJob.finish() }

    private func finishAll() {
        hasLeft = true
        addJob.finish()
        // A call of `leave` may still be waiting for connections to close. Nothing else would resume it.
        noteRest(evenIfBusy: true)
        handlers.endAll()
        for id in Array(peers.keys) {
            if let link = peers[id]?.link {
                link.end(.notConnected)
                resources.ended(link)
            }
            board.set(nil, for: id)
        }
        failCalls()
        endAnnouncements()
        inboxes.finish()
        resources.finish()
        board.finish()
    }

    /// Returns the next number of a connection or a call.
    func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Runs code of the application, which may block, on separate threads.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the session ends before `body` returns.
    nonisolated func callOut<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await handlers.call(on: transport.applicationExecutor ?? globalConcurrentExecutor, body)
    }

    /// Runs code of the application as ``callOut(_:)`` does, and lets it finish while the session ends.
    nonisolated func keeping(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await keepers.call(on: transport.applicationExecutor ?? globalConcurrentExecutor, body)
    }
}
