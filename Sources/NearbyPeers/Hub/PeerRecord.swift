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
        /// Stops the attempt that is in progress.
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
    /// The peer's name from discovery or from an introduction.
    var sightedName: String?
    var state: PeerState = .disconnected(.lost)
    var isVerified = false
    var link: LinkDriver?
    /// The number of connections that have carried a link with the peer at this side.
    var attachCount: UInt64 = 0
    /// The connections that the meeting machine knows.
    var connections: [MeetingConnection: Int] = [:]
    /// The peer's addresses from discovery, the most promising first.
    var addresses: [SocketAddress] = []
    /// Those of the addresses that a program on this machine has announced.
    var localAddresses: [SocketAddress] = []
    /// The largest resource that the peer accepts, in bytes.
    var maximumResourceSize = UInt64.max
    /// The peer's addresses from the application.
    var givenAddresses: [String] = []
    /// The addresses at which the peer says that it listens.
    var namedAddresses: [String] = []
    /// The address of the last connection that has carried a link with the peer.
    var remoteAddress = ""
    var attempts = Attempts()
    var wishes = Wishes()
    /// When the last link ended; nil if there was none, or it has not ended.
    var lostSince: ContinuousClock.Instant?
    /// If the peer is a member: since when no connection has carried a link with it; nil while one does.
    var absentSince: ContinuousClock.Instant?
    /// If the peer is a member without a link: when to try to make one again.
    var nextIntroduction: ContinuousClock.Instant?
    /// Whether the peer is known only from an introduction, and the application has not invited it.
    var wasIntroduced = false
    /// Whether there was ever a link with the peer.
    var wasLinked = false
    /// The number of the call with which the application disconnected the peer; nil if it did not.
    var blockNumber: Int?
    /// Whether this application has disconnected the peer.
    var isBlocked: Bool { blockNumber != nil }
    /// Whether people are comparing digits.
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
    /// A number from the beginning of the call, before its connection was opened.
    var beginning: Int
    var continuation: PeerRecord.Wishes.Continuation
    var wish: PeerRecord.Wishes
    var destination: SessionHub.Destination
}
