import PeerStorage
import RegionModel

/// Sorts values in bounded memory: what exceeds it waits in a temporary file, in sorted runs that are merged at the end.
final class DiskSorter<Value: Comparable & BitwiseCopyable> {
    /// The memory that all runs share while they are merged, in bytes.
    private static var mergeMemory: Int { 4 << 20 }

    private let folder: Folder
    private let capacity: Int
    private var values: [Value] = []
    private var file: OpenFile?
    /// The number of values in each run of the file.
    private var runs: [Int] = []

    /// The number of values.
    private(set) var count = 0

    /// Creates an empty sorter.
    init(in folder: Folder, capacity: Int = 1 << 17) {
        self.folder = folder
        self.capacity = capacity
    }

    func add(_ value: Value) throws {
        if values.count == capacity { try writeRun() }
        values.append(value)
        count += 1
    }

    /// Calls `body` with all values in ascending order.
    func readSorted(_ body: (Value) throws -> Void) throws {
        if file != nil, !values.isEmpty { try writeRun() }
        guard let file else {
            values.sort()
            return try values.forEach(body)
        }
        values = []
        let room = max(64, Self.mergeMemory / MemoryLayout<Value>.stride / runs.count)
        // The runs with their first values; the least one is at the root.
        var heap: [(first: Value, run: Run)] = []
        var start = 0
        for count in runs {
            var run = Run(file: file, path: folder.path, rest: start..<start + count, room: room)
            if let first = try run.next() { heap.append((first, run)) }
            start += count
        }
        heap.sort { $0.first < $1.first }
        while !heap.isEmpty {
            try body(heap[0].first)
            if let next = try heap[0].run.next() {
                heap[0].first = next
            } else {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            Self.sink(&heap)
        }
    }

    private func writeRun() throws {
        values.sort()
        let position = UInt64(runs.reduce(0, +)) * UInt64(MemoryLayout<Value>.stride)
        try RegionStoreError.mapping("written", folder.path) { () throws(SystemError) in
            let file = if let file { file } else { try folder.temporaryFile() }
            self.file = file
            try file.write(values.withUnsafeBytes { Array($0) }, at: position)
        }
        runs.append(values.count)
        values.removeAll(keepingCapacity: true)
    }

    private static func sink(_ heap: inout [(first: Value, run: Run)]) {
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
        /// Which values of the file are still to be read.
        var rest: Range<Int>
        /// The number of values in memory at a time.
        let room: Int
        var buffer: ArraySlice<Value> = []

        /// Takes the next value; nil at the end.
        mutating func next() throws -> Value? {
            if buffer.isEmpty, !rest.isEmpty {
                let (count, stride) = (min(room, rest.count), MemoryLayout<Value>.stride)
                let bytes = try RegionStoreError.mapping("read", path) { () throws(SystemError) in
                    try file.bytes(count * stride, at: UInt64(rest.lowerBound * stride))
                }
                guard bytes.count == count * stride else {
                    throw RegionStoreError(.storage, "A temporary file in \(path) was cut off by another program.")
                }
                buffer = bytes.withUnsafeBytes { bytes in
                    (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self) }[...]
                }
                rest = rest.lowerBound + count..<rest.upperBound
            }
            return buffer.popFirst()
        }
    }
}
