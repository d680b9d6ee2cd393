import NIOCore

extension PeerAddress {
    /// The address as text in a link.
    ///
    /// The percent sign of a zone and unusual characters are percent-encoded (RFC 6874).
    var linkText: String {
        guard host.contains(":") else { return "\(host):\(port)" }
        let parts = host.split(separator: "%", maxSplits: 1)
        let zone = parts.count == 2 ? "%25" + Self.percentEncoded(parts[1]) : ""
        return "[\(parts.first ?? "")\(zone)]:\(port)"
    }

    /// Reads an address of a link; nil unless it has exactly the form of ``linkText``.
    init?(linkText text: String) {
        guard let address = PeerAddress(parsing: text), address.port > 0 else { return nil }
        var host = address.host
        if host.contains(":") {
            let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
            // The system's parser stops at a zero byte and ignores the rest.
            guard parts[0].utf8.allSatisfy(Self.isOfIPv6),
                (try? SocketAddress(ipAddress: String(parts[0]), port: 1)) != nil
            else { return nil }
            if parts.count == 2 {
                guard parts[1].hasPrefix("25"), let zone = Self.percentDecoded(parts[1].dropFirst(2)),
                    Self.isZone(zone)
                else { return nil }
                host = "\(parts[0])%\(zone)"
            }
        } else {
            guard Self.isHostName(host) else { return nil }
        }
        self.init(host: host, port: address.port)
        guard linkText == text else { return nil }
    }

    private static func isHostName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { isUnreserved($0) && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "_") }
            }
    }

    /// Returns whether a text can be the name of an interface: 1 to 15 bytes without spaces, slashes and control characters.
    private static func isZone(_ text: String) -> Bool {
        (1...15).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default:
            false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    private static func percentEncoded(_ text: Substring) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + withUnsafeBytes(of: byte) { Hexadecimal.encode($0) }.uppercased()
            }
        }
        return encoded
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let pair = Hexadecimal.decode(String(decoding: rest.prefix(2), as: UTF8.self)), pair.count == 1
            else { return nil }
            bytes += pair
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
