public import FoundationEssentials
public import PeerCore
import PeerProtocol

extension PeerSession {
    /// Announces this machine until the task is cancelled, and then returns.
    ///
    /// A second call changes the announcement: of the calls that are running, the last one counts. If discovery does not work,
    /// the event ``PeerEvent/announcement(_:)`` says so, and the machine is announced as soon as discovery works.
    ///
    /// - Parameters:
    ///   - info: What peers can see before they connect, such as `["role": "client"]`. See `DiscoveryRules`.
    ///   - name: The name that people see; nil for the name of ``PeerSession/local``, also when that changes.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the info breaks a rule, with
    ///   `PeerError.Code.discoveryUnavailable` if the machine can never be announced, with `PeerError.Code.notConnected` if the
    ///   session has ended.
    public func advertise(info: [String: String] = [:], name: String? = nil) async throws(PeerError) {
        try DiscoveryRules.check(info)
        try await hub.advertise(info, name)
    }

    /// Changes the name under which this machine is shown; peers that are connected see it, too, at the latest after a second.
    ///
    /// A peer that trusts another machine of this name still shows the earlier name, or the one under which it trusts this machine.
    /// If it does not trust this machine, it refuses the next connection: as anywhere, the name of a trusted peer with another key
    /// is that of an impostor.
    ///
    /// - Parameter name: The name that people see; at most 63 bytes of UTF-8 are sent.
    public func rename(_ name: String) async { await hub.rename(name) }

    /// The peers nearby; looks for them while the sequence is iterated.
    public func browse() -> PeerBrowsing { hub.browsing }

    /// Invites a peer that discovery has found; returns when the peer is connected, at once if it already is.
    ///
    /// It does not matter if the peer invites this machine at the same time.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - context: Data for the application at the other side, at most 4,096 bytes.
    ///   - timeout: How long to wait, from 1 second to 1 hour.
    /// - Returns: The peer's id.
    /// - Throws: `PeerError` with `PeerError.Code.declined`, `PeerError.Code.busy`, `PeerError.Code.notTrusted`,
    ///   `PeerError.Code.timedOut`, `PeerError.Code.cannotConnect` and others; `PeerError.Code.invalidArgument` if the time-out is
    ///   shorter or longer than allowed.
    @discardableResult
    public func invite(
        _ peer: NearbyPeer,
        context: Data? = nil,
        timeout: Duration = .seconds(30)
    ) async throws(PeerError) -> PeerID {
        try await hub.invite(Destination(peer), peer.peerID, .init(context: context, timeout: timeout))
    }

    /// Invites the peer at an address; returns when it is connected.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the peer, the most promising first.
    ///   - expected: The only id that is accepted; nil to accept any.
    ///   - context: Data for the application at the other side, at most 4,096 bytes.
    ///   - timeout: How long to wait, from 1 second to 1 hour.
    /// - Returns: The peer's id.
    /// - Throws: As ``invite(_:context:timeout:)``.
    @discardableResult
    public func invite(
        at addresses: [PeerAddress],
        expecting expected: PeerID? = nil,
        context: Data? = nil,
        timeout: Duration = .seconds(30)
    ) async throws(PeerError) -> PeerID {
        let destination = Destination(texts: addresses.map(\.text), expected: ExpectedPeer(id: expected))
        return try await hub.invite(destination, expected, .init(context: context, timeout: timeout))
    }

    /// Connects to the peer that a share link names, without a question on either side and without digits.
    ///
    /// - Returns: The peer's id.
    /// - Throws: As ``invite(_:context:timeout:)``.
    @discardableResult
    public func join(_ link: ShareLink, timeout: Duration = .seconds(30)) async throws(PeerError) -> PeerID {
        let expected = ExpectedPeer(id: nil, prefix: link.sender)
        let destination = Destination(texts: link.addresses.map(\.text), expected: expected)
        return try await hub.invite(destination, nil, .init(token: link.token, timeout: timeout))
    }

    /// Makes a share link, which admits every peer that has it until the session ends.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if this machine has no address, with
    ///   `PeerError.Code.notConnected` if the session has ended.
    public func makeShareLink() async throws(PeerError) -> ShareLink { try await hub.makeShareLink() }

    /// The invitations of peers; read by one reader at a time.
    ///
    /// An invitation that comes before the first reader waits for it, for ``BufferLimits/readerPatience``. Without a reader, the peer
    /// is then told that this side is busy; a peer that invites by itself (``PeerSession/Configuration/invites``) tries again.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if there is a reader.
    public func invitations() throws(PeerError) -> IncomingInvitations {
        IncomingInvitations(reader: try inboxes.readInvitations())
    }

    /// All peers that this session knows, with their states.
    public var peers: [SessionPeer] { states.peers }

    /// The peers that are connected.
    public var connectedPeers: Set<PeerID> { Set(states.peers.filter { $0.state == .connected }.map(\.id)) }

    /// Which members of the group are linked with one another, including this machine, according to the members' reports.
    ///
    /// If some members cannot reach each other, this shows which links exist. Nothing proves the reports of other members.
    public var links: [PeerID: Set<PeerID>] { states.groupLinks }

    /// All peers that this session knows, now and after each change; each element lists all of them.
    ///
    /// A reader that is late gets the newest list only.
    ///
    /// ```swift
    /// for await peers in session.peerLists() { show(peers.map(\.displayName)) }
    /// ```
    public func peerLists() -> PeerLists { PeerLists(states: states) }

    /// A peer; nil if the session does not know it.
    public func peer(_ id: PeerID) -> SessionPeer? { states.peer(id) }

    /// The name that a peer has chosen, or its short id if the name is not known; also the name of this machine.
    ///
    /// Escape it before you show it.
    public func name(of peer: PeerID) -> String { states.name(of: peer) }

    /// All events from now on; each caller gets all of them.
    public func events() -> PeerEvents { states.events() }

    /// Whether a peer understands messages or requests of a type, in its version.
    public func understands(_ type: any PeerValue.Type, at peer: PeerID) -> Bool {
        guard let version = states.link(peer)?.peerTypes[type.messageName] else { return false }
        return Int(version) >= type.messageVersion
    }

    /// Ends the link with a peer, and refuses the peer until it is invited again or the session ends.
    ///
    /// What still waits for the peer is lost: ``flush(to:timeout:)-(PeerID,_)`` first. The peer sees ``DisconnectReason/disconnected(_:)`` with
    /// the reason. If its connection is broken, it does not hear the reason now, and is declined when it comes back.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - reason: What the peer is told, at most 1,000 bytes.
    public func disconnect(_ peer: PeerID, telling reason: String = "") async {
        await hub.disconnect(peer, telling: reason)
    }

    /// Tests the link with a peer: sends a ping, and waits for the answer.
    ///
    /// - Returns: The time between ping and answer.
    /// - Throws: `PeerError` with `PeerError.Code.notConnected`, `PeerError.Code.timedOut`.
    public func roundTrip(to peer: PeerID, timeout: Duration = .seconds(1)) async throws(PeerError) -> Duration {
        try await hub.roundTrip(to: peer, timeout)
    }

    /// What has gone over the link with a peer, and what waits; nil if there is no link.
    public func statistics(of peer: PeerID) async -> PeerStatistics? { await hub.statistics(of: peer) }

    /// Sends what is waiting, tells the peers that this machine is leaving, and ends the session.
    ///
    /// - Parameters:
    ///   - reason: What the peers are told, at most 1,000 bytes.
    ///   - limit: How long to wait for peers that do not read, and for handlers that do not return; at least 0.25 s.
    public func leave(telling reason: String = "", within limit: Duration = .seconds(2)) async {
        let clock = hub.transport.clock
        let end = clock.now + limit
        await hub.announceLeaving()
        let links = states.links
        // By the system's clock, so that a session ends even if a test's clock stands still.
        let drainTime = max(.zero, limit - SessionHub.farewellTime)
        try? await SystemClock().within(drainTime, orThrow: .notFlushed) { () async throws(PeerError) in
            for link in links { try? await link.drain() }
        }
        await hub.leave(telling: reason, within: max(end - clock.now, SessionHub.farewellTime))
    }
}

extension PeerSession {
    /// The port on which this machine listens.
    public var port: Int { get async { await hub.presence.port } }

    /// The addresses at which this machine listens, for ``invite(at:expecting:context:timeout:)`` on another one; the most useful
    /// first.
    public var addresses: [PeerAddress] { get async { await hub.ownAddresses } }
}

extension PeerSession {
    /// How many connections carry the link with each peer.
    package func carrierCounts() async -> [PeerID: Int] { await hub.carrierCounts }
}
