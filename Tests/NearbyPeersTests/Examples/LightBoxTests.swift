import Foundation
import PeerTestSupport
import Testing

/// A host, and clients that are lost and come back.
@Suite(.timeLimit(.minutes(10))) struct LightBoxTests {
    private static let host = ["--host", "--everyone"]
    private static let client = ["--client", "--everyone"]

    @Test func aCableThatIsPulledForTwentySecondsLosesNothing() async throws {
        try await ExampleProgram.with("LightBox") { box in
            try await box.run(.a, "Desk", Self.host) { host in
                try await box.run(.b, "Tablet", Self.client) { client in
                    try await host.says("Tablet: handshake: accepted by Tablet (Linux)")
                    try await client.says("Desk: handshake of Desk")
                    try host.write("test\n")
                    try await host.waitForOutput { $0.contains("Tablet: test: the answer took") }
                    try client.write("test\n")
                    try await client.waitForOutput { $0.contains("Desk: test: the answer took") }
                    try host.write("show Nordkette\nnote 1\n")
                    try await client.says("Is “Nordkette” on the light box? [y/n]")
                    try await client.says("Desk: note: note 1")

                    try await box.hosts.cut()
                    let end = ContinuousClock.now + .seconds(20)
                    try host.write("note 2\nnote 3\n")
                    try await host.says("Tablet: reconnecting")
                    try await client.says("Desk: reconnecting")
                    try host.write("note 4\n")
                    try client.write("y\n")
                    // The outage is long enough for its length to matter; nothing waits for this.
                    try await Task.sleep(until: end)
                    try await box.hosts.join()

                    try await host.says("Tablet: connected", times: 2)
                    try await client.says("Desk: connected", times: 2)
                    try await host.says("Tablet: Nordkette is shown")
                    try await client.says("Desk: note: note 4")
                    let notes = client.outputLines.compactMap { $0.components(separatedBy: "note: ").dropFirst().first }
                    #expect(notes == ["note 1", "note 2", "note 3", "note 4"])
                    // The link is the same, so there is one handshake and one question.
                    #expect(client.outputLines.count { $0.hasSuffix("handshake of Desk") } == 1)
                    #expect(client.outputLines.count { $0.hasSuffix("[y/n]") } == 1)
                    await client.leaves()
                    await host.leaves()
                }
            }
        }
    }

    @Test func aClientThatIsRestartedIsTakenAgain() async throws {
        try await ExampleProgram.with("LightBox") { box in
            try await box.run(.a, "Desk", Self.host) { host in
                try await box.run(.b, "Tablet", Self.client) { client in
                    try await host.says("Tablet: handshake: accepted by Tablet (Linux)")
                    // It dies, and says nothing.
                    client.kill(SIGKILL)
                }
                try await box.run(.b, "Tablet", Self.client) { client in
                    try await client.says("Desk: handshake of Desk")
                    try await host.says("Tablet: handshake: accepted by Tablet (Linux)", times: 2)
                    try host.write("welcome\n")
                    try await client.says("Desk: note: welcome")
                    await client.leaves()
                    try await host.says("Tablet: disconnected: has left")
                    await host.leaves()
                }
            }
        }
    }

    @Test func aClientThatSaysNoIsAskedAgainAfterAPause() async throws {
        try await ExampleProgram.with("LightBox") { box in
            try await box.run(.b, "Tablet", ["--client"]) { client in
                try await box.run(.a, "Desk", ["--host"]) { host in
                    try await host.says("Are these digits on the other screen? [y/n]")
                    try await client.says("Are these digits on the other screen? [y/n]")
                    try client.write("n\n")
                    try await host.waitForOutput { $0.contains("host: failed: ") }
                    // The host's question is over: its answer is about the new digits.
                    try await host.says("host: looking for clients", times: 2)
                    try await client.says("Are these digits on the other screen? [y/n]", times: 2)
                    try await host.says("Are these digits on the other screen? [y/n]", times: 2)
                    try client.write("y\n")
                    try host.write("y\n")
                    try await host.says("Tablet: handshake: accepted by Tablet (Linux)")
                    await client.leaves()
                    await host.leaves()
                }
            }
        }
    }
}
