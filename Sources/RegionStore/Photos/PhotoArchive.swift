import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// The resource `photos`: the photos of a region's waypoints in one file. (Item formats, "Photos".)
///
/// Every photo begins at a multiple of ``alignment``, which is a multiple of every chunk length. The photos are sorted by the ids
/// of their waypoints. So an added or removed photo moves the others by whole chunks, which a receiver finds by their digests.
struct PhotoArchive {
    /// A photo in the file.
    struct Entry: Hashable, Sendable {
        var waypointID: UUID
        var modifiedAt: Date
        /// The range of its bytes.
        var range: Range<UInt64>
    }

    /// The alignment of photos, in bytes.
    static let alignment: UInt64 = 64 * 1024

    /// The maximum size of a file, in bytes.
    ///
    /// Its chunks are not longer than the alignment.
    static let maximumSize: UInt64 = 4 << 30

    /// The maximum number of photos.
    static let maximumCount = 100_000

    /// Id (16), time (8), length (4).
    private static let headerLength = 28

    /// The length of a photo in the file, with its header and padding, in bytes.
    static func length(ofPhoto count: Int) -> UInt64 { end(after: UInt64(headerLength + count)) }

    /// Reads the positions of the photos, and checks that the file contains nothing else.
    static func entries(of file: OpenFile, size: UInt64, called name: String) throws -> [Entry] {
        var entries: [Entry] = []
        var position: UInt64 = 0
        while position < size {
            guard entries.count < maximumCount else { throw invalid(name, "it has more than \(maximumCount) photos") }
            let start = try bytes(headerLength + PhotoFormat.signatureLength, of: file, at: position, name)
            let entry = try entry(start, at: position, size: size, name)
            if let last = entries.last, last.waypointID.uuidString >= entry.waypointID.uuidString {
                throw invalid(name, "photo \(entries.count + 1) is out of order")
            }
            entries.append(entry)
            position = end(after: entry.range.upperBound)
            guard position <= size else { throw invalid(name, "it ends in the middle of a photo") }
            let padding = try bytes(Int(position - entry.range.upperBound), of: file, at: entry.range.upperBound, name)
            guard padding.allSatisfy({ $0 == 0 }) else {
                throw invalid(name, "there is data after photo \(entries.count)")
            }
        }
        return entries
    }

    /// Reads the bytes of a photo.
    static func photo(_ entry: Entry, of file: OpenFile, called name: String) throws -> Data {
        Data(try bytes(entry.range.count, of: file, at: entry.range.lowerBound, name))
    }

    /// Reads some of the bytes of a photo.
    static func bytes(
        of entry: Entry,
        _ range: Range<Int>,
        of file: OpenFile,
        called name: String
    ) throws -> [UInt8] {
        try bytes(range.count, of: file, at: entry.range.lowerBound + UInt64(range.lowerBound), name)
    }

    private static func entry(_ bytes: [UInt8], at position: UInt64, size: UInt64, _ name: String) throws -> Entry {
        var start = ByteBuffer(bytes: bytes)
        guard let id = start.readBytes(length: 16), let seconds = start.readInteger(as: Int64.self),
            let length = start.readInteger(as: UInt32.self)
        else { throw invalid(name, "it ends in the middle of a photo") }
        let modifiedAt = Date(timeIntervalSince1970: TimeInterval(seconds))
        guard Timestamp.isPlausible(modifiedAt) else {
            throw invalid(name, "the photo at byte \(position) has an impossible time")
        }
        guard (1...Photo.maximumSize).contains(Int(length)) else {
            throw invalid(
                name,
                "the photo at byte \(position) has \(length) bytes; 1 to \(Photo.maximumSize) are allowed"
            )
        }
        guard PhotoFormat(beginning: start.readableBytesView) != nil else {
            throw invalid(name, "there is no photo at byte \(position)")
        }
        let first = position + UInt64(headerLength)
        guard UInt64(length) <= size - min(size, first) else { throw invalid(name, "it ends in the middle of a photo") }
        return Entry(
            waypointID: UUID(bytes: id),
            modifiedAt: modifiedAt,
            range: first..<first + UInt64(length)
        )
    }

    private static func bytes(_ count: Int, of file: OpenFile, at position: UInt64, _ name: String) throws -> [UInt8] {
        let bytes = try RegionStoreError.mapping("read", name) { try file.bytes(count, at: position) }
        guard bytes.count == count else { throw invalid(name, "it ends in the middle of a photo") }
        return bytes
    }

    /// The next multiple of the alignment.
    private static func end(after position: UInt64) -> UInt64 {
        (position + alignment - 1) / alignment * alignment
    }

    private static func invalid(_ name: String, _ why: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "\(name) is not a valid photo archive: \(why).")
    }

    /// Writes photos one after the other into an empty file, or to another output.
    struct Writer {
        private let output: any ByteOutput
        private(set) var size: UInt64 = 0

        init(to output: any ByteOutput) { self.output = output }

        /// Adds a photo.
        ///
        /// Photos must be added in the order of their waypoints' ids as text.
        mutating func append(_ data: Data, of waypointID: UUID, modifiedAt: Date) throws(SystemError) {
            try begin(data.count, of: waypointID, modifiedAt: modifiedAt)
            try write(ByteBuffer(bytes: data))
            try end()
        }

        /// Adds a photo piece by piece.
        mutating func append(_ photo: PhotoReader, of waypointID: UUID, modifiedAt: Date) throws {
            try begin(photo.size, of: waypointID, modifiedAt: modifiedAt)
            try photo.forEachPiece { try write(ByteBuffer(bytes: $0)) }
            try end()
        }

        private mutating func begin(_ count: Int, of waypointID: UUID, modifiedAt: Date) throws(SystemError) {
            var header = ByteBuffer()
            header.writeBytes(waypointID.bytes)
            header.writeInteger(Int64(modifiedAt.timeIntervalSince1970.rounded(.down)))
            header.writeInteger(UInt32(truncatingIfNeeded: count))
            try write(header)
        }

        private mutating func end() throws(SystemError) {
            try write(ByteBuffer(repeating: 0, count: Int(PhotoArchive.end(after: size) - size)))
        }

        private mutating func write(_ buffer: ByteBuffer) throws(SystemError) {
            guard buffer.readableBytes > 0 else { return }
            try output.write([buffer], at: size)
            size += UInt64(buffer.readableBytes)
        }
    }
}

extension UUID {
    fileprivate init(bytes: [UInt8]) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes.prefix(16)) }
        self.init(uuid: value)
    }

    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
