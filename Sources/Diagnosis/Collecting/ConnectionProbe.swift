import Glibc
import HostNetwork

/// Tests whether TCP connections open, and closes them at once.
enum ConnectionProbe {
    /// Where to connect.
    struct Target: Hashable, Sendable {
        var address: IPAddress
        var port: UInt16
        /// The interface of a link-local address; 0 for none.
        var scope: UInt32
    }

    private struct Attempt {
        var socket: CInt
        var outcome: WayFacts.Connection?
    }

    /// How long each wait for sockets lasts, in milliseconds, before a cancelled task is noticed.
    private static let slice: CInt = 50

    /// Connects to all targets at the same time.
    ///
    /// - Parameter patience: How long to wait. The kernel needs three seconds to find out that a neighbour does not answer.
    /// - Returns: The outcome of each connection, in the order of the targets.
    static func run(_ targets: [Target], within patience: Duration) async -> [WayFacts.Connection] {
        await BlockingWork.run { isCancelled in
            let start = ContinuousClock.now
            var attempts = targets.map(open)
            while !isCancelled(), ContinuousClock.now - start < patience {
                let open = attempts.indices.filter { attempts[$0].outcome == nil }
                guard !open.isEmpty else { break }
                var waiting = open.map { pollfd(fd: attempts[$0].socket, events: CShort(POLLOUT), revents: 0) }
                guard poll(&waiting, nfds_t(waiting.count), slice) > 0 else { continue }
                for (position, ready) in zip(open, waiting) where ready.revents != 0 {
                    attempts[position].outcome = outcome(of: ready.fd, after: ContinuousClock.now - start)
                }
            }
            for attempt in attempts where attempt.socket >= 0 { close(attempt.socket) }
            return attempts.map { $0.outcome ?? .silent }
        }
    }

    private static func open(_ target: Target) -> Attempt {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(target.address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard socket >= 0 else { return Attempt(socket: -1, outcome: .unreachable) }
        let error = target.address.withSocketAddress(port: target.port, scope: target.scope) { address, length in
            connect(socket, address, length) == 0 ? 0 : errno
        }
        return Attempt(socket: socket, outcome: error == 0 || error == EINPROGRESS ? nil : outcome(of: error))
    }

    private static func outcome(of socket: CInt, after time: Duration) -> WayFacts.Connection {
        var error: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return .unreachable }
        return error == 0 ? .accepted(time) : outcome(of: error)
    }

    /// What an error of connect(2) says.
    static func outcome(of error: CInt) -> WayFacts.Connection {
        switch error {
        case ECONNREFUSED, ECONNRESET: .refused
        case ETIMEDOUT: .silent
        case EPERM: .forbidden
        // The answer of a firewall elsewhere (ICMPv6 type 1, code 1), or of this machine to itself.
        case EACCES: .rejected
        case EADDRNOTAVAIL: .noOwnAddress
        default: .unreachable
        }
    }
}
