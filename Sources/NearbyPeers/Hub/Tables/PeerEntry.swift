import NIOCore
import PeerCore
import PeerProtocol

/// What the hub needs to perform the actions of one peer's machine.
struct PeerEntry: Sendable {
    typealias Continuation = CheckedContinuation<Result<PeerID, PeerError>, Never>

    /// Decides about the peer.
    var machine: PeerStateMachine
    /// The peer's latest description of itself.
    var remote: RemotePeer?
    /// The peer's name from discovery or from an introduction.
    var sightedName: String?
    var isVerified = false
    var link: LinkDriver?
    /// The number of connections that have carried a link with the peer at this side.
    var attachCount: UInt64 = 0
    /// The connections that the machine knows.
    var connections: [MeetingConnection: Int] = [:]
    /// The largest resource that the peer accepts, in bytes.
    var maximumResourceSize = UInt64.max
    var addresses = Addresses()
    /// Stops the attempt that is in progress.
    var stop: ReadyQueue<Void>?
    /// The calls that wait for a link.
    var calls: [Int: Continuation] = [:]

    /// Whether there is no link with the peer, no attempt to make one, no open connection, and no call that waits.
    var isIdle: Bool { machine.isIdle && link == nil && connections.isEmpty && calls.isEmpty }

    /// The number of the connection that carries the link.
    var carrier: Int? { machine.meeting.link?.connection.flatMap { connections[$0] } }

    /// Where a peer is dialed.
    struct Addresses: Sendable {
        /// From discovery, the most promising first.
        var found: [SocketAddress] = []
        /// Those of the addresses that a program on this machine has announced.
        var local: [SocketAddress] = []
        /// From the application.
        var given: [String] = []
        /// Where the peer says that it listens.
        var named: [String] = []
        /// The address of the last connection that has carried a link with the peer.
        var remote = ""

        /// Adds addresses from discovery before the others, or moves them there.
        mutating func add(_ addresses: [SocketAddress]) {
            for address in addresses.reversed() {
                found.removeAll { $0 == address }
                found.insert(address, at: 0)
                if found.count > 32 { found.removeLast() }
            }
        }

        /// Adds what a call knows.
        mutating func add(_ destination: Destination) {
            add(destination.addresses)
            if !destination.addresses.isEmpty { local = destination.localAddresses }
            if !destination.texts.isEmpty { given = destination.texts }
        }
    }
}

/// A call that waits for a link with the peer at an address.
struct IdentityCall: Sendable {
    var number: Int
    /// A number from the beginning of the call, before its connection was opened.
    var beginning: Int
    var continuation: PeerEntry.Continuation
    var request: PeerStateMachine.Request
    var destination: Destination
}
