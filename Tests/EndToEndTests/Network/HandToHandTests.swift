import Foundation
import PeerTestSupport
import Testing

/// A map that goes from one laptop to the next.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HandToHandTests {
    @Test func whoImportedAMapIsKnownToTheThird() async throws {
        try await ConnectTests.withTwo { sender, second, directory in
            let third = Laptop(store: directory.path("c"))
            let signed = try #require(try await sender.must("list").lines("region").first?["signedBy"])
            for (from, to) in [(sender, second), (second, third)] {
                let received = try await from.sendQuietly(Example.name) { running in
                    try await to.receive(from: running.port)
                }
                #expect(received.code == 0, "\(received)")
                let offer = try #require(try received.lines("offer").first)
                #expect(offer["signedBy"]?["id"] == signed["id"] && offer["signedBy"]?["name"] == signed["name"])
                #expect(offer["signedBy"]?["trustedAs"] == nil && offer["signedBy"]?["isOwn"] == nil)
            }
            #expect(try await third.must("list").lines("region").first?["signedBy"] == signed)
            let shown = try await third.tell("show", Example.name)
            let words = shown.output.joined(separator: "\n")
            #expect(words.contains("made by “") && words.contains("(not verified), "), "\(shown)")
            let own = try await sender.tell("show", Example.name)
            #expect(own.output.joined(separator: "\n").contains("made by you, "), "\(own)")
        }
    }

    /// The first import says that others see the name, and a no counts for the imports that follow.
    @Test func theNameIsLeftOutOnRequest() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let first = try await laptop.tell("import", Example.map)
            #expect(first.errorOutput.contains { $0.hasPrefix("Signed as ") && $0.contains("--unsigned") }, "\(first)")
            // As it says: the map that is signed already loses the name.
            try await laptop.must("import", Example.map, "--unsigned")
            #expect(try await laptop.must("list").lines("region").first?["signedBy"] == nil)
            try await laptop.must("remove", Example.name, "--yes")
            for arguments in [["--unsigned"], []] {
                let imported = try await laptop.start(["import", Example.map] + arguments) { await $0.ending() }
                #expect(imported.code == 0 && !imported.description.contains("Signed"), "\(imported)")
                #expect(try await laptop.must("list").lines("region").first?["signedBy"] == nil)
                try await laptop.must("remove", Example.name, "--yes")
            }
            try await laptop.must("import", Example.map, "--signed")
            #expect(try await laptop.must("list").lines("region").first?["signedBy"] != nil)
        }
    }
}
