import PeerProtocol

/// Bytes in the form of gzip (RFC 1952).
enum GzipData {
    /// Returns whether bytes begin like gzip.
    static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(Deflate.Format.gzip.isPossible) }

    /// Inflates bytes; nil if they are damaged, or longer than a limit without compression.
    ///
    /// A bomb costs the limit and no more.
    static func inflate(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
        var output: [UInt8] = []
        let outcome = bytes.withUnsafeBytes { bytes in
            Deflate.inflate(bytes, as: .gzip) { piece in
                guard piece.count <= limit - output.count else { return false }
                output += piece
                return true
            }
        }
        return outcome == .complete ? output : nil
    }

    /// Compresses bytes; nil if zlib has no memory.
    static func deflate(_ bytes: [UInt8]) -> [UInt8]? { Deflate.compress(bytes, as: .gzip, level: 6) }
}
