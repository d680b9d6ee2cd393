import Avahi
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RestartTests {
    @Test(arguments: [false, true])
    func publishesAndFindsAgainAfterDaemonRestart(politely: Bool) async throws {
        try await PrivateAvahi.withInProcess { avahi in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let announcement = ServiceAnnouncement(name: try InstanceName("Phoenix"), type: type, port: 80)
                try await connection.withPublishedService(announcement) { publication in
                    let events = await connection.browse(for: type)
                    #expect(try await publication.events.first { $0.published } == announcement.name)
                    let before = try await events.first { $0.found }
                    for _ in 0..<2 {
                        await avahi.stopDaemon(politely: politely)
                        try await publication.events.first(.withdrawn)
                        #expect(try await events.first { $0.lost } == before.key)

                        // What is set while the daemon is away is published with the rest.
                        let txt = try TXTRecord(["time": "\(UInt64.random(in: .min ... .max))"])
                        try await publication.update(txt)
                        try await avahi.startDaemon()
                        #expect(try await publication.events.first { $0.published } == announcement.name)
                        let after = try await events.first { $0.found }
                        #expect(after.key == before.key)
                        #expect(after.txt == txt)
                    }
                }
            }
        }
    }

    @Test func survivesLossOfBus() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let announcement = ServiceAnnouncement(name: try InstanceName("Phoenix"), type: type, port: 80)
                try await connection.withPublishedService(announcement) { publication in
                    let events = await connection.browse(for: type)
                    let states = await connection.states()
                    let before = try await events.first { $0.found }
                    await avahi.stopBus()
                    #expect(try await events.first { $0.lost } == before.key)
                    try await states.first(.waitingForBus)
                    await #expect(throws: AvahiError.self) { try await connection.waitUntilRunning(within: .zero) }
                    await avahi.stopDaemon()

                    try await avahi.startBus()
                    try await states.first(.waitingForDaemon)
                    try await avahi.startDaemon()
                    try await states.first(.running)
                    #expect(try await events.first { $0.found }.key == before.key)
                }
            }
        }
    }

    @Test func waitsForDaemonThatStartsLater() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            await avahi.stopDaemon()
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let announcement = ServiceAnnouncement(name: try InstanceName("Early"), type: type, port: 80)
                try await connection.withPublishedService(announcement) { publication in
                    let events = await connection.browse(for: type)
                    let states = await connection.states()
                    try await states.first(.waitingForDaemon)
                    try await avahi.startDaemon()
                    try await connection.waitUntilRunning(within: .patience)
                    #expect(try await publication.events.first { $0.published } == announcement.name)
                    #expect(try await events.first { $0.found }.name == "Early")
                }
            }
        }
    }
}
