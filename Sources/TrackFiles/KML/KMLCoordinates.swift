import RegionModel

/// Reads the text of positions, which comes in pieces and may be as long as the file: `LONGITUDE,LATITUDE,ALTITUDE` with
/// spaces between them.
struct KMLCoordinates {
    /// The numbers of a position as they are written.
    struct Position {
        var longitude: Double?
        var latitude: Double?
        var altitude: Double?

        /// Reads numbers in the order of KML.
        init(_ numbers: [Double?]) {
            longitude = numbers.first ?? nil
            latitude = numbers.count > 1 ? numbers[1] : nil
            altitude = numbers.count > 2 ? numbers[2] : nil
        }
    }

    // Three numbers; what is longer is none.
    private static let maximumLength = 200

    private var position: [UInt8] = []
    private var hadSpace = false

    /// Reads a piece.
    mutating func read(
        _ piece: ArraySlice<UInt8>,
        _ take: (Position) throws(RegionStoreError) -> Void
    ) throws(RegionStoreError) {
        for byte in piece {
            guard byte > 0x20 else {
                hadSpace = !position.isEmpty
                continue
            }
            // Some programs write spaces around the commas, or commas between the positions.
            let comma = UInt8(ascii: ",")
            if hadSpace {
                let commaCount = position.reduce(0) { $0 + ($1 == comma ? 1 : 0) }
                let isFull = commaCount + (byte == comma ? 1 : 0) > 2
                if isFull || byte != comma && position.last != comma { try end(take) }
                hadSpace = false
                if isFull, byte == comma { continue }
            }
            if position.count <= Self.maximumLength { position.append(byte) }
        }
    }

    /// Ends the text.
    mutating func end(_ take: (Position) throws(RegionStoreError) -> Void) throws(RegionStoreError) {
        guard !position.isEmpty else { return }
        let isWhole = position.count <= Self.maximumLength
        let numbers = position.split(separator: UInt8(ascii: ","), maxSplits: 3, omittingEmptySubsequences: false)
            .map { DecimalNumber.value(String(decoding: $0, as: UTF8.self)) }
        position.removeAll(keepingCapacity: true)
        hadSpace = false
        try take(Position(isWhole ? numbers : []))
    }
}
