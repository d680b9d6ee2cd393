import Logging
import NIOConcurrencyHelpers
import PeerCore

/// The peers of a session and their states, which applications can read at any time and from any task.
final class PeerStates: Sendable {
    private static let maximumWaitingEvents = 256

    private struct State {
        var peers: [PeerID: SessionPeer] = [:]
        var links: [PeerID: LinkDriver] = [:]
        var losses: [PeerID: MessageLoss] = [:]
        var groupLinks: [PeerID: Set<PeerID>] = [:]
        var readers: [Int: AsyncStream<PeerEvent>.Continuation] = [:]
        /// Those that wait for anything to change.
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastReader = 0
        var isFinished = false
        /// Whether this machine has left, after which nothing is sent.
        var hasLeft = false
        var ownName: String
    }

    private let ownID: PeerID
    private let box: NIOLockedValueBox<State>
    private let logger: Logger

    init(local: LocalPeer, logger: Logger) {
        self.ownID = local.id
        self.box = NIOLockedValueBox(State(ownName: local.displayName))
        self.logger = logger
    }

    /// The name under which this machine is shown.
    var ownName: String { box.withLockedValue { $0.ownName } }

    /// Changes the name under which this machine is shown.
    func setOwnName(_ name: String) { box.withLockedValue { $0.ownName = name } }

    /// The name of a peer, or of this machine; the short id if no name is known.
    func name(of id: PeerID) -> String {
        box.withLockedValue { id == ownID ? $0.ownName : $0.peers[id]?.displayName ?? id.short }
    }

    /// All peers, by name.
    var peers: [SessionPeer] {
        box.withLockedValue { $0.peers.values.sorted { ($0.displayName, $0.id.hex) < ($1.displayName, $1.id.hex) } }
    }

    /// A peer; nil if it is not known in this session.
    func peer(_ id: PeerID) -> SessionPeer? { box.withLockedValue { $0.peers[id] } }

    /// The link with a peer; nil if there is none.
    func link(_ id: PeerID) -> LinkDriver? { box.withLockedValue { $0.links[id] } }

    /// The link with a peer; the error says whether the session has ended, or only the peer is not connected.
    func linked(_ id: PeerID) throws(PeerError) -> LinkDriver {
        let (link, hasLeft) = box.withLockedValue { ($0.links[id], $0.hasLeft) }
        guard let link else { throw hasLeft ? .sessionEnded : .notConnected }
        return link
    }

    /// Fails if the session has ended.
    func checkIsRunning() throws(PeerError) { if box.withLockedValue({ $0.hasLeft }) { throw .sessionEnded } }

    /// Notes that this machine has left.
    func leave() { box.withLockedValue { $0.hasLeft = true } }

    /// All links.
    var links: [LinkDriver] { box.withLockedValue { Array($0.links.values) } }

    /// Whether messages for a peer were lost; nil if there was no link with it.
    func knownLoss(of id: PeerID) -> MessageLoss? { box.withLockedValue { $0.losses[id] } }

    /// Where the links with a peer note that messages were lost.
    func loss(of id: PeerID) -> MessageLoss {
        box.withLockedValue { state in
            let loss = state.losses[id] ?? MessageLoss()
            state.losses[id] = loss
            return loss
        }
    }

    /// The peers that have a link, or for which messages were lost.
    var addressees: Set<PeerID> {
        box.withLockedValue { Set($0.links.keys).union($0.losses.filter { $0.value.isNoted }.keys) }
    }

    /// Which members are linked with one another, according to their reports.
    var groupLinks: [PeerID: Set<PeerID>] { box.withLockedValue { $0.groupLinks } }

    /// Sets which members are linked with one another, and reports a change.
    func setLinks(_ links: [PeerID: Set<PeerID>]) {
        let before = box.withLockedValue { state in
            defer { state.groupLinks = links }
            return state.groupLinks
        }
        if before != links { report(.linksChanged) }
    }

    /// Sets the link with a peer; nil if it has ended.
    func set(_ link: LinkDriver?, for id: PeerID) { box.withLockedValue { $0.links[id] = link } }

    /// Updates the description of a peer, and reports a change.
    func update(_ peer: SessionPeer) {
        let before = box.withLockedValue { $0.peers.updateValue(peer, forKey: peer.id) }
        guard before != peer else { return }
        if before?.state != peer.state {
            logger.info("state changed", metadata: ["peer": "\(peer.id.short)", "state": "\(peer.state.logText)"])
        }
        report(.changed(peer, before: before?.state))
    }

    /// Forgets a peer.
    func remove(_ id: PeerID) {
        let signals = box.withLockedValue { state in
            (state.peers[id], state.losses[id]) = (nil, nil)
            return Array(state.signals.values)
        }
        for signal in signals { signal.yield() }
    }

    /// Passes an event to all readers.
    func report(_ event: PeerEvent) {
        let (readers, signals) = box.withLockedValue { (Array($0.readers.values), Array($0.signals.values)) }
        for reader in readers { reader.yield(event) }
        for signal in signals { signal.yield() }
    }

    /// Returns the events from now on.
    func events() -> PeerEvents {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PeerEvent.self,
            bufferingPolicy: .bufferingNewest(Self.maximumWaitingEvents)
        )
        add(continuation, to: \.readers)
        return PeerEvents(stream: stream)
    }

    /// Returns a signal after each change from now on, several of which may be one signal.
    func changes() -> AsyncStream<Void> {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        add(signal, to: \.signals)
        return stream
    }

    /// Adds a reader, which is removed when its sequence ends; after the end of the session, its sequence ends at once.
    private func add<Element>(
        _ reader: AsyncStream<Element>.Continuation,
        to readers: any WritableKeyPath<State, [Int: AsyncStream<Element>.Continuation]> & Sendable
    ) {
        let number = box.withLockedValue { state -> Int? in
            guard !state.isFinished else { return nil }
            state.lastReader += 1
            state[keyPath: readers][state.lastReader] = reader
            return state.lastReader
        }
        guard let number else { return reader.finish() }
        reader.onTermination = { [weak self] _ in
            _ = self?.box.withLockedValue { $0[keyPath: readers].removeValue(forKey: number) }
        }
    }

    /// Ends all events: the session has ended.
    func finish() {
        let (readers, signals) = box.withLockedValue { state in
            defer { (state.readers, state.signals) = ([:], [:]) }
            (state.isFinished, state.hasLeft) = (true, true)
            return (Array(state.readers.values), Array(state.signals.values))
        }
        for reader in readers { reader.finish() }
        for signal in signals { signal.finish() }
    }
}

extension PeerState {
    /// The state for the log: without digits, names or reasons that a peer has chosen.
    var logText: String {
        switch self {
        case .connecting(.dialing): "dialing"
        case .connecting(.handshaking): "handshaking"
        case .connecting(.asking): "asking"
        case .connecting(.comparing): "comparing digits"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .unreachable: "unreachable"
        case .disconnected(.left): "disconnected: the peer has left"
        case .disconnected(.disconnected): "disconnected by the peer"
        case .disconnected(.endedByUs): "disconnected by this side"
        case .disconnected(.lost): "disconnected: lost"
        case .disconnected(.declined(let refusal)): "disconnected: declined (\(refusal.code))"
        case .disconnected(.failed(let error)): "disconnected: failed (\(error.code))"
        case .disconnected(.replaced): "disconnected: replaced"
        }
    }
}
