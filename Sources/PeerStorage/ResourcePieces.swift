package import PeerProtocol

/// Where the pieces of a resource lie, for example the tiles of a map.
///
/// A receiver that has pieces in another file takes them from there, wherever they lie. Without it, pages are the pieces.
public struct ResourcePieces: Sendable {
    /// Which bytes of pages belong to no piece.
    package let shape: PageShape
    /// Returns the spans that lie in a range of bytes or reach into it, in order.
    package let spans: @Sendable (Range<UInt64>) throws -> [PieceSpan]

    package init(shape: PageShape, spans: @escaping @Sendable (Range<UInt64>) throws -> [PieceSpan]) {
        self.shape = shape
        self.spans = spans
    }

    /// The same pieces without their keys.
    package var withoutKeys: ResourcePieces {
        ResourcePieces(shape: shape) { [spans] range in
            try spans(range).map { span in
                var span = span
                span.key = nil
                return span
            }
        }
    }
}

/// The pieces of a list that a storage has.
package protocol LocalPieces: Sendable {
    /// Returns whether the storage has at least this many of the first bytes of a piece of the list.
    func has(_ piece: Int, length: Int) -> Bool

    /// Reads bytes of a piece into `space`; false if they cannot be read.
    func read(_ piece: Int, from offset: Int, into space: UnsafeMutableRawBufferPointer) -> Bool
}
