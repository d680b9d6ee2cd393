import PeerStorage
import RegionModel

/// Sorts places in bounded memory: what exceeds it waits in a temporary file, in sorted runs that are merged at the end.
final class PlaceSorter {
    /// The number of bytes of a place in the file.
    private static let stride = 24

    /// The memory that all runs share while they are merged, in bytes.
    private static let mergeMemory = 4 << 20

    private let folder: Folder
    private let capacity: Int
    private var places: [TilePlace] = []
    private var file: OpenFile?
    /// The number of places in each run of the file.
    private var runs: [Int] = []

    /// The number of places.
    private(set) var count = 0

    /// Creates an empty sorter.
    ///
    /// - Parameters:
    ///   - folder: The folder for the temporary file.
    ///   - capacity: The number of places that are kept in memory.
    init(in folder: Folder, capacity: Int = 1 << 17) {
        self.folder = folder
        self.capacity = capacity
    }

    /// Adds a place.
    ///
    /// - Throws: `RegionStoreError` if the temporary file cannot be written.
    func add(_ place: TilePlace) throws {
        if places.count == capacity { try writeRun() }
        places.append(place)
        count += 1
    }

    /// Calls `body` with all places in ascending order.
    ///
    /// - Throws: `RegionStoreError` if the temporary file cannot be read, or the error of `body`.
    func readSorted(_ body: (TilePlace) throws -> Void) throws {
        places.sort()
        guard file != nil else {
            for place in places { try body(place) }
            return
        }
        if !places.isEmpty { try writeRun() }
        places = []
        try merge(body)
    }

    private func writeRun() throws {
        places.sort()
        let position = UInt64(runs.reduce(0, +)) * UInt64(Self.stride)
        try RegionStoreError.mapping("written", folder.path) { () throws(SystemError) in
            let file = if let file { file } else { try folder.temporaryFile() }
            self.file = file
            var failure: SystemError?
            places.withUnsafeBytes { bytes in
                do throws(SystemError) { try file.write(bytes, at: position) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        runs.append(places.count)
        places.removeAll(keepingCapacity: true)
    }

    private func merge(_ body: (TilePlace) throws -> Void) throws {
        guard let file else { return }
        var start = 0
        let room = max(64, Self.mergeMemory / Self.stride / runs.count)
        // A heap of the runs' first places, the least one at the root.
        var heap: [Run] = []
        for count in runs {
            var run = Run(file: file, path: folder.path, next: start, end: start + count, room: room)
            if try run.advance() { heap.append(run) }
            start += count
        }
        heap.sort { $0.first < $1.first }
        while !heap.isEmpty {
            try body(heap[0].first)
            if try !heap[0].advance() {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            Self.sink(&heap)
        }
    }

    private static func sink(_ heap: inout [Run]) {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].first < heap[least].first {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// A sorted part of the file.
    private struct Run {
        let file: OpenFile
        let path: String
        /// The number of the next place in the file, and that of the place behind the run.
        var next: Int
        let end: Int
        /// The number of places in memory at a time.
        let room: Int
        var buffer: [TilePlace] = []
        var index = 0
        var first = TilePlace(key: 0, offset: 0, length: 0)

        init(file: OpenFile, path: String, next: Int, end: Int, room: Int) {
            self.file = file
            self.path = path
            self.next = next
            self.end = end
            self.room = room
        }

        /// Moves to the next place; returns false at the end.
        mutating func advance() throws -> Bool {
            if index == buffer.count {
                guard next < end else { return false }
                try load()
            }
            first = buffer[index]
            index += 1
            return true
        }

        private mutating func load() throws {
            let count = min(room, end - next)
            let position = UInt64(next) * UInt64(PlaceSorter.stride)
            buffer = [TilePlace](repeating: TilePlace(key: 0, offset: 0, length: 0), count: count)
            let length = try RegionStoreError.mapping("read", path) { () throws(SystemError) -> Int in
                var result: Result<Int, SystemError> = .success(0)
                buffer.withUnsafeMutableBytes { bytes in
                    do throws(SystemError) {
                        result = .success(try file.read(into: bytes, at: position))
                    } catch {
                        result = .failure(error)
                    }
                }
                return try result.get()
            }
            guard length == count * PlaceSorter.stride else {
                throw RegionStoreError(.storage, "A temporary file in \(path) was cut off by another program.")
            }
            next += count
            index = 0
        }
    }
}
