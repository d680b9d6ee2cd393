/// Decides what happens to one resource that a side offers on a link, or is offered.
///
/// A pure value. Notices about the resource are sent over the link, as ``ResourceNotice``. The resource itself is sent
/// over a connection of its own, an *attached* connection. The link's listener allows an attached connection; the
/// link's dialer opens it. If it breaks, another one is allowed and opened, and carries only the missing chunks.
///
/// Each event returns what to do, in order. An event that comes too late, because the words of the two sides have crossed,
/// changes nothing.
package struct ResourceStateMachine: Hashable, Sendable {
    /// Which side of the resource this is.
    package enum Role: Hashable, Sendable {
        /// This side offers it.
        case offering
        /// The other side offers it.
        case receiving
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Tell the other side, over the link.
        case tell(Word)
        /// Expect an attached connection, and tell the other side its secret.
        case expect
        /// Open an attached connection, and present this secret.
        case dial(ConnectionSecret)
        /// Call ``ResourceStateMachine/retry()`` after a pause.
        case retryLater
        /// End the attached connection that is being made or used, for this reason.
        case stop(reason: String)
        /// Close the attached connection that is being made or used without a word, unless all of the resource has arrived.
        case abandon
        /// The resource is done with, in this way.
        case finish(Outcome)
    }

    /// What the other side is told.
    package enum Word: Hashable, Sendable {
        /// This side wants the resource.
        case accept
        /// This side does not want it.
        case decline(Refusal)
        /// This side gives it up.
        case cancel(reason: String)
        /// This side has all of it.
        case received
    }

    /// How it has ended.
    package enum Outcome: Hashable, Sendable {
        /// The receiver has all of it.
        case received
        /// The receiver does not want it.
        case declined(Refusal)
        /// This side has given it up.
        case cancelled
        /// The other side has given it up.
        case cancelledByPeer(reason: String)
        /// The attached connection has failed for a reason that trying again does not mend; the driver knows which.
        case failed
        /// Attached connections broke too often.
        case brokeTooOften
        /// The link has ended.
        case linkEnded
        /// Everything was sent, but the link ended before the receiver said that it has it.
        case unknown
    }

    /// How an attached connection has ended.
    package enum Carriage: Hashable, Sendable {
        /// The receiver has all of it.
        case complete
        /// It was not made, or it broke.
        case broken
        /// Everything was sent, but the receiver's last word did not come.
        case unconfirmed
        /// It has failed for this reason.
        case failed(reason: String)
    }

    /// How often an attached connection may break.
    package static let maximumAttempts = 10

    private enum Phase: Hashable {
        /// The answer to the offer is awaited.
        case offered
        /// The resource is wanted, and no connection is under way.
        case accepted
        /// An attached connection is being made or used.
        case carrying
        /// Final.
        case ended
    }

    private let role: Role
    private var phase = Phase.offered
    /// Whether this side listened when the link's connection was made; nil while there is no connection.
    private var listens: Bool?
    private var attempts = 0
    /// The newest secret of the other side, while an attached connection is being stopped for it.
    private var nextSecret: ConnectionSecret?
    private var hasLinkEnded = false
    /// Whether everything was sent once, so that the receiver may have it.
    private var mayBeReceived = false

    /// Creates a machine for an offer that was sent or has come.
    ///
    /// - `listens`: Whether this side listened when the link's connection was made; nil while there is no connection.
    package init(_ role: Role, listens: Bool?) {
        self.role = role
        self.listens = listens
    }

    /// Whether it is done with.
    package var hasEnded: Bool { phase == .ended }

    /// Whether the offer is not answered yet.
    package var isOffered: Bool { phase == .offered }

    // MARK: The application

    /// The application wants what it is offered.
    package mutating func accepted() -> [Action] {
        guard role == .receiving, phase == .offered else { return [] }
        phase = .accepted
        return [.tell(.accept)] + begin()
    }

    /// The application does not want what it is offered.
    package mutating func declined(_ refusal: Refusal) -> [Action] {
        guard role == .receiving, phase == .offered else { return [] }
        return [.tell(.decline(refusal))] + finish(.declined(refusal))
    }

    /// The application gives the resource up.
    package mutating func cancelled(reason: String) -> [Action] {
        guard phase != .ended else { return [] }
        return [.tell(.cancel(reason: reason)), .stop(reason: reason)] + finish(.cancelled)
    }

    // MARK: The other side

    /// The other side wants the resource.
    package mutating func receivedAccept() -> [Action] {
        guard role == .offering, phase == .offered else { return [] }
        phase = .accepted
        return begin()
    }

    /// The other side does not want the resource.
    package mutating func receivedDecline(_ refusal: Refusal) -> [Action] {
        guard role == .offering, phase == .offered else { return [] }
        return finish(.declined(refusal))
    }

    /// The other side gives the resource up.
    package mutating func receivedCancel(reason: String) -> [Action] {
        guard phase != .ended else { return [] }
        return [.stop(reason: reason)] + finish(.cancelledByPeer(reason: reason))
    }

    /// The other side has all of the resource.
    package mutating func receivedReceived() -> [Action] {
        // Before it was wanted, this is not true.
        guard role == .offering, phase != .ended, phase != .offered else { return [] }
        return finish(.received)
    }

    /// The other side lets this side open an attached connection.
    package mutating func receivedAttach(_ secret: ConnectionSecret) -> [Action] {
        guard listens == false else { return [] }
        switch phase {
        case .offered, .ended:
            return []
        case .carrying:
            // The other side knows before this one that the connection is broken. Only one is open at a time.
            defer { nextSecret = secret }
            return nextSecret == nil ? [.stop(reason: "")] : []
        case .accepted:
            phase = .carrying
            return [.dial(secret)]
        }
    }

    // MARK: The link

    /// A connection carries the link.
    package mutating func linkAttached(listens: Bool) -> [Action] {
        self.listens = listens
        return phase == .accepted ? begin() : []
    }

    /// The link has no connection.
    package mutating func linkDetached() { listens = nil }

    /// The link has ended.
    package mutating func linkEnded() -> [Action] {
        hasLinkEnded = true
        listens = nil
        switch phase {
        case .offered, .accepted: return finish(lost)
        // If all has arrived, it is kept. So the outcome is known when the attached connection has ended.
        case .carrying: return [.abandon]
        case .ended: return []
        }
    }

    // MARK: The attached connection

    /// The attached connection has ended, or was not made.
    package mutating func carried(_ carriage: Carriage) -> [Action] {
        guard phase == .carrying else { return [] }
        if let secret = nextSecret, carriage != .complete { return stopped(carriage, next: secret) }
        switch carriage {
        case .complete:
            let words: [Action] = role == .receiving && !hasLinkEnded ? [.tell(.received)] : []
            return words + finish(.received)
        case .failed(let reason):
            return (hasLinkEnded ? [] : [.tell(.cancel(reason: reason))]) + finish(.failed)
        case .unconfirmed:
            // If the receiver has it, its word is on the way; if not, the rest is sent again.
            mayBeReceived = true
            return broke()
        case .broken:
            return broke()
        }
    }

    /// The attached connection was stopped for another one.
    private mutating func stopped(_ carriage: Carriage, next secret: ConnectionSecret) -> [Action] {
        nextSecret = nil
        if carriage == .unconfirmed { mayBeReceived = true }
        let actions = broke()
        guard phase == .accepted, listens == false else { return actions }
        phase = .carrying
        return [.dial(secret)]
    }

    private mutating func broke() -> [Action] {
        phase = .accepted
        attempts += 1
        if hasLinkEnded { return finish(lost) }
        guard attempts < Self.maximumAttempts else {
            return [.tell(.cancel(reason: "The connection broke too often."))]
                + finish(mayBeReceived ? .unknown : .brokeTooOften)
        }
        return [.retryLater]
    }

    private var lost: Outcome { mayBeReceived ? .unknown : .linkEnded }

    /// Some bytes have come over the attached connection: it does not count as broken in a row with earlier ones.
    package mutating func moved() { attempts = 0 }

    /// The pause after a broken attached connection is over.
    package mutating func retry() -> [Action] { phase == .accepted ? begin() : [] }

    private mutating func begin() -> [Action] {
        guard listens == true else { return [] }
        phase = .carrying
        return [.expect]
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        phase = .ended
        return [.finish(outcome)]
    }
}
