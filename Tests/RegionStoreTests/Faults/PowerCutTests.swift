import FaultInjection
import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// A power cut, anywhere: what was not put on the disk for certain may be there, or not, or in part.
@Suite(.timeLimit(.minutes(60))) struct PowerCutTests {
    /// What a disk may have of the rest.
    private static let lucks: [DiskModel.Luck] = [.nothing, .namesOnly, .contentsOnly, .some(1), .some(2)]

    /// What is found at some moments, each once.
    private final class Wrecks: Sendable {
        struct Found: Sendable {
            var wreck: DiskModel.Wreck
            var moment: String
        }

        private let found = Locked<[ContentDigest: Found]>([:])

        var all: [Found] { found.value.values.sorted { $0.moment < $1.moment } }

        func add(_ model: DiskModel, _ moment: String) {
            model.look()
            for luck in PowerCutTests.lucks {
                let wreck = model.wreck(luck)
                let digest = wreck.digest
                found.withLock { found in
                    if found[digest] == nil { found[digest] = Found(wreck: wreck, moment: "\(luck) \(moment)") }
                }
            }
        }
    }

    @Test(arguments: FaultCase.allCases)
    func aPowerCutAtAnyStepLeavesTheOldOrTheNew(_ kind: FaultCase) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let bench = try FaultBench(kind, in: directory)
            let folder = try bench.begin("cut")
            let (during, afterwards) = (Wrecks(), Wrecks())
            let model = DiskModel(folder)
            let recorder = StepRecorder(
                in: folder,
                hasLinks: kind.hasLinks,
                lookers: .init { number, step in
                    if step.changesDisk { during.add(model, "before step \(number) (\(step))") }
                } synchronized: { path in
                    model.synchronized(path)
                }
            )
            try bench.reception.run("store", recorder)
            afterwards.add(model, "when it is done")
            #expect(during.all.count > 50)

            let findings = try await Many.map(Array(during.all.enumerated())) { number, found in
                try Self.findings(bench, found, "during-\(number)", mayBe: [bench.old, bench.new])
            }.joined()
            #expect(Array(findings) == [])
            // What was said to be received is.
            let later = try await Many.map(Array(afterwards.all.enumerated())) { number, found in
                try Self.findings(bench, found, "after-\(number)", mayBe: [bench.new])
            }.joined()
            #expect(Array(later) == [])
        }
    }

    /// What the next process takes for committed must not be lost after it has cleared up for it.
    @Test(arguments: [FaultCase.newRegion, .newerVersion])
    func aPowerCutAfterARestartLeavesTheOldOrTheNew(_ kind: FaultCase) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let bench = try FaultBench(kind, in: directory)
            let folder = try bench.begin("killed")
            let model = DiskModel(folder)
            let restarts = Locked<[(DiskModel, String, String)]>([])
            let recorder = StepRecorder(
                in: folder,
                hasLinks: kind.hasLinks,
                lookers: .init { number, step in
                    guard step.changesDisk else { return }
                    model.look()
                    let next = directory.path("restarted-\(number)")
                    guard let restarted = try? model.goOn(in: next) else { return }
                    restarts.withLock { $0.append((restarted, next, "killed before step \(number) (\(step))")) }
                } synchronized: { path in
                    model.synchronized(path)
                }
            )
            try bench.reception.run("store", recorder)
            #expect(restarts.value.count == bench.steps.count { $0.changesDisk })

            let wrecks = Wrecks()
            for (model, folder, moment) in restarts.value {
                let recorder = StepRecorder(
                    in: folder,
                    lookers: .init { _, _ in
                    } synchronized: { path in
                        model.synchronized(path)
                    }
                )
                try DatabaseFiles.watching(recorder) {
                    _ = try RegionStore(path: folder + "/store", faults: recorder)
                }
                wrecks.add(model, moment)
                try FileManager.default.removeItem(atPath: folder)
            }
            let findings = try await Many.map(Array(wrecks.all.enumerated())) { number, found in
                try Self.findings(bench, found, "wreck-\(number)", mayBe: [bench.old, bench.new])
            }.joined()
            #expect(Array(findings) == [])
        }
    }

    private static func findings(
        _ bench: FaultBench,
        _ found: Wrecks.Found,
        _ name: String,
        mayBe: [StoreState]
    ) throws -> [String] {
        let folder = bench.directory.path(name)
        try DiskModel.make(found.wreck, at: folder)
        return bench.findings(in: folder, mayBe: mayBe).map { "\(found.moment): \($0)" }
    }
}
