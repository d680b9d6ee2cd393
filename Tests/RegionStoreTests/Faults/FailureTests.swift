import FaultInjection
import Foundation
import GRDB
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import RegionStore

/// A disk that is full, reports errors or takes less than it is given, anywhere.
@Suite(.timeLimit(.minutes(60))) struct FailureTests {
    private struct Run: Sendable {
        var number: Int
        var fault: Fault
    }

    @Test(arguments: FaultCase.allCases)
    func failingAtAnyStepItLeavesTheOldAndSaysWhy(_ kind: FaultCase) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let bench = try FaultBench(kind, in: directory)
            let runs = bench.ownSteps.flatMap { number in
                Fault.allCases.filter { $0 != .noLinks && $0.applies(to: bench.steps[number]) }.map { fault in
                    Run(number: number, fault: fault)
                }
            }
            let findings = try await Many.map(runs) { run in
                try Self.findings(bench, run).map {
                    "\(run.fault) at step \(run.number) (\(bench.steps[run.number])): \($0)"
                }
            }.joined()
            #expect(Array(findings) == [])
        }
    }

    private static func findings(_ bench: FaultBench, _ run: Run) throws -> [String] {
        let folder = try bench.begin("fail-\(run.number)-\(run.fault)")
        let recorder = StepRecorder(in: folder, .fail(at: run.number, run.fault), hasLinks: bench.kind.hasLinks)
        let account = Reception.Account()
        var findings: [String] = []
        var mayBe = [bench.new]
        do {
            try bench.reception.run("store", recorder, account)
        } catch {
            findings = Self.findings(error)
            mayBe = [bench.old]
            // A transaction that is whole in a log which the disk refused counts if the log is there all the same.
            if case .database(.synchronize, let path) = bench.steps[run.number], path.hasSuffix("-wal") {
                mayBe.append(bench.new)
            }
        }
        guard recorder.steps[run.number] == bench.steps[run.number] else {
            return ["this was another step: \(recorder.steps[run.number])"]
        }
        return findings
            + bench.findings(
                in: folder,
                mayBe: mayBe,
                writtenCount: bench.kind.hasLinks ? Set(account.writtenChunks).count : 0
            )
    }

    /// What is wrong with an error that a person is shown.
    private static func findings(_ error: any Error) -> [String] {
        guard let error = error as? RegionStoreError else { return ["it says \(type(of: error)): \(error)"] }
        var findings: [String] = []
        if error.code != .storage { findings.append("its code is \(error.code)") }
        if !error.message.contains("store"), !error.message.contains("disk") {
            findings.append("it does not say where")
        }
        if error.remedy == nil { findings.append("it does not say what to do") }
        // SQLite says so only of some of its calls.
        let isFull =
            (error.cause as? SystemError)?.number == ENOSPC
            || (error.cause as? DatabaseError)?.resultCode == .SQLITE_FULL
        if isFull, !error.message.contains("full") { findings.append("it does not say that the disk is full") }
        return findings.map { "\($0): \(error)" }
    }
}
