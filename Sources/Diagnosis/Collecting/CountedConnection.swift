import Glibc
import HostNetwork

/// An attempt to connect that knows whether its packets leave this machine.
///
/// The kernel tells each program about its own connections (`TCP_INFO`, tcp(7)), and everybody how many packets an interface has
/// sent (`/sys/class/net/…/statistics/tx_packets`, sysfs-class-net-statistics). A packet that a filter of this machine drops or
/// rejects on its way out is counted neither as repeated nor as sent.
struct CountedConnection {
    /// What has become of an attempt.
    enum Outcome: Hashable {
        case opened
        /// The other machine has refused it; or, if that is not certain, perhaps this one.
        case refused(isCertain: Bool)
        /// It left, or may have left, and there was no answer.
        case silent(hasLeft: Bool)
        /// It did not leave this machine.
        case kept
        case noRoute
    }

    /// What the kernel says of an attempt that has not opened.
    struct Facts: Hashable {
        /// The error; 0 as long as there is none.
        var error: CInt
        /// Whether the kernel has found no way for the first packet.
        var hasNoWay = false
        /// How often the kernel has begun to repeat the request.
        var repetitions: UInt32 = 0
        /// How many repetitions it could hand on to the interface.
        var handedOn: UInt32 = 0
        /// How many packets the interface has sent since the start, also those of others; nil if that is not known.
        var sent: UInt64?
        /// How many attempts follow a refusal.
        var repeatedAttempts = fewAttempts
        /// How many it has sent since the attempts that follow a refusal; nil if that is not known.
        var sentAgain: UInt64?
    }

    /// How long an attempt lasts.
    ///
    /// The kernel repeats the request after a second (RFC 6298, section 2), and some network cards count as late as that.
    static let patience: Duration = .milliseconds(1300)
    /// How many attempts follow a refusal, to be counted: a filter of this machine can refuse, too, and then nothing is sent.
    static let fewAttempts = 4
    /// How many follow it while this machine searches, which sends up to 16 other packets meanwhile.
    static let manyAttempts = 24
    /// How soon most network cards have counted what is sent.
    private static let countingTime: Duration = .milliseconds(150)

    /// The socket; -1 if there is none.
    let descriptor: CInt
    private let target: ConnectionProbe.Target
    private let interface: String
    private let sentBefore: UInt64?
    private let deadline: ContinuousClock.Instant
    private var facts: Facts
    private var refusal: (time: ContinuousClock.Instant, sentBefore: UInt64?)?

    /// Begins to connect; call ``close()`` later.
    ///
    /// - Parameter interface: The name of the interface over which the kernel sends to the other machine.
    init(to target: ConnectionProbe.Target, over interface: String, repeatedAttempts: Int = fewAttempts) {
        (self.target, self.interface) = (target, interface)
        deadline = ContinuousClock.now + Self.patience
        sentBefore = Self.sentPackets(of: interface)
        let (descriptor, error) = Self.connect(to: target)
        self.descriptor = descriptor
        facts = Facts(error: error == EINPROGRESS ? 0 : error, repeatedAttempts: repeatedAttempts)
        facts.hasNoWay = ![0, EPERM, ECONNREFUSED].contains(facts.error)
    }

    /// Ends the attempt.
    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Returns what has become of the attempt; nil as long as that is not known.
    mutating func outcome() -> Outcome? {
        if facts.error == 0 {
            var waiting = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
            if poll(&waiting, 1, 0) == 1 {
                var length = socklen_t(MemoryLayout<CInt>.size)
                _ = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &facts.error, &length)
                if facts.error == 0 { return .opened }
            }
        }
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        if getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 {
            (facts.repetitions, facts.handedOn) = (info.tcpi_total_retrans, info.tcpi_retrans)
        }
        if facts.error == ECONNREFUSED, refusal == nil {
            refusal = (.now, Self.sentPackets(of: interface))
            for _ in 0..<facts.repeatedAttempts { Glibc.close(Self.connect(to: target).descriptor) }
        }
        let sent = Self.sentPackets(of: interface)
        facts.sent = Self.growth(from: sentBefore, to: sent)
        facts.sentAgain = Self.growth(from: refusal?.sentBefore, to: sent)
        let now = ContinuousClock.now
        let isSoon = refusal.map { now - $0.time < Self.countingTime } ?? false
        return Self.outcome(facts, isSoon: isSoon, isOver: now >= deadline)
    }

    /// Judges an attempt that has not opened; nil as long as nothing is certain.
    static func outcome(_ facts: Facts, isSoon: Bool = false, isOver: Bool) -> Outcome? {
        if facts.hasNoWay { return .noRoute }
        if facts.error == EPERM { return .kept }
        if facts.error == ECONNREFUSED, facts.repetitions == 0 {
            let (least, sent) = (UInt64(facts.repeatedAttempts), facts.sentAgain)
            if let sent, sent < least { return isOver ? .kept : nil }
            guard isSoon || isOver else { return nil }
            // If much more was sent, it may all have been something else.
            return .refused(isCertain: isSoon && sent.map { $0 <= 2 * least } == true)
        }
        if facts.repetitions > facts.handedOn { return .kept }
        guard isOver else { return nil }
        return facts.sent == 0 ? .kept : .silent(hasLeft: facts.handedOn > 0)
    }

    private static func connect(to target: ConnectionProbe.Target) -> (descriptor: CInt, error: CInt) {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(target.address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        let error = target.address.withSocketAddress(port: target.port, scope: target.scope) { address, length in
            Glibc.connect(descriptor, address, length) == 0 ? 0 : errno
        }
        return (descriptor, error)
    }

    private static func growth(from former: UInt64?, to latter: UInt64?) -> UInt64? {
        guard let former, let latter, latter >= former else { return nil }
        return latter - former
    }

    /// Returns how many packets an interface has sent; nil if that is not known.
    static func sentPackets(of interface: String) -> UInt64? {
        guard !interface.isEmpty, !interface.contains("/"), !interface.hasPrefix(".") else { return nil }
        return SystemFile.word("/sys/class/net/\(interface)/statistics/tx_packets").flatMap { UInt64($0) }
    }
}
