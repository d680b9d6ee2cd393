/// The text of an element, which comes in pieces.
struct CollectedText {
    private static let maximumLength = 1 << 20

    private var bytes: [UInt8] = []
    private var isTooLong = false
    /// Whether the text of the current element is wanted.
    private(set) var isCollecting = false

    /// Begins an element whose text is wanted, or one whose text is not; what came of the element around it stays.
    mutating func begin(_ isWanted: Bool) {
        isCollecting = isWanted
        guard isWanted else { return }
        isTooLong = false
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds a piece.
    mutating func append(_ piece: XMLScanner.Text, _ scanner: XMLScanner) {
        guard isCollecting else { return }
        guard bytes.count + scanner.length(piece) <= Self.maximumLength else {
            isTooLong = true
            return
        }
        scanner.append(piece, to: &bytes)
    }

    /// Returns the text of the element that ends; nil if it was too long, which is counted.
    mutating func end(_ leftOut: inout GPXLeftOut) -> String? {
        isCollecting = false
        guard !isTooLong else {
            leftOut.droppedTexts += 1
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
