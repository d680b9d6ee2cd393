package import Glibc

/// An IPv4 or IPv6 address, without a zone.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes; nil for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        // An IPv4 address in an IPv6 address (RFC 4291, section 2.5.5.2) is the IPv4 address.
        let isMapped = bytes.count == 16 && bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Reads an address in the usual notation, with or without a zone, which is ignored; nil for any other text.
    package init?(_ text: String) {
        let bare = String(text.prefix { $0 != "%" })
        guard bare.utf8.count < 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &bytes) == 1 {
            self.init(bytes: Array(bytes.prefix(4)))
        } else if inet_pton(AF_INET6, bare, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// Reads the address of a socket; nil if it is none of IPv4 and IPv6.
    package init?(_ socketAddress: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(socketAddress)
        switch CInt(socketAddress.pointee.sa_family) {
        case AF_INET:
            // sockaddr_in: the address is behind the family and the port.
            self.init(bytes: (4..<8).map { raw.load(fromByteOffset: $0, as: UInt8.self) })
        case AF_INET6:
            // sockaddr_in6: the address is behind the family, the port and the flow.
            self.init(bytes: (8..<24).map { raw.load(fromByteOffset: $0, as: UInt8.self) })
        default: return nil
        }
    }

    /// Whether it is an IPv6 address.
    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether it is valid in one network only (`169.254.…`, `fe80:…`).
    package var isLinkLocal: Bool {
        isIPv6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
    }

    /// Whether it is an IPv6 link-local address, which means nothing without its interface.
    package var needsZone: Bool { isIPv6 && isLinkLocal }

    /// Whether it can be the address of a single machine: not all zero, multicast, or broadcast.
    package var isOfOneMachine: Bool {
        bytes.contains { $0 != 0 } && (isIPv6 ? bytes[0] != 0xFF : bytes[0] != 0 && bytes[0] < 224)
    }

    /// Whether it leads back to this machine.
    package var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// The number of bits, 32 or 128.
    package var bitCount: Int { bytes.count * 8 }

    /// The number of ones at the start, which is the length of the prefix if this is the mask of a network.
    var leadingOnes: Int {
        let whole = bytes.prefix { $0 == 0xFF }.count
        return whole * 8 + (whole < bytes.count ? (~bytes[whole]).leadingZeroBitCount : 0)
    }

    /// The address in the usual notation.
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress,
                let text = inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, start, socklen_t(INET6_ADDRSTRLEN))
            else { return "" }
            return String(cString: text)
        }
    }

    /// Whether two addresses have the same first bits; false for addresses of different versions.
    package func isInNetwork(of other: IPAddress, prefixLength: Int) -> Bool {
        guard bytes.count == other.bytes.count, (0...bitCount).contains(prefixLength) else { return false }
        let whole = prefixLength / 8
        guard bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let rest = prefixLength % 8
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
        return bytes[whole] & mask == other.bytes[whole] & mask
    }

    /// Whether it is the first address of its network, which stands for the network itself.
    package func isFirst(inNetworkOf prefixLength: Int) -> Bool { hostBits(behind: prefixLength) { _ in 0 } }

    /// Whether it is the last address of its network, which is the broadcast address of a network of IPv4.
    package func isLast(inNetworkOf prefixLength: Int) -> Bool { hostBits(behind: prefixLength) { $0 } }

    /// Returns whether the bits behind a prefix are those that `expected` returns for the mask of each byte.
    private func hostBits(behind prefixLength: Int, are expected: (UInt8) -> UInt8) -> Bool {
        bytes.enumerated().allSatisfy { position, byte in
            let mask = UInt8(0xFF) >> min(8, max(0, prefixLength - 8 * position))
            return byte & mask == expected(mask)
        }
    }

    /// Calls `body` with the address as the system's functions take it.
    package func withSocketAddress<Result>(
        port: UInt16,
        scope: UInt32 = 0,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        // sockaddr_in and sockaddr_in6 begin with the family, in the order of the machine, and the port.
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { raw in
            raw.storeBytes(of: sa_family_t(isIPv6 ? AF_INET6 : AF_INET), as: sa_family_t.self)
            raw.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            if isIPv6 {
                for (offset, byte) in bytes.enumerated() { raw[8 + offset] = byte }
                raw.storeBytes(of: scope, toByteOffset: 24, as: UInt32.self)
            } else {
                for (offset, byte) in bytes.enumerated() { raw[4 + offset] = byte }
            }
        }
        let length = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
