import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// The hub's record of one peer.
struct PeerRecord: Sendable {
    /// The attempts to connect.
    struct Attempts: Sendable {
        /// The number of attempts since the last success.
        var count = 0
        /// Ends the attempt that is under way.
        var stop: ReadyQueue<Void>?
        /// Why the last attempt failed.
        var error: PeerError?
        /// How often the peer has broken off a comparison of digits since the last call of the application.
        var pairingBreakCount = 0
    }

    /// The wishes for a link with the peer.
    struct Wishes: Sendable {
        typealias Continuation = CheckedContinuation<Result<PeerID, PeerError>, Never>

        /// The calls that wait for a link.
        var waiting: [Int: Continuation] = [:]
        var context: Data?
        var token: LinkToken?
        var timeout: Duration = .seconds(30)
        /// Whether the session itself wants the link, so that the wish stays when no call waits.
        var isOwn = false
        /// Whether the invitation is automatic: discovery found the peer, and the application did not ask to invite it.
        var isAutomatic = false
    }

    let id: PeerID
    var meeting: MeetingStateMachine
    /// The peer's latest description of itself.
    var remote: RemotePeer?
    /// The name that discovery shows.
    var sightedName: String?
    var state: PeerState = .disconnected(.lost)
    var isVerified = false
    var link: LinkDriver?
    /// How many connections have carried links with the peer at this side.
    var attachCount: UInt64 = 0
    /// The connections that the meeting machine knows.
    var connections: [MeetingConnection: Int] = [:]
    /// Where discovery sees the peer, the most promising address first.
    var addresses: [SocketAddress] = []
    /// The addresses that a program on this machine has announced.
    var localAddresses: [SocketAddress] = []
    /// The largest resource that the peer takes, in bytes.
    var maximumResourceSize = UInt64.max
    /// Where the application says that the peer is.
    var givenAddresses: [String] = []
    /// Where the peer says that it listens.
    var namedAddresses: [String] = []
    /// The address of the last connection that has carried a link with the peer.
    var remoteAddress = ""
    var attempts = Attempts()
    var wishes = Wishes()
    /// When the last link ended; nil if there was none, or it has not ended.
    var lostSince: ContinuousClock.Instant?
    /// Since when no connection carries a link with the peer, which is a member; nil if one does.
    var absentSince: ContinuousClock.Instant?
    /// When a link with the peer, which is a member, is tried again.
    var nextIntroduction: ContinuousClock.Instant?
    /// Whether the peer is known only from an introduction, and the application has not invited it.
    var wasIntroduced = false
    /// Whether there was a link.
    var wasLinked = false
    /// When this application disconnected the peer, in the numbers of calls; nil if it did not.
    var blockNumber: Int?
    /// Whether this application has disconnected the peer.
    var isBlocked: Bool { blockNumber != nil }
    /// Whether people compare digits.
    var digitsAreCompared: Bool { if case .connecting(.comparing) = state { true } else { false } }
    /// Whether a call of the application waits for the peer.
    var isAwaited: Bool { !wishes.waiting.isEmpty && !wishes.isAutomatic }

    /// Whether there is no link with the peer, no attempt to make one, and no open connection.
    var isIdle: Bool {
        link == nil && meeting.link == nil && meeting.wish == nil && meeting.incoming == nil && meeting.newcomer == nil
            && meeting.outgoing == nil && connections.isEmpty && wishes.waiting.isEmpty
    }

    init(id: PeerID, decides: Bool) {
        self.id = id
        self.meeting = MeetingStateMachine(decides: decides)
    }
}

/// A call that waits for a link with the peer at an address.
struct IdentityCall: Sendable {
    var number: Int
    /// When the call began, in the numbers of calls: before its connection was open.
    var beginning: Int
    var continuation: PeerRecord.Wishes.Continuation
    var wish: PeerRecord.Wishes
    var destination: SessionHub.Destination
}
