import Avahi
import PeerTestSupport
import Testing

/// A daemon that does not answer: libavahi-client waits 25 s for each answer, callers do not.
@Suite(.timeLimit(.minutes(10))) struct HungDaemonTests {
    /// Far less than what libavahi-client waits, far more than what is needed.
    private static let soon: Duration = .seconds(12)

    private func expectSoon(_ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        #expect(ContinuousClock.now - start < Self.soon)
    }

    @Test func connectingSaysThatItDoesNotAnswer() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            avahi.pauseDaemon()
            try await expectSoon {
                let error = await #expect(throws: AvahiError.self) {
                    try await AvahiConnection.withConnection { connection in
                        try await connection.waitUntilRunning(within: .seconds(1))
                    }
                }
                #expect(error?.code == .timedOut)
                #expect(error?.message.contains("does not answer") == true)
            }
            // Its thread still waits; with the next test it would be in the way.
            avahi.resumeDaemon()
        }
    }

    /// libavahi-client gives up after 25 s, when nobody waits for its result any more.
    @Test func aConnectionThatFailsLateIsTriedAgain() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            avahi.pauseDaemon()
            try await AvahiConnection.withConnection { connection in
                await #expect(throws: AvahiError.self) { try await connection.waitUntilRunning(within: .seconds(28)) }
                avahi.resumeDaemon()
                try await connection.waitUntilRunning(within: .seconds(120))
            }
        }
    }

    @Test func searchingAndPublishingEndAtOnce() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: .patience)
                let type = try ServiceType.random()
                try await connection.browse(for: type).first(.allForNow)
                avahi.pauseDaemon()
                try await expectSoon {
                    _ = await connection.browse(for: type)
                    let announcement = ServiceAnnouncement(name: try InstanceName("Late"), type: type, port: 1)
                    try await connection.withPublishedService(announcement) { _ in }
                    let events = await connection.browse(for: type)
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { for await _ in events {} }
                        group.cancelAll()
                    }
                }
                try await expectSoon {
                    try await AvahiConnection.withConnection { _ in }
                }
            }
            avahi.resumeDaemon()
        }
    }

    @Test func theConnectionWorksAgainWhenTheDaemonGoesOn() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: .patience)
                avahi.pauseDaemon()
                let type = try ServiceType.random()
                let events = await connection.browse(for: type)
                let announcement = ServiceAnnouncement(name: try InstanceName("Phoenix"), type: type, port: 1)
                try await connection.withPublishedService(announcement) { publication in
                    avahi.resumeDaemon()
                    let name = try await publication.events.first { $0.published }
                    #expect(name == announcement.name)
                    let service = try await events.first { $0.found }
                    #expect(service.name == "Phoenix")
                }
            }
        }
    }
}
