import Foundation
import PeerTestSupport
import Testing

extension Laptop {
    /// The most memory that a command may take, in KiB: 64 MB, and 32 MB for the larger code of a build for debugging.
    ///
    /// `.ci/run` also measures the released program, whose path is in `HIKESHARE_PROGRAM`.
    static let memoryBound = ProcessInfo.processInfo.environment["HIKESHARE_PROGRAM"] == nil ? 96 << 10 : 64 << 10

    /// Runs the program to its end; returns also the most memory that it had, in KiB.
    func measuringMemory(
        _ arguments: [String],
        environment: [String: String?] = [:]
    ) async throws -> (ending: Ending, memory: Int) {
        // A process of its own: what starts a program counts for it until it runs, and the tests are large.
        let script = """
            import os, resource, subprocess, sys
            code = subprocess.call(sys.argv[1:])
            print("memory", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            sys.exit(code)
            """
        var environment = environment
        environment["HIKESHARE_STORE"] = store
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let ending = try await ChildProcess.with(
            "/usr/bin/python3",
            ["-c", script, Place.program] + arguments,
            environment: environment
        ) { child in
            try await Self.impatiently(child) { await child.ending() }
        }
        let memory = ending.output.last { $0.hasPrefix("memory ") }.flatMap { Int($0.dropFirst(7)) }
        return (ending, try #require(memory, "\(ending)"))
    }
}
