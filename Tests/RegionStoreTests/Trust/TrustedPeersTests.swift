import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct TrustedPeersTests {
    static let date = Date(timeIntervalSince1970: 1_770_307_200)

    static func id(_ byte: UInt8) -> PeerID {
        PeerID(digest: ContentDigest(hashing: [byte]))
    }

    private func withPeers(_ body: (TrustedPeers, RegionStore) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            try await body(store.trustedPeers, store)
        }
    }

    @Test func knowNobodyAtFirst() async throws {
        try await withPeers { peers, _ in
            let nobody = try peers.all()
            #expect(nobody.isEmpty)
            #expect(try await peers.trust(of: Self.id(1), callingItself: "Anna") == .unknown)
        }
    }

    @Test func stayInTheStore() async throws {
        try await withPeers { peers, store in
            try peers.trust(Self.id(1), name: "Bert", at: Self.date)
            try peers.trust(Self.id(2), name: "anna", at: Self.date)
            let again = try RegionStore(path: store.path).trustedPeers
            #expect(
                try again.all() == [
                    TrustedPeer(id: Self.id(2), name: "anna", pinnedAt: Self.date),
                    TrustedPeer(id: Self.id(1), name: "Bert", pinnedAt: Self.date),
                ]
            )
            #expect(try await again.trust(of: Self.id(1), callingItself: "whoever") == .trusted(name: "Bert"))
        }
    }

    @Test func pinUnderANameOfItsOwn() async throws {
        try await withPeers { peers, _ in
            try peers.pin(Self.id(1), name: "Merry Dipper")
            try peers.pin(Self.id(2), name: "merry  dipper")
            try peers.pin(Self.id(3), name: "Merry Dipper")
            try peers.pin(Self.id(4), name: " \n")
            try peers.pin(Self.id(5), name: String(repeating: "é", count: 40))
            try peers.pin(Self.id(6), name: String(repeating: "é", count: 50))
            let names = Dictionary(uniqueKeysWithValues: try peers.all().map { ($0.id, $0.name) })
            #expect(names[Self.id(1)] == "Merry Dipper")
            #expect(names[Self.id(2)] == "merry  dipper (2)")
            #expect(names[Self.id(3)] == "Merry Dipper (3)")
            #expect(names[Self.id(4)] == Self.id(4).short)
            #expect(names[Self.id(5)] == String(repeating: "é", count: 31))
            #expect(names[Self.id(6)] == String(repeating: "é", count: 29) + " (2)")
            #expect(names.values.allSatisfy { $0.utf8.count <= TrustedPeers.maximumNameLength })
        }
    }

    @Test func pinningAgainChangesNothing() async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna", at: Self.date)
            try peers.pin(Self.id(1), name: "Merry Dipper")
            #expect(try peers.all() == [TrustedPeer(id: Self.id(1), name: "Anna", pinnedAt: Self.date)])
        }
    }

    @Test(arguments: ["Anna", "ANNA", " anna ", "Anna\n"])
    func anotherKeyUnderAKnownNameIsAnImpostor(name: String) async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna")
            #expect(try await peers.trust(of: Self.id(2), callingItself: name) == .impostor(name: "Anna"))
            #expect(try await peers.trust(of: Self.id(1), callingItself: name) == .trusted(name: "Anna"))
            try peers.forget("anna")
            #expect(try await peers.trust(of: Self.id(2), callingItself: name) == .unknown)
        }
    }

    @Test func composedAndDecomposedLettersAreTheSame() async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Ren\u{E9}")
            #expect(try await peers.trust(of: Self.id(2), callingItself: "Rene\u{301}") == .impostor(name: "René"))
        }
    }

    @Test(
        arguments: [
            "ANNA", " anna ", "An na", "An\u{200B}na", "Anna\u{FE0F}",
            "\u{410}nn\u{430}", "\u{391}nn\u{3B1}", "\u{FF21}nna",
        ]
    )
    func aNameThatLooksTheSameIsTheSame(name: String) async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna")
            #expect(try await peers.trust(of: Self.id(2), callingItself: name) == .impostor(name: "Anna"))
        }
        let memory = MemoryTrustStore([Self.id(1): "Anna"])
        #expect(await memory.trust(of: Self.id(2), callingItself: name) == .impostor(name: "Anna"))
    }

    @Test(arguments: ["Hanna", "Anne", "Anna B", ""]) func anotherNameIsAnother(name: String) async throws {
        let memory = MemoryTrustStore([Self.id(1): "Anna"])
        #expect(await memory.trust(of: Self.id(2), callingItself: name) == .unknown)
    }

    @Test func aTrustedOneMayTakeTheNameOfNobodyElse() async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna")
            try peers.trust(Self.id(2), name: "Bert")
            let errors = [
                try #require(throws: RegionStoreError.self) { try peers.trust(Self.id(3), name: "ANNA") },
                try #require(throws: RegionStoreError.self) { try peers.rename("Bert", to: "anna") },
            ]
            for error in errors {
                #expect(error.code == .conflict)
                #expect(error.message.contains("“Anna”"))
                #expect(error.remedy?.contains("another name") == true)
            }
            #expect(try peers.all().map(\.name) == ["Anna", "Bert"])
        }
    }

    @Test(arguments: ["", "  ", "\t\n", String(repeating: "x", count: 64)])
    func namesMustBeUsable(name: String) async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna")
            let errors = [
                try #require(throws: RegionStoreError.self) { try peers.trust(Self.id(2), name: name) },
                try #require(throws: RegionStoreError.self) { try peers.rename("Anna", to: name) },
            ]
            for error in errors {
                #expect(error.code == .invalidArgument)
            }
            #expect(try peers.all().map(\.name) == ["Anna"])
        }
    }

    @Test func areFoundByNameOrByTheStartOfTheirID() async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna")
            let hex = Self.id(1).hex
            for text in ["anna", hex, String(hex.prefix(4)), String(hex.prefix(10)).uppercased(), Self.id(1).short] {
                #expect(try peers.peer(matching: text).name == "Anna", "\(text)")
            }
            for text in [String(hex.prefix(3)), "Ann", "", "zzzz"] {
                let error = try #require(throws: RegionStoreError.self) { try peers.peer(matching: text) }
                #expect(error.code == .notFound, "\(text)")
            }
        }
    }

    @Test func theStartOfSeveralIDsIsAmbiguous() async throws {
        try await withPeers { peers, _ in
            let start = "abcd"
            let ids = try ["1", "2"].map {
                try #require(PeerID(hex: start + String(repeating: $0, count: 60)))
            }
            try peers.trust(ids[0], name: "Anna")
            try peers.trust(ids[1], name: "Bert")
            let error = try #require(throws: RegionStoreError.self) { try peers.forget(start) }
            #expect(error.code == .ambiguous)
            #expect(error.message.contains("Anna (\(ids[0].short)), Bert (\(ids[1].short))"))
            #expect(try peers.all().count == 2)
            #expect(try peers.forget(start + "1").name == "Anna")
            #expect(try peers.all().map(\.name) == ["Bert"])
        }
    }

    @Test func areRenamedAndForgotten() async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Merry Dipper", at: Self.date)
            let (before, after) = try peers.rename("merry dipper", to: "Anna")
            #expect(before.name == "Merry Dipper")
            #expect(after == TrustedPeer(id: Self.id(1), name: "Anna", pinnedAt: Self.date))
            #expect(try peers.rename("Anna", to: "ANNA").after.name == "ANNA")
            #expect(try peers.forget("anna").id == Self.id(1))
            #expect(try peers.all().isEmpty)
            #expect(throws: RegionStoreError.self) { try peers.forget("anna") }
        }
    }

    @Test func onlyFriendsAreNotedAsSeen() async throws {
        try await withPeers { peers, _ in
            try peers.trust(Self.id(1), name: "Anna", at: Self.date)
            try peers.noteSeen(Self.id(1), at: Self.date.addingTimeInterval(60))
            try peers.noteSeen(Self.id(2), at: Self.date)
            #expect(try peers.all().map(\.lastSeenAt) == [Self.date.addingTimeInterval(60)])
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct DisplayNameTests {
    @Test func isMadeOnceAndKept() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            #expect(try store.displayName() == nil)
            try store.setDisplayName("Anna")
            #expect(try store.displayName() == "Anna")
            try store.setDisplayName("Ben")
            #expect(try RegionStore(path: store.path).displayName() == "Ben")
        }
    }
}
