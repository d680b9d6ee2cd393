import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
import PeerCore
import PeerProtocol
import PeerStorage

/// Performs the actions of the resource machines: one machine for each resource that is offered, in either direction.
///
/// A lock protects the machines. Their actions are performed after the lock is released.
final class ResourceTransfers: Sendable {
    /// The maximum number of resources of a peer that are offered or being transferred, in each direction.
    static let maximumCount = 16
    /// How long the application may take to answer an offer.
    static let answerTimeout: Duration = .seconds(600)

    /// What resources need of their session.
    struct Session: Sendable {
        var configuration: PeerSession.Configuration
        var transport: any PeerTransport
        var incarnation: Incarnation
        /// Starts work that runs until the session ends; returns false if the session has ended.
        var spawn: @Sendable (@escaping @Sendable () async -> Void) -> Bool
    }

    /// Identifies a resource: the peer and the transfer.
    struct Key: Hashable, Sendable {
        var peer: PeerID
        var transfer: UUID
    }

    struct State: Sendable {
        var resources: [Key: ResourceRecord] = [:]
        /// The links and their connections.
        var carriers: [PeerID: Carrier] = [:]
        /// The number of attached connections of each resource that have not ended, including those that were given up.
        var jobs: [Key: Int] = [:]
        /// The outcomes of resources whose attached connections have not ended yet.
        var endings: [Key: Ending] = [:]
        var hasEnded = false
    }

    /// The outcome of a resource.
    struct Ending: Sendable {
        var role: ResourceStateMachine.Role
        var watch: ResourceWatch
        var result: Result<TransferReceipt, PeerError>
    }

    /// The link with a peer, and the connection that carries it.
    struct Carrier: Sendable {
        var link: LinkDriver
        /// The number of the connection on the link; nil while there is none.
        var connection: UInt64?
        /// Whether this side was the listener of the connection.
        var listens = false
        /// The addresses at which the other side listens, as `HOST:PORT`, if this side dialed.
        var addresses: [String] = []
    }

    /// The offers of peers that wait for the application.
    let offers = ReadyQueue<ResourceOffer>()
    let session: Session
    let state = NIOLockedValueBox(State())

    init(_ session: Session) { self.session = session }

    var clock: any PeerClock { session.transport.clock }
    var logger: Logger { session.configuration.logger }

    /// The number of attached connections that have not ended, and of resources that are offered or being transferred.
    var counts: (connections: Int, resources: Int) {
        state.withLockedValue { ($0.jobs.values.reduce(0, +), $0.resources.count) }
    }

    // MARK: Events

    /// Passes an event to the machine of a resource, and performs its actions.
    func advance(_ key: Key, _ event: (inout ResourceStateMachine) -> [ResourceStateMachine.Action]) {
        let (actions, record) = state.withLockedValue { state -> ([ResourceStateMachine.Action], ResourceRecord?) in
            guard var record = state.resources[key] else { return ([], nil) }
            let actions = event(&record.machine)
            state.resources[key] = record
            return (actions, record)
        }
        guard let record else { return }
        for action in actions { perform(action, key, record) }
    }

    /// Handles a notice about a resource; called in the order of arrival.
    func received(_ notice: ResourceNotice, on link: LinkDriver) {
        let key = Key(peer: link.peer, transfer: notice.transfer)
        switch notice.verb {
        case .offer(let offer): receivedOffer(offer, key, link)
        case .accept: receivedAccept(key, link)
        case .decline(let refusal): advance(key) { $0.receivedDecline(refusal) }
        case .cancel(let reason): advance(key) { $0.receivedCancel(reason: reason) }
        case .attach(let secret): advance(key) { $0.receivedAttach(secret) }
        case .received: advance(key) { $0.receivedReceived() }
        }
    }

    private func receivedAccept(_ key: Key, _ link: LinkDriver) {
        // The offer was given up before its notice was sent. The other side must not wait for it.
        guard state.withLockedValue({ $0.resources[key] != nil }) else {
            return tell(.cancel(reason: "The offer was withdrawn."), key, link)
        }
        advance(key) { $0.receivedAccept() }
    }

    private func receivedOffer(_ offer: ResourceNotice.Offer, _ key: Key, _ link: LinkDriver) {
        let isTooLarge = offer.size > session.configuration.maximumResourceSize
        let (refusal, isKnown) = state.withLockedValue { state -> (Refusal?, Bool) in
            guard state.resources[key] == nil else { return (nil, true) }
            if isTooLarge { return (.resourceTooLarge(session.configuration.maximumResourceSize), false) }
            guard state.incoming(from: key.peer) < Self.maximumCount else { return (.tooManyResources, false) }
            let carrier = state.carriers[key.peer]
            let listens = carrier?.connection == nil ? nil : carrier?.listens
            state.resources[key] = ResourceRecord(.receiving, link, listens: listens, offer: offer)
            return (nil, false)
        }
        // An honest peer never uses an id twice.
        guard !isKnown else { return }
        if let refusal { return tell(.decline(refusal), key, link) }
        logger.debug("resource offered", metadata: ["peer": "\(key.peer.short)", "size": "\(offer.size)"])
        limitAnswer(key)
        if !offers.add(ResourceOffer(offer, key, transfers: self)) { advance(key) { $0.declined(.tooManyResources) } }
        // If the link ended before the offer was stored, nothing else ends the offer.
        if link.inspect({ $0.failure != nil }) {
            advance(key) { $0.linkEnded() }
            offers.removeAll { $0.key == key }
        }
    }

    /// Declines an offer that is not answered in time.
    private func limitAnswer(_ key: Key) {
        let cancel = clock.schedule(at: clock.now.advanced(by: Self.answerTimeout)) { [weak self] in
            self?.advance(key) { $0.declined(.resourceNotAnswered) }
        }
        let isOffered = state.withLockedValue { state in
            // The application may have answered before the timer was set.
            guard state.resources[key]?.machine.isOffered == true else { return false }
            state.resources[key]?.cancelAnswerTimer = cancel
            return true
        }
        if !isOffered { cancel() }
    }

    /// Notes that a connection carries the link with a peer.
    func attached(_ link: LinkDriver, _ connection: UInt64, listens: Bool, addresses: [String]) {
        let keys = state.withLockedValue { state in
            state.carriers[link.peer] = Carrier(
                link: link,
                connection: connection,
                listens: listens,
                addresses: addresses
            )
            return state.keys(on: link)
        }
        for key in keys { advance(key) { $0.linkAttached(listens: listens) } }
    }

    /// Notes that a connection does not carry the link any more.
    func detached(_ link: LinkDriver, _ connection: UInt64) {
        let keys = state.withLockedValue { state -> [Key] in
            guard state.carriers[link.peer]?.connection == connection else { return [] }
            state.carriers[link.peer]?.connection = nil
            return state.keys(on: link)
        }
        for key in keys {
            advance(key) {
                $0.linkDetached()
                return []
            }
        }
    }

    /// Ends the resources of a link that has ended.
    func ended(_ link: LinkDriver) {
        let keys = state.withLockedValue { state -> [Key] in
            if state.carriers[link.peer]?.link === link { state.carriers[link.peer] = nil }
            return state.keys(on: link)
        }
        for key in keys { advance(key) { $0.linkEnded() } }
    }

    /// Gives up all resources: the session has ended.
    func finish() {
        let keys = state.withLockedValue { state -> [Key] in
            state.hasEnded = true
            return Array(state.resources.keys)
        }
        for key in keys { advance(key) { $0.cancelled(reason: "The other side has left.") } }
        offers.finish()
    }
}

extension ResourceTransfers.State {
    /// The resources that belong to a link.
    func keys(on link: LinkDriver) -> [ResourceTransfers.Key] {
        resources.filter { $0.value.link === link }.map(\.key)
    }

    /// The number of resources that a peer offers or sends, including those that were given up and have not ended yet.
    func incoming(from peer: PeerID) -> Int { count(.receiving, peer) }

    /// The number of resources that are offered or sent to a peer, including those that were given up and have not ended yet.
    func outgoing(to peer: PeerID) -> Int { count(.offering, peer) }

    private func count(_ role: ResourceStateMachine.Role, _ peer: PeerID) -> Int {
        resources.count { $0.key.peer == peer && $0.value.role == role }
            + endings.count { $0.key.peer == peer && $0.value.role == role }
    }
}
