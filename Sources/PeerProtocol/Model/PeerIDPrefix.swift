/// The first 128 bits of a peer id, by which a share link names its sender.
///
/// Finding a second key whose id begins with the same 128 bits is not feasible. (Wire format, "Share links".)
public struct PeerIDPrefix: Hashable, Sendable {
    /// The number of bytes.
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// Creates the prefix of an id.
    public init(of id: PeerID) { bytes = Array(id.digest.bytes.prefix(Self.byteCount)) }

    /// Creates a prefix from exactly 16 bytes; nil for any other number.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Returns whether an id begins with this prefix.
    public func matches(_ id: PeerID) -> Bool { PeerIDPrefix(of: id) == self }

    /// The form shown to people, as that of the whole id.
    public var short: String {
        let digits = bytes.withUnsafeBytes { Hexadecimal.encode($0) }.prefix(16)
        return stride(from: 0, to: 16, by: 4).map { digits.dropFirst($0).prefix(4) }.joined(separator: "-")
    }
}

extension PeerIDPrefix: CustomStringConvertible {
    /// The short form.
    public var description: String { short }
}
