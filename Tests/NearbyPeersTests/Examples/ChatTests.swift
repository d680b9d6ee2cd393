import Foundation
import PeerTestSupport
import Testing

/// Two people who chat.
@Suite(.timeLimit(.minutes(10))) struct ChatTests {
    private static let question = "Are these digits on the other screen? [y/n]"

    @Test(arguments: [TwoHosts.Network.dual, .ll6])
    func linesCrossBothWays(_ network: TwoHosts.Network) async throws {
        try await ExampleProgram.with("Chat", on: network) { chat in
            try await chat.run(.a, "Anna") { anna in
                try await chat.run(.b, "Ben") { ben in
                    try await anna.says("-- Ben: connected, not verified")
                    try await ben.says("-- Anna: connected, not verified")
                    try anna.write("Where are you?\n")
                    try await ben.says("Anna: Where are you?")
                    try ben.write("At the hut.\n\u{1B}[31m\n")
                    try await anna.says("Ben: At the hut.")
                    // A control character of another machine does not reach the terminal.
                    try await anna.says("Ben: \u{FFFD}[31m")
                    await ben.leaves()
                    try await anna.says("-- Ben: disconnected: has left")
                    await anna.leaves()
                }
            }
        }
    }

    @Test(arguments: [TwoHosts.Network.dual, .ll6]) func aFileCrosses(_ network: TwoHosts.Network) async throws {
        try await ExampleProgram.with("Chat", on: network) { chat in
            let folder = chat.directory.url.appending(path: "ben")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let bytes = Data.pattern(3_000_000)
            try bytes.write(to: chat.directory.url.appending(path: "hut.jpg"))
            try await chat.run(.a, "Anna") { anna in
                try await chat.run(.b, "Ben", key: "ben/Ben.pem") { ben in
                    try await anna.says("-- Ben: connected, not verified")
                    try await ben.says("-- Anna: connected, not verified")
                    try anna.write("/send \(chat.directory.path("hut.jpg"))\n")
                    try await ben.says("-- Anna sent hut.jpg, 3000000 bytes")
                    try await anna.says("-- Ben has hut.jpg")
                    try anna.write("/send \(chat.directory.path("nothing.jpg"))\n")
                    try await anna.waitForOutput { $0.hasPrefix("-- the file is not sent:") }
                    await ben.leaves()
                    await anna.leaves()
                }
            }
            #expect(try Data(contentsOf: folder.appending(path: "hut.jpg")) == bytes)
        }
    }

    @Test func digitsAreComparedOnBothSidesOnceAndNeverAgain() async throws {
        try await ExampleProgram.with("Chat") { chat in
            try await chat.run(.a, "Anna", []) { anna in
                try await chat.run(.b, "Ben", []) { ben in
                    let shown = try await anna.says(Self.question)
                    #expect(try await ben.says(Self.question).dropFirst(4) == shown.dropFirst(3), "\(shown)")
                    try anna.write("y\n")
                    try ben.write("y\n")
                    try await anna.says("-- Ben: connected")
                    try await ben.says("-- Anna: connected")
                    try await anna.says("Ben is trusted from now on")
                    try await ben.says("Anna is trusted from now on")
                    await ben.leaves()
                    await anna.leaves()
                    #expect(anna.outputLines.count { $0.hasSuffix(Self.question) } == 1)
                    #expect(ben.outputLines.count { $0.hasSuffix(Self.question) } == 1)
                }
            }
            try await chat.run(.a, "Anna", []) { anna in
                try await chat.run(.b, "Ben", []) { ben in
                    try await anna.says("-- Ben: connected")
                    try await ben.says("-- Anna: connected")
                    await ben.leaves()
                    await anna.leaves()
                    #expect(!(anna.outputLines + ben.outputLines).contains { $0.hasSuffix(Self.question) })
                }
            }
        }
    }

    @Test func aNoConnectsNobody() async throws {
        try await ExampleProgram.with("Chat") { chat in
            try await chat.run(.a, "Anna", []) { anna in
                try await chat.run(.b, "Ben", []) { ben in
                    try await anna.says(Self.question)
                    try await ben.says(Self.question)
                    try anna.write("n\n")
                    try await anna.waitForOutput {
                        $0.hasPrefix("-- Ben: disconnected") || $0.hasPrefix("-- Ben: failed")
                    }
                    try await ben.waitForOutput {
                        $0.hasPrefix("-- Anna: disconnected") || $0.hasPrefix("-- Anna: failed")
                    }
                    await ben.leaves()
                    await anna.leaves()
                    #expect(!(anna.outputLines + ben.outputLines).contains { $0.contains(": connected") })
                    #expect(!(anna.outputLines + ben.outputLines).contains { $0.contains("trusted") })
                }
            }
        }
    }
}
