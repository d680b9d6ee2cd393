import FaultInjection
import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// A reception whose every step is killed, fails, or is followed by a power cut.
enum FaultCase: String, CaseIterable, CustomTestStringConvertible {
    /// There is no store yet; a first try has ended early.
    case newRegion
    /// An older version of everything is there.
    case newerVersion
    /// The map is there, as another region's.
    case knownMap
    /// The same on a file system that has no links.
    case knownMapWithoutLinks

    var testDescription: String { rawValue }

    var hasLinks: Bool { self != .knownMapWithoutLinks }

    /// After how many chunks of the map a first try ends.
    var firstTry: Int? { self == .newRegion ? 2 : nil }
}

/// What a case needs: the store before, what is offered, and what the store is to hold in the end.
struct FaultBench: Sendable {
    let kind: FaultCase
    let directory: TemporaryDirectory
    let reception: Reception
    let old: StoreState
    let new: StoreState
    /// The steps of a reception in which nothing goes wrong.
    let steps: [Step]
    /// After how many steps each chunk of a file was written in it.
    let writtenChunks: [Int]

    /// What came of the next reception, by what was there.
    private let tried = Locked<[[String]: Next]>([:])

    var offerFolder: String { directory.path("offer") }
    /// The steps that no other case has: opening a store that is there is one of them, and without links nothing is
    /// different before the first one is missed.
    var ownSteps: Range<Int> {
        let first = steps.firstIndex { step in
            switch (kind, step) {
            case (.newRegion, _), (.newerVersion, _), (.knownMap, .point(.makeWorkspace)): true
            case (.knownMapWithoutLinks, .file(.link, _)): true
            default: false
            }
        }
        return (first ?? 0)..<steps.count
    }

    private var template: String { directory.path("template") }

    init(_ kind: FaultCase, in directory: TemporaryDirectory) throws {
        self.kind = kind
        self.directory = directory
        try FileManager.default.createDirectory(atPath: directory.path("template"), withIntermediateDirectories: true)
        let maker = OfferMaker(directory: directory)
        let source = try maker.make(kind, store: directory.path("template/store"))
        reception = Reception(offer: try Offer(of: source, in: directory.path("offer")), firstTry: kind.firstTry)

        let before = try Self.copy(directory, "before")
        old = try StoreState(of: RegionStore(path: before + "/store"))
        let folder = try Self.copy(directory, "after")
        let recorder = StepRecorder(in: folder, hasLinks: kind.hasLinks)
        let account = Reception.Account()
        try reception.run("store", recorder, account)
        steps = recorder.steps
        writtenChunks = account.writtenChunks
        new = try StoreState(of: RegionStore(path: folder + "/store"))
        try #require(old != new)
    }

    /// Makes a folder with a copy of the store as it was before.
    func begin(_ name: String) throws -> String {
        try Self.copy(directory, name)
    }

    private static func copy(_ directory: TemporaryDirectory, _ name: String) throws -> String {
        try FileManager.default.copyItem(atPath: directory.path("template"), toPath: directory.path(name))
        return directory.path(name)
    }

    /// Says what is wrong with a store after a fault, and removes its folder.
    ///
    /// It may hold one of some states, and so many chunks of files must not cross again.
    func findings(in folder: String, mayBe: [StoreState], writtenCount: Int = 0) -> [String] {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var findings: [String] = []
        do {
            let store = try RegionStore(path: folder + "/store")
            let state = try StoreState(of: store)
            if !mayBe.contains(state) {
                findings.append(
                    state == old
                        ? "it holds the old" : state == new ? "it holds the new" : "it is neither: \(state.summary)"
                )
            }
            findings += try strays(in: store, isNew: state == new)
            let next = try nextReception(into: store, holding: state)
            findings += next.findings
            if next.crossedCount > chunkCount - writtenCount {
                findings.append("\(next.crossedCount) of \(chunkCount) chunks crossed, \(writtenCount) were here")
            }
        } catch {
            findings.append("\(error)")
        }
        return findings
    }

    /// How many chunks the offered files have.
    private var chunkCount: Int {
        reception.offer.manifest.entries.filter { Reception.keptKinds.contains($0.kind) }
            .reduce(0) { $0 + $1.layout.chunkCount }
    }

    /// What came of a reception into a store.
    private struct Next: Sendable {
        var findings: [String]
        var crossedCount: Int
    }

    /// Receives again; from the same files and the same rows comes the same, which is tried once.
    private func nextReception(into store: RegionStore, holding state: StoreState) throws -> Next {
        var files = [state == old ? "old" : state == new ? "new" : UUID().uuidString]
        for name in try StoreState.files(in: store, "incoming") + StoreState.files(in: store, "work") {
            let bytes = FileManager.default.contents(atPath: store.path + "/" + name) ?? Data()
            files += [name, "\(bytes.count)", ContentDigest(hashing: Array(bytes)).hex]
        }
        if let known = tried.withLock({ $0[files] }) { return known }
        let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
        let recorder = StepRecorder(in: folder, hasLinks: kind.hasLinks)
        let account = Reception.Account()
        try Reception(offer: reception.offer).run("store", recorder, account)
        var findings: [String] = []
        if try StoreState(of: store) != new { findings.append("the next reception did not bring the new") }
        findings += try strays(in: store, isNew: true).map { $0 + " after the next reception" }
        let next = Next(findings: findings, crossedCount: account.writtenChunks.count)
        tried.withLock { $0[files] = next }
        return next
    }

    /// Files that nobody has any use for, and files of an arriving region that is there already.
    private func strays(in store: RegionStore, isNew: Bool) throws -> [String] {
        let wanted = Set(
            isNew
                ? []
                : reception.offer.manifest.entries.map { "incoming/" + ReceivedParts.name($0.digest, size: $0.size) }
        )
        let arriving = try StoreState.files(in: store, "incoming").filter { path in
            !wanted.contains { path.hasPrefix($0 + "/") }
        }
        return (arriving + (try StoreState.files(in: store, "work"))).map { "\($0) is left" }
    }
}

extension StoreState {
    /// What is there, in short.
    var summary: String {
        "\(regions.map(\.name)), \(hikes.map(\.count)) hikes, \(plannedRoutes.map(\.count)) planned routes, "
            + "\(waypoints.map(\.count)) waypoints, \(files.mapValues(\.count))"
    }
}
