import Foundation
import Synchronization

/// The time of the machine in nanoseconds: the same for all programs on it.
func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The number of allocations of this process so far; nil if they are not counted (`Scripts/bench/rivals/allocations.c`).
let allocationCount: (@Sendable () -> UInt64)? = {
    guard let symbol = dlsym(nil, "bench_allocation_count") else { return nil }
    let count = unsafeBitCast(symbol, to: (@convention(c) () -> UInt64).self)
    return { count() }
}()

/// Writes a line of JSON at once.
func emit(_ type: String, _ figures: [String: Double]) {
    let fields = figures.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    let line = "{" + (["\"type\":\"\(type)\""] + fields).joined(separator: ",") + "}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

/// The middle, the 99th of 100, and the highest of some nanoseconds, in microseconds.
func percentiles(_ times: [UInt64]) -> [String: Double] {
    let sorted = times.sorted()
    func at(_ share: Double) -> Double {
        sorted.isEmpty ? .nan : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
    }
    return ["p50": at(0.5), "p99": at(0.99), "highest": at(1), "count": Double(sorted.count)]
}

/// Counts what comes, after a time that does not count.
struct Meter: Sendable {
    private let warmUp: UInt64
    private let length: UInt64
    private let interval: Int
    private var first: UInt64?
    private var begin: UInt64?
    private var last: UInt64 = 0
    private var unseen = 0
    private var bytes = 0
    private var count = 0
    private var allocations: (begin: UInt64, end: UInt64) = (0, 0)

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - options: `--warm` and `--seconds`.
    ///   - interval: How many things come between two looks at the clock.
    init(_ options: Options, every interval: Int) {
        warmUp = UInt64(options.number("warm", 0.5) * 1e9)
        length = UInt64(options.number("seconds", 2) * 1e9)
        self.interval = interval
    }

    /// Something has come.
    ///
    /// - Returns: Whether the time is over.
    mutating func came(_ length: Int) -> Bool {
        if begin != nil {
            bytes += length
            count += 1
        }
        unseen += 1
        guard unseen >= interval || first == nil else { return false }
        unseen = 0
        let now = nanoseconds()
        guard let first else {
            self.first = now
            if warmUp == 0 { begin = now }
            return false
        }
        guard let begin else {
            if now - first >= warmUp {
                self.begin = now
                allocations.begin = allocationCount?() ?? 0
            }
            return false
        }
        last = now
        guard now - begin >= self.length else { return false }
        allocations.end = allocationCount?() ?? 0
        return true
    }

    /// What came in a second, and its megabytes; the allocations for each one, if they are counted.
    var figures: [String: Double] {
        let seconds = Double(last - (begin ?? 0)) / 1e9
        var figures = ["rate": Double(count) / seconds, "megabytes": Double(bytes) / seconds / 1e6, "seconds": seconds]
        if allocationCount != nil {
            figures["allocations"] = Double(allocations.end - allocations.begin) / Double(max(1, count))
        }
        return figures
    }
}

/// A message of bytes that begins with its number and a time.
struct NumberedBytes: Sendable {
    private(set) var data: Data

    init(length: Int) {
        data = Data(count: max(16, length))
    }

    /// Writes a number and a time.
    mutating func set(_ number: UInt64, at time: UInt64 = 0) {
        data.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: number, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: time, toByteOffset: 8, as: UInt64.self)
        }
    }

    /// Reads them.
    static func read(_ data: Data) -> (number: UInt64, time: UInt64)? {
        guard data.count >= 16 else { return nil }
        return data.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }
}

/// Checks that messages come whole, each once and in order.
struct OrderCheck: Sendable {
    private let length: Int
    private var next: UInt64 = 0

    init(length: Int) {
        self.length = max(16, length)
    }

    mutating func came(_ data: Data) throws {
        guard data.count == length, NumberedBytes.read(data)?.number == next else {
            throw Problem("message \(next) has not come as it was sent")
        }
        next += 1
    }
}

/// A value that several tasks or threads use.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func use<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            var copy = value
            let result = body(&copy)
            value = copy
            return result
        }
    }
}
