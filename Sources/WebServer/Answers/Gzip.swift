import NIOCore
import PeerProtocol

/// Compresses bytes in the form of gzip (RFC 1952), piece by piece.
package final class Gzip {
    private let deflater = Deflater(as: .gzip, level: 5)

    package init() {}

    /// Compresses more bytes.
    ///
    /// - Returns: The bytes that follow the earlier ones in the stream; nil if zlib has no memory.
    package func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8]? {
        guard bytes.withUnsafeBytes(deflater.add), !isLast || deflater.finish() else { return nil }
        return Array(deflater.takeOutput().readableBytesView)
    }

    /// Compresses the whole of some bytes; nil if zlib has no memory.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? { Gzip().compress(bytes, isLast: true) }

    /// Returns whether the fields `Accept-Encoding` of a request allow gzip.
    static func isAccepted(_ fields: [String]) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { coding in
            let parts = coding.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            // A weight of zero means that the client cannot read it.
            return !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
        }
    }
}
