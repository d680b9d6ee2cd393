/// The text of an element, which comes in pieces.
struct CollectedText {
    private static let maximumLength = 1 << 20

    private var bytes: [UInt8] = []
    private var isTooLong = false
    /// Whether the text of the current element is wanted.
    private(set) var isCollecting = false

    /// Begins an element whose text is wanted or not; the text of the surrounding element is forgotten if it is wanted.
    mutating func begin(_ isWanted: Bool) {
        isCollecting = isWanted
        guard isWanted else { return }
        isTooLong = false
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds a piece.
    mutating func append(_ piece: ArraySlice<UInt8>) {
        guard isCollecting else { return }
        guard bytes.count + piece.count <= Self.maximumLength else {
            isTooLong = true
            return
        }
        bytes += piece
    }

    /// Returns the text of the element that ends; nil if it was too long, which is counted.
    mutating func end(_ leftOut: inout TrackOmissions) -> String? {
        isCollecting = false
        guard !isTooLong else {
            leftOut[.droppedText] += 1
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
