import NIOConcurrencyHelpers
import NIOCore
import PeerCore
import PeerProtocol

/// The hub's record of one connection.
struct ConnectionRecord: Sendable {
    /// How far the comparison of digits is.
    enum Clearance: Hashable, Sendable {
        /// It is not known yet whether digits have to be compared.
        case undecided
        /// The digits are computed, or people compare them.
        case comparing
        /// Nothing has to be compared any more.
        case cleared
    }

    let number: Int
    let connection: any PeerConnection
    /// The number under which the admission knows it; nil for a connection that this side has dialed.
    let place: Int?
    /// The peer that this side expects there.
    let dialed: PeerID?
    /// Hands frames to the link that the connection carries.
    let route = LinkRoute()
    /// Whether this side has dialed.
    var isOutgoing: Bool { place == nil }
    /// The name of the connection in the peer's meeting machine.
    var name: MeetingConnection?
    /// The peer, once it has proved its id.
    var peer: PeerID?
    var certificate: [UInt8] = []
    var handshake: HandshakeStateMachine
    var incarnation: Incarnation?
    var remote: RemotePeer?
    /// Why the peer is there, as the certificate handler was told.
    var relation: PeerRelation?
    /// The peer's invitation.
    var request: InvitationRequest?
    /// The peer's request for a link, or its answer.
    var terms: LinkTerms?
    /// Whether the peer asks for a link and was not introduced yet.
    var awaitsIntroduction = false
    var digits = DigitsStage()
    var timing: ConnectionTiming
    /// Whether the last word was said here.
    var isFinished = false
}

/// The comparison of digits on a connection.
struct DigitsStage: Sendable {
    var pairing: PairingStateMachine?
    /// The digits, once they are known.
    var digits: PairingDigits?
    var clearance = ConnectionRecord.Clearance.undecided
    /// Whether the next step of the meeting waits for the comparison.
    var holdsAccept = false
    /// Whether the peer was told that its invitation is accepted.
    var hasSentAccept = false
    /// Whether the person at this side said that they are the same.
    var isConfirmed = false
    /// Why the peer is sent away, if it is.
    var refusal: Refusal?
    /// Takes the question to the person back, while there is one.
    var question: ReadyQueue<Void>?

    /// Whether there is a link, or this side has ended the connection, or the failed comparison was counted.
    var isSettled = false
}

/// When a connection is looked at again.
struct ConnectionTiming: Sendable {
    /// When the connection ends unless it has come further by then.
    var deadline: ContinuousClock.Instant?
    /// When the time of the peer's invitation is over.
    var invitationEnd: ContinuousClock.Instant?
    var keepAlive: KeepAliveStateMachine
    var nextKeepAlive: ContinuousClock.Instant
}

/// Hands the frames of a connection to its link, without a detour through the hub.
final class LinkRoute: Sendable {
    private let box = NIOLockedValueBox<(link: LinkDriver, number: UInt64)?>(nil)

    /// The connection carries a link from now on.
    func set(_ link: LinkDriver, _ number: UInt64) {
        box.withLockedValue { $0 = (link, number) }
    }

    /// The connection carries no link any more.
    ///
    /// - Returns: The link, and the number of the connection on it; nil if there was none.
    func clear() -> (link: LinkDriver, number: UInt64)? {
        box.withLockedValue { route in
            defer { route = nil }
            return route
        }
    }

    /// Whether the connection carries a link.
    var isSet: Bool { box.withLockedValue { $0 != nil } }

    /// Hands a frame over; false if it is not for a link, or there is none.
    func take(_ frame: Frame) -> Bool {
        switch frame {
        case .record, .credit, .droppable: break
        default: return false
        }
        guard let (link, number) = box.withLockedValue({ $0 }) else { return false }
        link.received(frame, on: number)
        return true
    }
}
