/// The packets that came from an address of this machine itself, and that the kernel therefore dropped.
///
/// They are the only trace that another machine in the network has the same IPv4 address: the kernel shows the packets to no
/// program.
package struct MartianCount: Hashable, Sendable {
    /// The packets and ARP questions with an impossible source, of the whole system.
    private var impossible: UInt64
    /// The packets of IPv4 that came in and were not delivered to a program, in the network of this program.
    private var undelivered: UInt64

    /// Reads how many there were since the start of the system; nil if the kernel does not tell.
    package static func read() -> MartianCount? {
        guard let routes = SystemFile.text("/proc/net/stat/rt_cache"), let packets = SystemFile.text("/proc/net/snmp")
        else {
            return nil
        }
        return MartianCount(routes: routes, packets: packets)
    }

    /// Reads the tables of the kernel.
    init?(routes: String, packets: String) {
        guard let impossible = Self.sum(of: "in_martian_src", in: routes),
            let received = Self.value("InReceives", in: packets), let delivered = Self.value("InDelivers", in: packets)
        else { return nil }
        (self.impossible, undelivered) = (impossible, received >= delivered ? received - delivered : 0)
    }

    /// How many came between an earlier time and now.
    ///
    /// Containers have networks of their own, whose packets count in one of the two numbers only.
    package func growth(since earlier: MartianCount) -> UInt64 {
        guard impossible > earlier.impossible, undelivered > earlier.undelivered else { return 0 }
        return min(impossible - earlier.impossible, undelivered - earlier.undelivered)
    }

    /// Adds up a column; the lines below the titles are those of single processors, in hexadecimal numbers.
    private static func sum(of column: String, in text: String) -> UInt64? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
        guard let position = lines.first?.firstIndex(where: { $0 == column }) else { return nil }
        return lines.dropFirst().reduce(UInt64(0)) { sum, fields in
            guard fields.indices.contains(position), let number = UInt64(fields[position], radix: 16) else {
                return sum
            }
            return sum &+ number
        }
    }

    /// Reads a number of IPv4: a line of titles is followed by one of numbers (RFC 1213 has their meaning).
    private static func value(_ title: String, in text: String) -> UInt64? {
        let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Ip:") }
            .map { $0.split(whereSeparator: \.isWhitespace) }
        guard lines.count == 2, let position = lines[0].firstIndex(where: { $0 == title }),
            lines[1].indices.contains(position)
        else { return nil }
        return UInt64(lines[1][position])
    }
}
