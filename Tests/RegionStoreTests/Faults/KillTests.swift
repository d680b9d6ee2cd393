import FaultInjection
import Foundation
import PeerTestSupport
import Testing

/// A receiver that is killed, anywhere.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
    @Test(arguments: FaultCase.allCases)
    func killedAtAnyStepItLeavesTheOldOrTheNew(_ kind: FaultCase) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let bench = try FaultBench(kind, in: directory)
            // What a killed process has written stays, so that steps between two of these leave the same.
            let places = bench.ownSteps.filter { number in
                if case .point = bench.steps[number] { return true }
                return bench.steps[number].changesFiles
            }
            let findings = try await Many.map(places) { number in
                let folder = try bench.begin("kill-\(number)")
                let arguments = [
                    bench.offerFolder, folder, "\(number)", "\(kind.firstTry.map(String.init) ?? "-")",
                    "\(kind.hasLinks)",
                ]
                let status = try await ChildProcess.with(Self.receiver, arguments) { await $0.waitForExit() }
                guard status == .signalled(SIGKILL) else { return ["step \(number): it ended with \(status)"] }
                return bench.findings(
                    in: folder,
                    mayBe: [bench.old, bench.new],
                    writtenCount: kind.hasLinks ? bench.writtenChunks.count { $0 <= number } : 0
                ).map { "killed before step \(number) (\(bench.steps[number])): \($0)" }
            }.joined()
            #expect(Array(findings) == [])
        }
    }

    private static var receiver: String {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [CommandLine.arguments[0], executable, Bundle.main.bundlePath].map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        return (folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/FaultyReceiver") } ?? "")
            + "/FaultyReceiver"
    }
}

/// The same for many, a few at a time.
enum Many {
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            var results: [Result] = []
            var rest = elements[...]
            let width = max(2, ProcessInfo.processInfo.activeProcessorCount)
            for element in rest.prefix(width) { group.addTask { try await body(element) } }
            rest = rest.dropFirst(width)
            while let result = try await group.next() {
                results.append(result)
                if let element = rest.popFirst() { group.addTask { try await body(element) } }
            }
            return results
        }
    }
}
