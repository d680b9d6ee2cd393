import PeerCore
import PeerProtocol

/// What the hub has to do about an event of a peer, in order.
enum PeerAction: Equatable, Sendable {
    /// Close a connection; a dial that has not succeeded yet is cancelled.
    case close(MeetingStep.Closing)
    /// End the link; what waits for it fails with the error.
    case endLink(PeerError)
    /// Show the application this state.
    case show(PeerState)
    /// Dial the peer after a pause.
    case dial(MeetingConnection, Dial)
    /// Test the connection of an unknown program with a ping.
    case ping(MeetingConnection)
    /// Invite the peer.
    case invite(Invite, MeetingConnection)
    /// Ask the peer for a link.
    case request(Link, MeetingConnection)
    /// Find out whether the peer's invitation is welcome.
    case ask(MeetingConnection)
    /// Accept the peer's invitation, once the digits are compared.
    case accept(MeetingConnection)
    /// Let a connection carry the link, and report ``PeerStateMachine/established(at:)``; the listener sends the answer first.
    case establish(MeetingConnection, answer: Link?)
    /// Report that a peer is linked again.
    case reportReturn
    /// Complete calls that wait for a link; nil if there is one.
    case finish([Int], PeerError?)

    /// How an attempt begins.
    struct Dial: Hashable, Sendable {
        /// The number of attempts since the last success, before this one.
        var count: Int
        /// Whether the peer has been unreachable for long, and no call waits for it.
        var isLate: Bool
        /// Whether the peer dials too, and its connection is the one that counts.
        var yields: Bool

        /// How long to wait before the attempt.
        func pause(_ policy: ReconnectionPolicy, random: UInt64) -> Duration {
            let pause = policy.pause(
                before: count,
                isLate: isLate,
                random: Double(random >> 11) / Double(UInt64(1) << 53)
            )
            // The peer dials at once. This side waits, so that the two connections do not cross.
            return yields ? max(pause, .seconds(1)) : pause
        }
    }
}
