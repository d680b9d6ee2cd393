package import HostNetwork

/// The connections of other machines to a TCP port of this machine, as everybody may read them
/// (`/proc/net/tcp` and `/proc/net/tcp6`, proc_net_tcp(5)).
package enum TCPConnections {
    /// A connection.
    package struct Entry: Hashable, Sendable {
        /// The other machine.
        package var remote: IPAddress
        /// Whether the other machine has not acknowledged the answer to its request to connect (SYN_RECV), which came within the
        /// last 15 s.
        package var isHalfOpen: Bool
    }

    /// The maximum length of a list of the kernel, in bytes: about 27,000 connections.
    private static let maximumLength = 4 << 20
    /// The maximum number of connections.
    private static let maximumCount = 4096
    // From net/tcp_states.h, as the kernel writes them.
    private static let halfOpen: Substring = "03"
    /// The kernel repeats an answer after 1, 3, 7 and 15 s, and forgets the request after a minute; what is older may be a former
    /// state of the network.
    private static let maximumRepetitions: UInt32 = 3
    private static let open: Set<Substring> = ["01", "04", "05", "06", "08", "09", "0B"]

    /// Reads the connections to a port; a closed connection leaves no trace, or one for a minute (TIME_WAIT).
    package static func read(port: UInt16) -> Set<Entry> {
        let texts = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { SystemFile.text($0, upTo: maximumLength) }
        return texts.reduce(into: []) { $0.formUnion(entries(in: $1, port: port)) }
    }

    /// Reads a list of the kernel: a number, the address here, the address there, the state, queues, timers, repetitions, and more.
    static func entries(in text: String, port: UInt16) -> Set<Entry> {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        var entries: Set<Entry> = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 7)
            guard entries.count < maximumCount, fields.count > 6, fields[1].hasSuffix(suffix),
                let remote = address(fields[2])
            else { continue }
            if open.contains(fields[3]) {
                entries.insert(Entry(remote: remote, isHalfOpen: false))
            } else if fields[3] == halfOpen, let count = UInt32(fields[6], radix: 16), count <= maximumRepetitions {
                entries.insert(Entry(remote: remote, isHalfOpen: true))
            }
        }
        return entries
    }

    /// Reads an address with its port: each 32 bits are a number in the order of this machine.
    private static func address(_ text: Substring) -> IPAddress? {
        let digits = Array(text.utf8.prefix { $0 != UInt8(ascii: ":") })
        guard digits.count == 8 || digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 8) {
            let number = UInt32(String(decoding: digits[start..<start + 8], as: UTF8.self), radix: 16)
            guard let number else { return nil }
            bytes += withUnsafeBytes(of: number) { Array($0) }
        }
        return IPAddress(bytes: bytes)
    }
}
