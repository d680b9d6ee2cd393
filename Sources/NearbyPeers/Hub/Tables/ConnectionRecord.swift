import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol

/// The hub's record of one connection.
struct ConnectionRecord {
    let number: Int
    let connection: any PeerConnection
    /// Drives the conversation on the connection.
    let conversation: ConversationDriver
    /// The connection's number in the admission; nil for a connection that this side has dialed.
    let slot: Int?
    /// The peer that this side has dialed; nil if its id was not known then, or if the peer has dialed.
    private(set) var dialed: PeerID?
    /// Passes frames to the link that the connection carries.
    let route = Route()
    /// The name of the connection in the peer's meeting machine; nil if that machine does not know it.
    var name: MeetingConnection?
    /// The name under which the peer is shown; nil before the trust store has answered.
    var shownName: String?
    var certificate: [UInt8] = []
    /// The relation to the peer that the certificate handler was told; nil before that.
    var relation: PeerRelation?
    /// The peer's request for a link, or its answer.
    var terms: LinkTerms?
    /// The call that waits until the peer is known; nil if there is none.
    var call: LinkCalls.IdentityCall?
    /// Withdraws the question to the person; nil while no person is asked.
    var question: ReadyQueue<Void>?
    /// Ends with the peer's invitation; nil if there is none.
    var invitationEnded: ReadyQueue<Void>?

    /// Where a connection comes from.
    enum Origin {
        /// The peer has dialed; the admission knows the connection under this number.
        case accepted(slot: Int)
        /// This side has dialed a known peer, whose machine has named the connection.
        case dialed(PeerID, MeetingConnection, PeerStateMachine.Request)
        /// A call has dialed an address.
        case called(LinkCalls.IdentityCall)

        var slot: Int? { if case .accepted(let slot) = self { slot } else { nil } }
    }

    /// Creates the record of a connection that is about to run.
    init(
        _ number: Int,
        _ connection: any PeerConnection,
        _ origin: Origin,
        _ configuration: PeerSession.Configuration,
        _ incarnation: Incarnation,
        _ environment: ConversationEnvironment,
        at now: ContinuousClock.Instant
    ) {
        self.number = number
        self.connection = connection
        self.slot = origin.slot
        var hasToken = false
        switch origin {
        case .accepted: break
        case .dialed(let id, let name, let request): (dialed, self.name, hasToken) = (id, name, request.token != nil)
        case .called(let call): (self.call, hasToken) = (call, call.request.token != nil)
        }
        let side = slot == nil ? Conversation.Side.dialer : .listener
        conversation = ConversationDriver(
            ConversationStateMachine(side, of: configuration, incarnation, hasToken: hasToken, at: now),
            on: connection,
            environment: environment,
            logger: configuration.logger
        )
    }

    /// Whether this side has dialed.
    var isOutgoing: Bool { slot == nil }
    /// The peer, once it has proved its id.
    var peer: PeerID? { conversation.state.certifiedID }
    /// The peer, once it is known.
    var remote: RemotePeer? { conversation.remote.map(shown) }
    /// Which run of the peer's program it is.
    var incarnation: Incarnation? { conversation.state.peer?.incarnation }
    /// The digits, once they are known.
    var digits: PairingDigits? { conversation.state.digits }
    /// Whether this side has dialed, and people may be comparing the digits.
    var isComparing: Bool { isOutgoing && !isFinished && conversation.state.hasUnsettledDigits }
    /// Whether the last word was sent or received.
    var isFinished: Bool { conversation.state.hasEnded }

    /// The peer with the name under which it is shown.
    func shown(_ remote: RemotePeer) -> RemotePeer {
        var remote = remote
        remote.displayName = shownName ?? remote.displayName
        return remote
    }
}

extension ConnectionRecord {
    /// Passes the frames of a connection to its link without going through the hub.
    final class Route: Sendable {
        private let box = NIOLockedValueBox<(link: LinkDriver, number: UInt64)?>(nil)

        /// Sets the link that the connection carries from now on.
        func set(_ link: LinkDriver, _ number: UInt64) { box.withLockedValue { $0 = (link, number) } }

        /// Clears the link, and returns it: the connection carries none from now on.
        func clear() -> (link: LinkDriver, number: UInt64)? {
            box.withLockedValue { route in
                defer { route = nil }
                return route
            }
        }

        /// Whether the connection carries a link.
        var isSet: Bool { box.withLockedValue { $0 != nil } }

        /// Passes a frame to the link; returns false if the frame is not for a link, or if there is no link.
        func take(_ frame: Frame) -> Bool {
            switch frame {
            case .record, .credit, .droppable: break
            default: return false
            }
            return take([frame])
        }

        /// Passes frames of a link to it in one step; returns false if there is no link.
        func take(_ frames: [Frame]) -> Bool {
            guard let (link, number) = box.withLockedValue({ $0 }) else { return false }
            link.received(frames, on: number)
            return true
        }
    }
}
