import HostNetwork

/// What the kernel has counted of the packets that leave this machine; everybody may read it.
///
/// A packet that a filter of this machine drops or rejects on its way out is counted nowhere as sent. Some network cards
/// count up to a second late.
struct TransmissionCount: Hashable, Sendable {
    /// The packets that an interface has sent, among them the questions where a neighbour is
    /// (`/sys/class/net/…/statistics/tx_packets`, sysfs-class-net-statistics); nil if they are not known.
    var sent: UInt64?
    /// The repeated packets of TCP that the kernel could not hand on, as those that its own filter drops
    /// (`TCPRetransFail` in `/proc/net/netstat`); of all interfaces. Nil if they are not known.
    var refused: UInt64?

    /// The names and the numbers have a line each, of a few kilobytes.
    private static let maximumLength = 65_536

    /// Creates counts.
    init(sent: UInt64?, refused: UInt64?) { (self.sent, self.refused) = (sent, refused) }

    /// Reads the counts of an interface.
    init(of interface: String) {
        let isName = !interface.isEmpty && !interface.contains("/") && !interface.hasPrefix(".")
        sent = isName ? SystemFile.word("/sys/class/net/\(interface)/statistics/tx_packets").flatMap { UInt64($0) } : nil
        refused = SystemFile.text("/proc/net/netstat", upTo: Self.maximumLength).flatMap(Self.refused)
    }

    /// Reads the number of refused packets from the text of `/proc/net/netstat`: a line of names, and one of numbers.
    static func refused(in text: String) -> UInt64? {
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("TcpExt:") }.map { $0.split(separator: " ") }
        guard lines.count == 2, let place = lines[0].firstIndex(of: "TCPRetransFail"), place < lines[1].count else {
            return nil
        }
        return UInt64(lines[1][place])
    }

    /// How many packets were sent since a former count; nil if that is not known.
    func sent(since former: TransmissionCount) -> UInt64? {
        guard let sent, let before = former.sent, sent >= before else { return nil }
        return sent - before
    }

    /// Whether the kernel has refused to send something again since a former count.
    func hasRefused(since former: TransmissionCount) -> Bool {
        guard let refused, let before = former.refused else { return false }
        return refused > before
    }
}
