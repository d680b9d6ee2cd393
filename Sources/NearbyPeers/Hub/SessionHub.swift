import Logging
import PeerCore
import PeerProtocol

/// Performs what the machines of a session decide.
///
/// ``PeerStateMachine`` decides about each peer, `ConversationStateMachine` about each connection, `RosterStateMachine`
/// about members, and ``NearbyInviter`` about peers nearby. Messages bypass the hub; see ``LinkDriver``.
actor SessionHub {
    let configuration: PeerSession.Configuration
    let transport: any PeerTransport
    let states: PeerStates
    let inboxes: Inboxes
    let admission: Admission
    nonisolated let resources: ResourceTransfers
    nonisolated let work: HubWork
    let dialer: Dialer
    var peers: PeerTable
    var connections = ConnectionTable()
    /// The calls that wait for a link.
    var calls = LinkCalls()
    /// The members of the group.
    var roster: RosterStateMachine
    /// Decides which peers nearby are invited.
    var inviter = NearbyInviter()
    var presence: Presence
    var departure = Departure()

    init(
        _ configuration: PeerSession.Configuration,
        _ transport: any PeerTransport,
        _ states: PeerStates,
        _ inboxes: Inboxes
    ) throws(PeerError) {
        let configuration = try configuration.checked()
        self.configuration = configuration
        self.transport = transport
        self.dialer = Dialer(configuration: configuration, transport: transport)
        let incarnation = Incarnation(high: transport.random(), low: transport.random())
        self.peers = PeerTable(configuration)
        self.states = states
        self.inboxes = inboxes
        self.roster = RosterStateMachine(configuration, incarnation)
        let presence = Presence(token: .random())
        self.presence = presence
        self.admission = Admission(configuration.connections, shareToken: presence.token, logger: configuration.logger)
        let work = HubWork(transport)
        self.work = work
        self.resources = ResourceTransfers(
            ResourceTransfers.Session(
                configuration: configuration,
                transport: transport,
                incarnation: incarnation,
                spawn: { work.add($0) }
            )
        )
    }

    /// This machine's id.
    var localID: PeerID { configuration.local.id }
    /// Which run of this program it is.
    var incarnation: Incarnation { roster.own.incarnation }
    var clock: any PeerClock { transport.clock }
    nonisolated var logger: Logger { configuration.logger }
    var hasLeft: Bool { departure.hasLeft }

    /// Runs the session until ``leave(telling:within:)``; calls `listening` once, when this machine listens.
    func run(listening: @escaping @Sendable () -> Void) async throws {
        try await withTaskExecutorPreference(transport.executor) { try await listen(listening) }
    }

    private func listen(_ listening: @escaping @Sendable () -> Void) async throws {
        defer { finishAll() }
        try await transport.withListener(
            local: configuration.local,
            port: configuration.port,
            configuration: configuration.connections,
            incarnation: incarnation,
            admission: admission,
            accept: { connection, slot in await self.accepted(connection, slot) },
            body: { port in
                await self.listens(on: port)
                listening()
                await self.runJobs()
            }
        )
    }

    private func listens(on port: Int) {
        presence.port = port
        noteOwnAddresses()
        logger.debug("listening", metadata: ["port": "\(port)"])
    }

    /// Runs all jobs until the session ends.
    private func runJobs() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watch() }
            if configuration.invites != .manually {
                group.addTask { await self.browsing.watch() }
                group.addTask { await self.inviteNearby() }
            }
            for await job in work.jobs { group.addTask { await job() } }
            // Some jobs wait for these calls, and no later job can end them.
            failCalls()
            group.cancelAll()
        }
    }

    private static let interval: Duration = .milliseconds(250)
    private static let addressInterval: Duration = .seconds(5)

    /// Checks the timers of all connections, peers and members until the session ends.
    private func watch() async {
        var nextLookAtAddresses = clock.now
        while (try? await clock.sleep(for: Self.interval)) != nil {
            let now = clock.now
            if now >= nextLookAtAddresses {
                nextLookAtAddresses = now + Self.addressInterval
                noteOwnAddresses()
            }
            for number in connections.numbers { act(number) { $0.tick(at: now) } }
            dropUnread(at: now)
            lookAtMembers(at: now)
            let patience = configuration.reconnection.patience
            for id in peers.ids where peers[id] != nil {
                apply(id) { $0.tick(patience: patience, isInRoster: isInRoster(id), at: now) }
            }
        }
    }

    /// Fails all calls that wait for a link.
    private func failCalls() {
        for number in connections.numbers { calls.fail(connection: number, .taskCancelled) }
        for id in peers.ids { apply(id) { $0.finishCalls(.taskCancelled) } }
    }

    private func finishAll() {
        departure.hasLeft = true
        work.finish()
        // A call of `leave` may still be waiting for connections to close. Nothing else would resume it.
        noteRest(evenIfBusy: true)
        work.handlers.endAll()
        for id in peers.ids { endLink(of: id, .notConnected) }
        failCalls()
        presence.endAnnouncements()
        inboxes.finish()
        resources.finish()
        states.finish()
    }
}
