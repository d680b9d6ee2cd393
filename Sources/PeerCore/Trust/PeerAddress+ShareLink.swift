import NIOCore

/// Addresses as bytes of a share link. (Wire format, "Share links".)
extension PeerAddress {
    /// The kinds of addresses in a share link, as the low seven bits of the first byte.
    enum LinkKind: UInt8 {
        /// Four bytes.
        case ipv4 = 0
        /// 16 bytes.
        case ipv6 = 1
        /// The last eight bytes of an address that begins with fe80::/64.
        case linkLocal = 2
        /// One byte with the length, and so many bytes of ASCII.
        case name = 3
    }

    /// The bit of the first byte that says that a port follows; without it, the port is the default one.
    private static let portFlag: UInt8 = 0x80
    private static let linkLocalNetwork: [UInt8] = [0xFE, 0x80, 0, 0, 0, 0, 0, 0]

    /// Returns the bytes of the address in a share link; nil for an address that cannot be written in one.
    ///
    /// There is no zone in a share link, because it would be the name of an interface of the sender.
    func shareLinkBytes(defaultPort: Int?) -> [UInt8]? {
        guard let port = UInt16(exactly: port), port > 0, let (kind, body) = linkBody() else { return nil }
        guard Int(port) != defaultPort else { return [kind.rawValue] + body }
        let portBytes = [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
        return [kind.rawValue | Self.portFlag] + body + portBytes
    }

    private func linkBody() -> (LinkKind, [UInt8])? {
        // The system's parser stops at a zero byte and ignores the rest.
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }) else { return nil }
        let address = try? SocketAddress(ipAddress: host, port: port)
        switch address {
        case .v4(let address): return (.ipv4, Self.bytes(of: .v4(address), from: 4, count: 4))
        case .v6(let address):
            let bytes = Self.bytes(of: .v6(address), from: 8, count: 16)
            guard bytes.starts(with: Self.linkLocalNetwork) else { return (.ipv6, bytes) }
            return (.linkLocal, Array(bytes.dropFirst(Self.linkLocalNetwork.count)))
        case .unixDomainSocket, nil:
            guard Self.isHostName(host) else { return nil }
            return (.name, [UInt8(truncatingIfNeeded: host.utf8.count)] + Array(host.utf8))
        }
    }

    /// Returns the bytes of the IP address in a sockaddr_in (ip(7)) or sockaddr_in6 (ipv6(7)).
    private static func bytes(of address: SocketAddress, from offset: Int, count: Int) -> [UInt8] {
        address.withSockAddr { pointer, length in
            guard length >= offset + count else { return [] }
            return Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(pointer) + offset, count: count))
        }
    }

    /// Takes an address from the bytes of a share link; nil unless they begin with exactly what
    /// ``shareLinkBytes(defaultPort:)`` returns.
    init?(shareLinkBytes bytes: inout ArraySlice<UInt8>, defaultPort: Int?) {
        var rest = bytes
        guard let first = rest.popFirst(), let kind = LinkKind(rawValue: first & ~Self.portFlag),
            let host = Self.host(kind, &rest)
        else { return nil }
        if first & Self.portFlag != 0 {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            self.init(host: host, port: Int(high) << 8 | Int(low))
        } else {
            guard let defaultPort else { return nil }
            self.init(host: host, port: defaultPort)
        }
        guard let expected = shareLinkBytes(defaultPort: defaultPort), expected.elementsEqual(bytes[..<rest.startIndex])
        else { return nil }
        bytes = rest
    }

    private static func host(_ kind: LinkKind, _ bytes: inout ArraySlice<UInt8>) -> String? {
        func take(_ count: Int) -> [UInt8]? {
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return Array(bytes.prefix(count))
        }
        switch kind {
        case .ipv4: return take(4).flatMap(ipAddress)
        case .ipv6: return take(16).flatMap(ipAddress)
        case .linkLocal: return take(8).flatMap { ipAddress(linkLocalNetwork + $0) }
        case .name:
            guard let count = bytes.popFirst() else { return nil }
            return take(Int(count)).flatMap { String(validating: $0, as: UTF8.self) }
        }
    }

    private static func ipAddress(_ bytes: [UInt8]) -> String? {
        (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 1))?.ipAddress
    }

    private static func isHostName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy(isOfName)
            }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
