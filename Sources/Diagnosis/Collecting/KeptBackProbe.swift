import Glibc
package import HostNetwork

/// Finds out whether this machine itself keeps back the packets to another one, by counting what leaves.
package enum KeptBackProbe {
    /// What was seen of some attempts to connect.
    struct Counts: Hashable {
        /// How many attempts were made.
        var attempts: UInt64
        /// The packets that left before the attempts, without them; nil if they are not known.
        var before: UInt64?
        /// The packets that left since the first attempt; nil if they are not known.
        var during: UInt64?
        /// Whether the kernel refused to repeat an attempt.
        var isRefused: Bool
        /// Whether a request to connect needs no question first where the other machine is.
        var isNeighbourKnown: Bool
        /// Whether an attempt lasted until the kernel had repeated it.
        var isRepeated: Bool
    }

    private static let attempts = 4
    private static let pause: Duration = .milliseconds(50)
    /// How long to look at what leaves without attempts.
    private static let quietTime: Duration = .milliseconds(150)
    /// How long an attempt lasts. The kernel repeats it after a second, and some network cards count as late as that.
    private static let patience: Duration = .milliseconds(1300)

    /// Makes a few attempts to connect, and counts what leaves; 0.4 s if it is known at once, else 1.5 s.
    ///
    /// - Parameters:
    ///   - address: The other machine.
    ///   - port: The port.
    ///   - scope: The number of the interface, for an IPv6 link-local address; otherwise 0.
    ///   - interface: The name of the interface over which the kernel sends to the other machine.
    /// - Returns: True if the attempts did not leave this machine; false if they did, unless as many other packets were sent
    ///   in that moment; nil if other packets make it impossible to tell.
    package static func run(
        _ address: IPAddress,
        port: UInt16,
        scope: UInt32 = 0,
        interface: String
    ) async -> Bool? {
        let quiet = TransmissionCount(of: interface)
        guard quiet.sent != nil, await wait(quietTime) else { return nil }
        let before = TransmissionCount(of: interface)
        var counts = Counts(
            attempts: UInt64(attempts),
            before: before.sent(since: quiet),
            isRefused: false,
            isNeighbourKnown: isKnown(address, on: interface),
            isRepeated: false
        )
        let start = ContinuousClock.now
        var last: CInt = -1
        defer { if last >= 0 { close(last) } }
        for _ in 0..<attempts {
            if last >= 0 { close(last) }
            last = open(address, port, scope)
            guard last >= 0, await wait(pause) else { return nil }
        }
        repeat {
            counts.during = TransmissionCount(of: interface).sent(since: before)
            if let answer = early(counts) { return answer }
        } while await wait(pause) && ContinuousClock.now - start < patience
        guard !Task.isCancelled else { return nil }
        let after = TransmissionCount(of: interface)
        counts.during = after.sent(since: before)
        counts.isRefused = after.hasRefused(since: before)
        counts.isRepeated = isOpening(last)
        return judge(counts)
    }

    /// Returns false as soon as all attempts have left; until the end, nothing else is certain.
    static func early(_ counts: Counts) -> Bool? {
        guard let during = counts.during, during >= counts.attempts, counts.before == 0 else { return nil }
        return false
    }

    /// Judges the counts after the kernel has had the time to repeat an attempt.
    static func judge(_ counts: Counts) -> Bool? {
        if counts.isRefused { return true }
        guard let during = counts.during else { return nil }
        if during == 0 { return true }
        if during < counts.attempts { return counts.isNeighbourKnown ? true : nil }
        // The kernel has repeated an attempt, and its filter has let it pass.
        return counts.before == 0 || counts.isRepeated ? false : nil
    }

    /// Whether the kernel knows the hardware address of a neighbour, or did lately.
    private static func isKnown(_ address: IPAddress, on interface: String) -> Bool {
        let index = if_nametoindex(interface)
        return Neighbour.all().contains {
            $0.address == address && $0.interface == index && $0.state != .absent
        }
    }

    /// Begins a connection; -1 if there is no way.
    private static func open(_ address: IPAddress, _ port: UInt16, _ scope: UInt32) -> CInt {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { return -1 }
        let error = address.withSocketAddress(port: port, scope: scope) { connect(descriptor, $0, $1) == 0 ? 0 : errno }
        // A filter that rejects on the way out says so at once; nothing has left then.
        guard [0, EINPROGRESS, ECONNREFUSED, EPERM, EACCES].contains(error) else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    /// Whether a connection has neither opened nor failed.
    private static func isOpening(_ descriptor: CInt) -> Bool {
        var waiting = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
        return poll(&waiting, 1, 0) == 0
    }

    /// Waits; returns false if the task is cancelled.
    private static func wait(_ time: Duration) async -> Bool { (try? await Task.sleep(for: time)) != nil }
}
