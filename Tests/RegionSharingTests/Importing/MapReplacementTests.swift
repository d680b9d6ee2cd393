import FoundationEssentials
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// Who decides whether an imported map takes the place of the map of a region.
@Suite struct MapReplacementTests {
    private enum Outcome: Equatable {
        case replaced
        case added(String?)
        case leftOut, refused
    }

    /// Decides on a map that is older than that of the region, or newer; returns the outcome.
    private static func decide(
        isOlder: Bool,
        isWished: Bool,
        _ consent: Consent,
        _ person: TestPerson
    ) async throws -> Outcome {
        try await TemporaryDirectory.with { directory in
            var region = try Sample.region(name: "Alp")
            region.edition = MapEdition(date: Sample.date)
            let facts = ImportedMapFacts(
                name: "Alp",
                edition: MapEdition(date: Sample.date + (isOlder ? -86_400 : 86_400)),
                digest: Sample.digest(99),
                zooms: region.zooms
            )
            let store = try RegionStore(path: directory.path("store"))
            let map = try MapReplacement("a.mbtiles", facts, of: region, isWished: isWished, ownID: nil, in: store)
            do {
                return switch try await map.decide(consent, person) {
                case .replace: .replaced
                case .add(let name): .added(name)
                case .leaveOut: .leftOut
                }
            } catch is ImportError {
                return .refused
            }
        }
    }

    @Test func nobodyReplacesTheMapOfARegionThatWasNotNamed() async throws {
        let person = TestPerson()
        #expect(try await Self.decide(isOlder: false, isWished: false, .knownMachines, person) == .added(nil))
        #expect(person.asked.isEmpty && person.told.count == 1)
        let asked = TestPerson { _ in MapReplacement.Decision.add(name: "Alp 2") }
        #expect(try await Self.decide(isOlder: false, isWished: false, .person, asked) == .added("Alp 2"))
        #expect(asked.asked.count == 1 && asked.told.isEmpty)
    }

    @Test func anOlderMapNeedsAYes() async throws {
        let silent = TestPerson()
        #expect(try await Self.decide(isOlder: true, isWished: true, .knownMachines, silent) == .refused)
        #expect(try await Self.decide(isOlder: true, isWished: true, .person, silent) == .leftOut)
        #expect(silent.asked.count == 1 && silent.told.isEmpty)
        #expect(try await Self.decide(isOlder: true, isWished: true, .everything, silent) == .replaced)
        #expect(silent.asked.count == 1 && silent.told.count == 1)
    }

    @Test func aNewerMapNeedsNone() async throws {
        let person = TestPerson()
        for consent in [Consent.person, .knownMachines, .everything] {
            #expect(try await Self.decide(isOlder: false, isWished: true, consent, person) == .replaced)
        }
        #expect(person.asked.isEmpty && person.told.isEmpty)
    }
}
