import Glibc

/// The interfaces of the kernel's default routes.
///
/// NetworkManager does not know those of ifupdown or systemd-networkd.
package enum DefaultRoutes {
    /// The maximum length of a list of the kernel, in bytes.
    private static let maximumLength = 4 << 20
    // From linux/route.h.
    private static let isUp: UInt32 = 0x1
    private static let isRejecting: UInt32 = 0x200

    /// The interfaces in the kernel's order, each once.
    package static func interfaces() -> [String] {
        unique(ipv4(in: text("/proc/net/route")) + ipv6(in: text("/proc/net/ipv6_route")))
    }

    /// Returns names in their order, each once.
    package static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Reads `/proc/net/route`: the interface, the destination, the gateway, flags, three numbers, and the mask.
    static func ipv4(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, isZero(fields[1]), isZero(fields[7]) else { return nil }
            return leadsSomewhere(fields[3]) ? String(fields[0]) : nil
        }
    }

    /// Reads `/proc/net/ipv6_route`: the destination and its length, the source and its length, the next router, three numbers,
    /// flags, and the interface.
    static func ipv6(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, isZero(fields[0]), isZero(fields[1]), isZero(fields[3]) else { return nil }
            return leadsSomewhere(fields[8]) ? String(fields[9]) : nil
        }
    }

    private static func isZero(_ number: Substring) -> Bool { number.allSatisfy { $0 == "0" } }

    private static func leadsSomewhere(_ flags: Substring) -> Bool {
        UInt32(flags, radix: 16).map { $0 & isUp != 0 && $0 & isRejecting == 0 } ?? false
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < maximumLength {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
