import NIOCore
import PeerCore
import PeerProtocol

/// What the hub needs to perform the actions of one peer's machine.
struct PeerEntry: Sendable {
    /// Decides about the peer.
    var machine: PeerStateMachine
    /// The peer's latest description of itself.
    private(set) var remote: RemotePeer?
    /// The peer's name from discovery or from an introduction.
    var sightedName: String?
    /// The name under which the peer wants to be shown, while the trust store is asked about it.
    var wantedName: String?
    /// The names under which the peer was not shown, because trusted peers have them.
    var refusedNames = LinkState.ReportLimit()
    private var isVerified = false
    var link: LinkDriver?
    /// The number of connections that have carried a link with the peer at this side.
    private(set) var attachCount: UInt64 = 0
    /// The connections that the machine knows.
    var connections: [MeetingConnection: Int] = [:]
    /// The largest resource that the peer accepts, in bytes.
    private(set) var maximumResourceSize = UInt64.max
    /// Where the peer is dialed, as discovery and the application say.
    private(set) var destination: Destination
    /// Where the peer says that it listens.
    private var namedAddresses: [String] = []
    /// The address of the last connection that has carried a link with the peer.
    private var lastAddress = ""
    /// Stops the attempt that is in progress.
    var stop: ReadyQueue<Void>?

    init(machine: PeerStateMachine) {
        self.machine = machine
        destination = Destination(expected: ExpectedPeer(id: machine.id))
    }

    /// Whether there is no link with the peer, no attempt to make one, and no open connection.
    var isIdle: Bool { machine.isIdle && link == nil && connections.isEmpty }

    /// The number of the connection that carries the link.
    var carrier: Int? { machine.meeting.link?.connection.flatMap { connections[$0] } }

    /// What stands in the way of a link with the peer, if it is a member that is not connected.
    var obstacle: RosterStateMachine.Obstacle { connections.isEmpty ? machine.obstacle : .isBusy }

    /// Stores what the peer states about itself.
    mutating func note(_ remote: RemotePeer, _ hello: Hello) {
        self.remote = remote
        maximumResourceSize = hello.maximumResourceSize
        if case .trusted = remote.trust { isVerified = true }
    }

    /// The peer is shown under another name.
    mutating func renamed(_ name: String) { remote?.displayName = name }

    /// Adds what a call knows of the peer.
    mutating func add(_ destination: Destination) {
        self.destination.add(destination)
        if let name = destination.name { sightedName = name }
    }

    /// A call has dialed an address, and the peer is there; the connection gets no name if it is not needed.
    mutating func adopt(
        _ number: Int,
        for call: (number: Int, wish: LinkCalls.IdentityCall),
        at now: ContinuousClock.Instant
    ) -> (name: MeetingConnection?, actions: [PeerAction]) {
        add(call.wish.destination)
        let (name, actions) = machine.adopted(call.wish.request, by: call.number, at: now)
        guard let name else { return (nil, actions) }
        // Replace an attempt that is still pausing or connecting.
        stop?.finish()
        stop = nil
        connections[name] = number
        return (name, actions)
    }

    /// Adds the addresses of the peer, which discovery sees.
    mutating func sighted(_ peer: NearbyPeer) { destination.add(peer.socketAddresses, local: peer.localAddresses) }

    /// A connection carries the link with the peer from now on.
    mutating func attach(_ connection: ConnectionRecord, _ terms: LinkTerms, _ link: LinkDriver) {
        self.link = link
        // Numbers of connections rise, so late events of older connections have no effect on the link.
        attachCount += 1
        destination.texts = []
        namedAddresses = terms.addresses
        lastAddress = connection.connection.remoteAddress
        if connection.conversation.state.isConfirmed || connection.remote?.isAdmittedByShareLink == true {
            isVerified = true
        }
    }

    /// Returns the addresses at which the peer is dialed.
    func destination(in networks: LocalNetworks, asMember: [String]) -> Destination {
        var destination = destination
        destination.texts += networks.nearby(namedAddresses, remote: lastAddress) + asMember
        return destination
    }

    /// Describes the peer, which may be a member of the group, for the application.
    func description(_ state: PeerState, _ member: RosterStateMachine.Member?) -> SessionPeer {
        SessionPeer(
            id: machine.id,
            displayName: remote?.displayName ?? sightedName ?? machine.id.short,
            platform: remote?.platform ?? member?.record.platform ?? "",
            software: remote?.software ?? member?.record.software ?? "",
            state: state,
            isVerified: isVerified,
            introducer: member?.introducer
        )
    }
}
