import Foundation
import GroupSimulation

/// What was simulated, as one line that another process can read.
struct Tally {
    private static let mark = "tally"

    var seeds: UInt64 = 0
    var failures: UInt64 = 0
    var messages: UInt64 = 0
    var resources: UInt64 = 0
    /// Of everything that the applications saw: equal for equal seeds.
    var digest: UInt64 = 0

    var text: String { "\(Self.mark) \(seeds) \(failures) \(messages) \(resources) \(digest)" }

    init() {}

    /// Reads a line; nil for any other line.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        guard words.first == Substring(Self.mark), numbers.count == 5 else { return nil }
        (seeds, failures, messages, resources, digest) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    }

    /// Adds what became of the plan of a seed.
    mutating func add(_ report: Simulation.Report, of seed: UInt64) {
        seeds += 1
        failures += report.problems.isEmpty ? 0 : 1
        messages += UInt64(report.messageCount)
        resources += UInt64(report.resourceCount)
        digest ^= report.digest &* (seed | 1)
    }

    mutating func add(_ other: Tally) {
        seeds += other.seeds
        failures += other.failures
        messages += other.messages
        resources += other.resources
        digest ^= other.digest
    }
}

/// The processes that share the seeds.
struct Workers {
    /// Which of the processes this one is, as INDEX/COUNT.
    static let variable = "SIMULATION_SHARE"

    /// The index of this process, and how many there are.
    static var share: (index: UInt64, count: UInt64) {
        let parts = (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: "/").compactMap {
            UInt64($0)
        }
        return parts.count == 2 ? (parts[0], max(1, parts[1])) : (0, 1)
    }

    let arguments: [String]

    /// Runs the processes, and prints what they print and what they have done together.
    ///
    /// - Returns: The exit status: that of a process that failed, else 0.
    func run() throws -> Int32 {
        let isOneSeed = ["--log", "--film"].contains(arguments.first)
        let count = isOneSeed ? 1 : max(1, ProcessInfo.processInfo.activeProcessorCount)
        let processes = try (0..<count).map { try start($0, of: count) }
        var total = Tally()
        var status: Int32 = 0
        for (process, output) in processes {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let tally = Tally(line) { total.add(tally) } else if !line.isEmpty { print(line) }
            }
            let isFine = process.terminationReason == .exit && process.terminationStatus == 0
            if !isFine { status = process.terminationReason == .exit ? process.terminationStatus : 70 }
        }
        if total.seeds > 0 {
            print(
                "{\"seeds\":\(total.seeds),\"failures\":\(total.failures),\"messages\":\(total.messages),"
                    + "\"resources\":\(total.resources),\"digest\":\"\(String(total.digest, radix: 16))\"}"
            )
        }
        return status
    }

    private func start(_ index: Int, of count: Int) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            [Self.variable: "\(index)/\(count)", "SWIFT_DETERMINISTIC_HASHING": "1"]
        ) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }
}
