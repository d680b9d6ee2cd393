import Foundation
import PeerTestSupport
import Testing

/// The commands about other machines.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PeersTests {
    private static let id = String(repeating: "ab", count: 32)

    private func withLaptop(_ body: (Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            try await body(Laptop(store: directory.path("store")))
        }
    }

    @Test func aMachineHasAnIDAndANameThatStay() async throws {
        try await withLaptop { laptop in
            let first = try #require(try await laptop.must("peers").lines("thisMachine").first)
            #expect(first["id"]?.string?.count == 64)
            #expect(first["name"]?.string?.isEmpty == false)
            #expect(try await laptop.must("peers", "list").lines("thisMachine").first == first)
            let named = try await laptop.must("peers", "name", "Anna", "Riba").lines("thisMachine").first
            #expect(named?["name"]?.string == "Anna Riba" && named?["id"] == first["id"])
            #expect(try await laptop.must("peers").lines("thisMachine").first == named)
            let words = try await laptop.tell("peers")
            let id = try #require(first["id"]?.string)
            #expect(
                words.output.contains { $0.hasSuffix("  \(id)") } && words.output[0].hasPrefix("You are Anna Riba.")
            )
            #expect(words.errorOutput == ["There are no trusted machines yet."])
        }
    }

    @Test func machinesAreTrustedRenamedAndForgotten() async throws {
        try await withLaptop { laptop in
            let trusted = try await laptop.must("peers", "trust", Self.id, "--name", "Anna")
            #expect(try trusted.lines.map(\.type) == ["trusted"])
            #expect(try trusted.lines.first?["id"]?.string == Self.id)
            #expect(try await laptop.trusted() == ["Anna": Self.id])

            let renamed = try await laptop.must("peers", "rename", "anna", "Berta")
            #expect(try renamed.lines.first?["formerName"]?.string == "Anna")
            #expect(try await laptop.trusted() == ["Berta": Self.id])

            let words = try await laptop.tell("peers")
            #expect(words.output.contains { $0.hasPrefix("Berta") && $0.contains("abab-abab-abab-abab") })

            #expect(try await laptop.must("peers", "forget", "abab").lines.map(\.type) == ["forgotten"])
            #expect(try await laptop.trusted().isEmpty)
            let unknown = try await laptop.run("peers", "forget", "Berta")
            #expect(unknown.code == 3, "\(unknown)")
        }
    }

    @Test func aNamelessOneIsCalledAfterItsID() async throws {
        try await withLaptop { laptop in
            try await laptop.must("peers", "trust", Self.id.uppercased())
            #expect(try await laptop.trusted() == ["abab-abab-abab-abab": Self.id])
        }
    }

    @Test func theBeginningOfAnIDIsNotEnough() async throws {
        try await withLaptop { laptop in
            for text in ["abab-abab-abab-abab", String(Self.id.dropLast()), "Anna"] {
                let ending = try await laptop.run("peers", "trust", text)
                #expect(ending.code == 64, "\(ending)")
                #expect(try ending.problem()["remedy"]?.string?.contains("64 digits") == true)
            }
            #expect(try await laptop.trusted().isEmpty)
        }
    }

    @Test func nobodyTrustsThemselvesOrTwoOfOneName() async throws {
        try await withLaptop { laptop in
            let own = try await laptop.run("peers", "trust", try await laptop.id())
            #expect(own.code == 64, "\(own)")
            try await laptop.must("peers", "trust", Self.id, "--name", "Anna")
            let other = String(repeating: "cd", count: 32)
            let taken = try await laptop.run("peers", "trust", other, "--name", "ANNA")
            #expect(taken.code == 7, "\(taken)")
            #expect(try taken.problem()["code"]?.string == "conflict")
            #expect(try await laptop.trusted() == ["Anna": Self.id])
        }
    }

    @Test func namesCannotDriveTheTerminal() async throws {
        try await withLaptop { laptop in
            try await laptop.must("peers", "trust", Self.id, "--name", "A\u{1B}]0;x\u{07}\u{202E}b")
            for arguments in [["peers"], ["peers", "--format", "json"], ["peers", "forget", "abab"]] {
                let ending = try await laptop.start(arguments) { await $0.ending() }
                #expect(ending.code == 0)
                let text = (ending.output + ending.errorOutput).joined()
                #expect(!text.contains("\u{1B}") && !text.contains("\u{07}") && !text.contains("\u{202E}"), "\(text)")
            }
        }
    }
}
