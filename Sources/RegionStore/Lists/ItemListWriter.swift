import FoundationEssentials
import PeerStorage
import RegionModel

/// Writes a list item by item.
struct ItemListWriter {
    /// The list exceeds the maximum size.
    struct TooLarge: Error {}

    private static let bufferLength = 64 * 1024

    private let output: (any ByteOutput)?
    private let maximumSize: UInt64
    private var buffer = [UInt8(ascii: "[")]
    private var isEmpty = true

    /// The number of bytes that were written.
    private(set) var size: UInt64 = 0

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - output: The output, such as a file; nil to compute the size only.
    ///   - maximumSize: The maximum number of bytes.
    init(to output: (any ByteOutput)?, atMost maximumSize: UInt64) {
        self.output = output
        self.maximumSize = maximumSize
    }

    /// Adds an item.
    mutating func append(_ item: some RegionItem) throws {
        if !isEmpty { buffer.append(UInt8(ascii: ",")) }
        isEmpty = false
        try SharedJSON.write(item) { piece in
            buffer.append(contentsOf: piece)
            if buffer.count >= Self.bufferLength { try flush() }
        }
    }

    /// Ends the list.
    mutating func finish() throws {
        buffer.append(UInt8(ascii: "]"))
        try flush()
    }

    private mutating func flush() throws {
        guard size + UInt64(buffer.count) <= maximumSize else { throw TooLarge() }
        if let output {
            try RegionStoreError.mapping("written", "The store") { try output.write(buffer, at: size) }
        }
        size += UInt64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }
}
