import FoundationEssentials
import NIOCore
import PeerStorage
import PeerTestSupport

@testable import NearbyPeers

/// Bytes on their way into a sink, as a receiver brings them, without a network.
struct Shipment {
    let source: SingleResource
    let bytes: [UInt8]

    var entry: ManifestEntry { source.manifest.entries[0] }

    /// Makes random bytes of a size.
    init(size: Int, name: String = "Tour.gpx", seed: UInt64 = 1) throws {
        var generator = SeededGenerator(seed: seed)
        try self.init(generator.bytes(size), name: name)
    }

    init(_ bytes: [UInt8], name: String = "Tour.gpx") throws {
        self.bytes = bytes
        source = try SingleResource(.bytes(Data(bytes)), id: UUID(), name: name, isStopped: { false })
    }

    /// A storage for it.
    func storage(
        _ destination: ResourceDestination,
        named name: String = "Tour.gpx",
        keptIn partials: URL? = nil,
        atMost maximumSize: UInt64 = .max,
        _ faults: (any FaultInjector)? = nil
    ) -> ResourceStorage {
        ResourceStorage(
            destination,
            offeredName: name,
            offeredSize: entry.size,
            partials: partials.map { PartialResources(in: $0.path, maximumSize: maximumSize) },
            faults: faults,
            syncInterval: 100_000
        )
    }

    /// Brings at most some of the missing chunks; returns the transfer and the positions of all missing ones.
    func begin(into storage: ResourceStorage, atMost count: Int = .max) throws -> (any IncomingTransfer, [Int]) {
        try storage.examine(source.manifest)
        let transfer = try storage.begin(source.manifest, accepting: [.file])
        let missing = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
        let positions = Array(missing.ranges.joined())
        for position in positions.prefix(count) { try write([position], to: transfer) }
        return (transfer, positions)
    }

    /// Writes consecutive chunks in two buffers.
    func write(_ positions: [Int], to transfer: any IncomingTransfer) throws {
        guard let first = positions.first, let last = positions.last else { return }
        let range = entry.layout.byteRange(of: first..<last + 1)
        let part = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        let middle = part.startIndex + part.count / 3
        let buffers = [ByteBuffer(bytes: part[..<middle]), ByteBuffer(bytes: part[middle...])]
        try transfer.write(buffers, at: range.lowerBound, of: entry)
    }

    /// Brings everything; returns the positions of the chunks that were missing.
    @discardableResult
    func bring(into storage: ResourceStorage) throws -> [Int] {
        let (transfer, missing) = try begin(into: storage)
        try transfer.finish(entry)
        _ = try transfer.commit()
        return missing
    }

    /// Brings some chunks, then the connection breaks.
    func breakOff(into storage: ResourceStorage, after count: Int) throws {
        let (transfer, _) = try begin(into: storage, atMost: count)
        transfer.stop()
        transfer.abandon()
    }
}

/// Sees the system calls of a storage, and lets some fail.
final class SomeFail: FaultInjector {
    private let calls = Locked<[String]>([])
    private let failing = Locked<(@Sendable (Int, FileOperation, String) -> CInt?)?>(nil)

    /// The calls since the start or the last ``fail(_:)``.
    var seen: [String] { calls.value }

    /// Lets calls fail from now on; gets the number of the call since now, the operation and the path.
    func fail(_ decide: (@Sendable (Int, FileOperation, String) -> CInt?)?) {
        calls.withLock { $0 = [] }
        failing.withLock { $0 = decide }
    }

    func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int {
        let number = calls.withLock { calls in
            calls.append("\(operation)")
            return calls.count - 1
        }
        if let error = failing.value?(number, operation, path) { throw SystemError(number: error) }
        return count
    }

    func end(_ operation: FileOperation, _ path: String) {}
}
