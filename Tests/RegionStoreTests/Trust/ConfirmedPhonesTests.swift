import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct ConfirmedPhonesTests {
    private static let date = Date(timeIntervalSince1970: 1_770_307_200)

    private static func id(_ number: Int) -> ContentDigest { ContentDigest(hashing: Array("\(number)".utf8)) }

    private func withStore(_ body: (RegionStore) throws -> Void) async throws {
        try await TemporaryDirectory.with { try body(try RegionStore(path: $0.path("store"))) }
    }

    @Test func stayInTheStore() async throws {
        try await withStore { store in
            #expect(try store.confirmedPhones.all() == [])
            try store.confirmedPhones.confirm(Self.id(1), name: "Anna's phone", alias: "Nice Mango", at: Self.date)
            try store.confirmedPhones.noteSeen(Self.id(1), at: Self.date + 60)
            let again = try RegionStore(path: store.path).confirmedPhones
            let expected = ConfirmedPhone(
                id: Self.id(1),
                name: "Anna's phone",
                alias: "Nice Mango",
                confirmedAt: Self.date,
                seenAt: Self.date + 60
            )
            #expect(try again.all() == [expected])
        }
    }

    @Test func haveNamesOfTheirOwn() async throws {
        try await withStore { store in
            let phones = store.confirmedPhones
            try store.trustedPeers.trust(TrustedPeersTests.id(1), name: "Anna")
            #expect(try phones.confirm(Self.id(1), name: "anna", alias: "a").name == "anna (2)")
            #expect(try phones.confirm(Self.id(2), name: "Anna", alias: "b").name == "Anna (3)")
            #expect(try phones.confirm(Self.id(3), name: " ", alias: "c").name == String(Self.id(3).hex.prefix(8)))
            #expect(try phones.confirm(Self.id(1), name: "Ben", alias: "a").name == "Ben", "it has another name now")
            #expect(try phones.rename("ben", to: "Anna").after.name == "Anna (2)")
            let long = try phones.confirm(
                Self.id(4),
                name: String(repeating: "é", count: 99),
                alias: String(repeating: "é", count: 99)
            )
            #expect(long.name.utf8.count <= TrustedPeers.maximumNameLength && long.alias.utf8.count <= 100)
            #expect(try phones.all().count == 4)
            #expect(try store.trustedPeers.all().map(\.name) == ["Anna"])
        }
    }

    @Test func areForgottenByNameOrDigits() async throws {
        try await withStore { store in
            let phones = store.confirmedPhones
            try store.trustedPeers.trust(TrustedPeersTests.id(1), name: "Carla")
            for (number, name) in [(1, "Anna"), (2, "Ben")] {
                try phones.confirm(Self.id(number), name: name, alias: name)
            }
            #expect(try phones.forget("anna").id == Self.id(1))
            #expect(throws: RegionStoreError.self) { try phones.forget("Anna") }
            #expect(throws: RegionStoreError.self, "three digits are none") {
                try phones.forget(String(Self.id(2).hex.prefix(3)))
            }
            #expect(throws: RegionStoreError.self, "a machine is no phone") { try phones.forget("Carla") }
            #expect(try phones.forget(String(Self.id(2).hex.prefix(6)).uppercased()).name == "Ben")
            #expect(try phones.all() == [])
            #expect(try store.trustedPeers.all().count == 1)
        }
    }

    @Test func thoseNotSeenForLongestAreForgotten() async throws {
        try await withStore { store in
            let phones = store.confirmedPhones
            for number in 0..<ConfirmedPhones.maximumCount {
                let date = Self.date + Double(number)
                try phones.confirm(Self.id(number), name: "\(number)", alias: "", at: date)
            }
            try phones.noteSeen(Self.id(0), at: Self.date + 1_000)
            try phones.confirm(Self.id(-1), name: "new", alias: "", at: Self.date + 1_001)
            let left = Set(try phones.all().map(\.id))
            #expect(left.count == ConfirmedPhones.maximumCount)
            #expect(left.isSuperset(of: [Self.id(0), Self.id(2), Self.id(-1)]) && !left.contains(Self.id(1)))
        }
    }
}
