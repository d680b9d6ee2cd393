/// The packets that came from an address of this machine itself, and that the kernel therefore dropped.
///
/// They are the only trace that another machine in the network has the same IPv4 address: the kernel shows the packets to no program.
package enum MartianCount {
    /// From linux/net/ipv4/route.c: the column of packets with an impossible source.
    private static let column = "in_martian_src"

    /// Reads how many there were since the start of the system; nil if the kernel does not tell.
    ///
    /// ARP questions that name an own address as that of the asker count, too.
    package static func read(in file: String = "/proc/net/stat/rt_cache") -> UInt64? {
        SystemFile.text(file).flatMap(count)
    }

    /// Adds up the column; the lines below the titles are those of single processors, in hexadecimal numbers.
    static func count(in text: String) -> UInt64? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
        guard let position = lines.first?.firstIndex(where: { $0 == column }) else { return nil }
        return lines.dropFirst().reduce(UInt64(0)) { sum, fields in
            guard fields.indices.contains(position), let number = UInt64(fields[position], radix: 16) else { return sum }
            return sum &+ number
        }
    }
}
