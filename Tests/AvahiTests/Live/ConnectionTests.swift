import Avahi
import Foundation
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    private struct Stop: Error {}

    @Test func failsWithoutBus() async throws {
        try await PrivateAvahi.withoutBusInProcess {
            let error = await #expect(throws: AvahiError.self) {
                try await AvahiConnection.withConnection { _ in Issue.record("connected to no bus") }
            }
            #expect(error?.code == .busUnavailable)
            #expect(error?.remedy?.contains("systemctl start dbus") == true)
        }
    }

    @Test func saysThatDaemonIsMissing() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            await avahi.stopDaemon()
            try await AvahiConnection.withConnection { connection in
                let error = await #expect(throws: AvahiError.self) {
                    try await connection.waitUntilRunning(within: .milliseconds(200))
                }
                #expect(error?.code == .daemonUnavailable)
                #expect(error?.remedy?.contains("systemctl start avahi-daemon") == true)
            }
        }
    }

    @Test func leavesNothingBehind() async throws {
        try await PrivateAvahi.withInProcess { _ in
            let type = try ServiceType.random()
            let announcement = ServiceAnnouncement(name: try InstanceName("Brief"), type: type, port: 80)
            let before = try descriptorCount()
            for _ in 0..<100 {
                try await AvahiConnection.withConnection { connection in
                    try await connection.waitUntilRunning(within: .patience)
                    let events = await connection.browse(for: type)
                    try await connection.withPublishedService(announcement) { _ in
                        withExtendedLifetime(events) {}
                    }
                }
            }
            // Other tests open descriptors meanwhile, and close them sooner or later; one of ours a time would make 100 for good.
            let end = ContinuousClock.now + .patience
            while try descriptorCount() - before >= 60, .now < end { try await Task.sleep(for: .milliseconds(100)) }
            #expect(try descriptorCount() - before < 60)
        }
    }

    @Test func throwsWhatScopeThrows() async throws {
        try await PrivateAvahi.withInProcess { _ in
            _ = await #expect(throws: Stop.self) {
                try await AvahiConnection.withConnection { connection in
                    let announcement = try ServiceAnnouncement(name: InstanceName("x"), type: .random(), port: 80)
                    try await connection.withPublishedService(announcement) { _ in throw Stop() }
                }
            }
        }
    }

    @Test func cancellingEndsBrowsing() async throws {
        try await PrivateAvahi.withInProcess { _ in
            try await AvahiConnection.withConnection { connection in
                let events = await connection.browse(for: try .random())
                try await events.first(.allForNow)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { for await _ in events {} }
                    group.cancelAll()
                }
                var rest = events.makeAsyncIterator()
                #expect(await rest.next() == nil)
            }
        }
    }

    @Test func cancellingEndsConnection() async throws {
        try await PrivateAvahi.withInProcess { _ in
            let (running, signal) = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await AvahiConnection.withConnection { connection in
                        let announcement = try ServiceAnnouncement(name: InstanceName("x"), type: .random(), port: 80)
                        try await connection.withPublishedService(announcement) { publication in
                            _ = try await publication.events.first { $0.published }
                            signal.finish()
                            for await _ in publication.events {}
                        }
                    }
                }
                for await _ in running {}
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    @Test func whatEscapesTheScopeIsClosed() async throws {
        try await PrivateAvahi.withInProcess { _ in
            let type = try ServiceType.random()
            let announcement = ServiceAnnouncement(name: try InstanceName("Late"), type: type, port: 80)
            let (connection, publication) = try await AvahiConnection.withConnection { connection in
                (connection, try await connection.withPublishedService(announcement) { $0 })
            }
            var events = await connection.browse(for: type).makeAsyncIterator()
            #expect(await events.next() == nil)
            var states = await connection.states().makeAsyncIterator()
            #expect(await states.next() == nil)
            let late = await #expect(throws: AvahiError.self) { try await publication.update(TXTRecord()) }
            #expect(late?.code == .closed)
            let error = await #expect(throws: AvahiError.self) {
                try await connection.withPublishedService(announcement) { _ in }
            }
            #expect(error?.code == .closed)
            await #expect(throws: AvahiError.self) { try await connection.waitUntilRunning(within: .patience) }
        }
    }

    @Test func manySearchesAtOnceSeeTheSame() async throws {
        try await PrivateAvahi.withInProcess { _ in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let announcement = ServiceAnnouncement(name: try InstanceName("Popular"), type: type, port: 80)
                try await connection.withPublishedService(announcement) { _ in
                    try await withThrowingTaskGroup(of: String.self) { group in
                        for _ in 0..<10 {
                            group.addTask { try await connection.browse(for: type).first { $0.found }.name }
                        }
                        for try await name in group { #expect(name == "Popular") }
                    }
                }
            }
        }
    }

    private func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
