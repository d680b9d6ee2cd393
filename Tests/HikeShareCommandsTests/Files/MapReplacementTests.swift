import Foundation
import PeerTestSupport
import Sentences
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Whether an imported map takes the place of the map of a region.
@Suite struct MapReplacementTests {
    private static let local = MapEdition(date: Sample.date)
    private static let newer = MapEdition(date: Sample.date + 86_400)
    private static let older = MapEdition(date: Sample.date - 86_400)

    private static func facts(
        _ edition: MapEdition,
        isPart: Bool = false,
        zooms: [Int]? = nil
    ) throws -> ImportedMapFacts {
        let region = try Sample.region(name: "Alp")
        return ImportedMapFacts(
            name: "Alp",
            edition: edition,
            digest: ContentDigest(hashing: [99]),
            isPart: isPart,
            zooms: zooms ?? region.zooms
        )
    }

    private enum Outcome: Equatable {
        case replaced, leftOut
        case refused(String)
    }

    /// Decides on a map for a region; returns the outcome, and what was said.
    private static func decide(
        _ facts: ImportedMapFacts,
        answer: String? = nil,
        acceptsAll: Bool = false
    ) async throws -> (Outcome, said: String) {
        try await TemporaryDirectory.with { directory in
            let (terminal, shown) = (try Pipe(), Locked(""))
            if let answer { terminal.write(answer) }
            terminal.closeWriter()
            let screen = Screen(
                canAsk: answer != nil,
                isLive: false,
                output: { text, _ in shown.withLock { $0 += text } }
            )
            let console = Console(format: .text, screen: screen, input: terminal.reader)
            var region = try Sample.region(name: "Alp")
            region.edition = local
            let store = try RegionStore(path: directory.path("store"))
            let map = try MapReplacement("alp.mbtiles", facts, of: region, isWished: true, ownID: nil, in: store)
            // Wherever the lines end.
            func said() -> String { shown.value.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            do {
                let consent = Consent(acceptsAll: acceptsAll, at: console)
                let decision = try await map.decide(consent, TerminalPerson(console))
                guard case .replace = decision else { return (Outcome.leftOut, said()) }
                return (Outcome.replaced, said())
            } catch let error as ImportError {
                return (Outcome.refused("\(error.words.message) \(error.words.remedy?.typed ?? "")"), said())
            }
        }
    }

    @Test(arguments: [false, true]) func aNewerMapNeedsNoQuestion(isPart: Bool) async throws {
        for edition in [Self.newer, Self.local] {
            let (outcome, said) = try await Self.decide(try Self.facts(edition, isPart: isPart))
            #expect(outcome == .replaced && said.isEmpty, "\(said)")
        }
    }

    @Test(arguments: [older, MapEdition(), MapEdition(version: "7")], [false, true])
    func whatMayBeOlderNeedsAnAnswer(edition: MapEdition, isPart: Bool) async throws {
        let facts = try Self.facts(edition, isPart: isPart)
        let (yes, said) = try await Self.decide(facts, answer: "y\n")
        #expect(yes == .replaced && said.contains(edition == Self.older ? "older than your map" : "is not known"))
        #expect(said.contains("2025-06-15"), "\(said)")
        #expect(try await Self.decide(facts, answer: "\n").0 == .leftOut)
        guard case .refused(let words) = try await Self.decide(facts).0 else {
            Issue.record("it is taken without a question")
            return
        }
        #expect(words.contains("2025-06-15") && words.contains("--yes"), "\(words)")
        let (all, note) = try await Self.decide(facts, acceptsAll: true)
        #expect(all == .replaced && note.contains("2025-06-15"), "\(note)")
    }

    /// A newer map may lack what the older one has.
    @Test func zoomLevelsThatWouldBeLostAreSaid() async throws {
        let facts = try Self.facts(Self.newer, zooms: [12, 13])
        let (no, said) = try await Self.decide(facts, answer: "\n")
        #expect(no == .leftOut && said.contains("It has no tiles at zooms 14-15, which your map has."), "\(said)")
        let (taken, note) = try await Self.decide(facts)
        #expect(taken == .replaced && note.contains("zooms 14-15"), "\(note)")
        let (part, words) = try await Self.decide(try Self.facts(Self.newer, isPart: true, zooms: [12]))
        #expect(part == .replaced && words.isEmpty)
    }
}
