internal import FoundationEssentials
internal import PeerStorage
internal import RegionStore

/// A file with values for this program alone, which is read one value at a time: of each the length in four bytes, and JSON.
enum ValueFile {
    /// The maximum length of a value: a tile in base64, or the longest line.
    private static let maximumLength = 16 << 20
    static let error = RegionStoreError(.invalidFile, "The file of values is not valid.")

    struct Writer {
        private let file: OpenFile
        private var length: UInt64 = 0

        init(to file: OpenFile) { self.file = file }

        mutating func append(_ value: some Encodable) throws {
            let encoder = PageJSON.encoder()
            encoder.dateEncodingStrategy = .deferredToDate
            let bytes = try encoder.encode(value)
            guard bytes.count <= maximumLength else { throw error }
            let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
            try file.write(head + bytes, at: length)
            length += UInt64(head.count + bytes.count)
        }
    }

    struct Reader<Value: Decodable> {
        private let file: OpenFile
        private var position: UInt64 = 0

        init(of file: OpenFile) { self.file = file }

        /// Reads the next value; nil at the end.
        mutating func next() throws -> Value? {
            let head = try file.bytes(4, at: position)
            guard !head.isEmpty else { return nil }
            let length = head.reduce(0) { $0 << 8 | Int($1) }
            guard head.count == 4, length <= maximumLength else { throw error }
            let bytes = try file.bytes(length, at: position + 4)
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
            guard bytes.count == length, let value = try? decoder.decode(Value.self, from: Data(bytes)) else {
                throw error
            }
            position += 4 + UInt64(length)
            return value
        }
    }
}
