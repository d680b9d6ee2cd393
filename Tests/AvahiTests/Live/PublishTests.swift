import Avahi
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PublishTests {
    @Test func publishesResolvesUpdatesAndWithdraws() async throws {
        try await PrivateAvahi.withInProcess { _ in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let name = try InstanceName("Anna's Laptop 🏔")
                var txt = try TXTRecord(["v": "1", "shortName": "Anna", "empty": ""])
                try txt.set("flag", to: [UInt8]?.none)
                try txt.set("raw", to: Array("🥾".utf8) + [0, 0xFF, 0x3D])
                let events = await connection.browse(for: type)

                let key = try await connection.withPublishedService(
                    ServiceAnnouncement(name: name, type: type, port: 4711, txt: txt)
                ) { publication in
                    #expect(try await publication.events.first { $0.published } == name)
                    let service = try await events.first { $0.found }
                    #expect(service.name == name.description)
                    #expect(service.key.type == type.description)
                    #expect(service.key.domain == "local")
                    #expect(service.key.ipVersion == .v4)
                    #expect(service.interface == NetworkInterface(name: "lo"))
                    #expect(service.hostName == "hiketest.local")
                    #expect(service.address.description == "127.0.0.1")
                    #expect(service.port == 4711)
                    #expect(service.txt == txt)
                    #expect(service.isLocal && service.isOwn)

                    try txt.set("v", to: "2")
                    try txt.set("region", to: "Zugspitze ⛰")
                    try await publication.update(txt)
                    let changed = try await events.first { $0.changed }
                    #expect(changed.txt == txt)
                    #expect(changed.key == service.key)
                    return service.key
                }
                #expect(try await events.first { $0.lost } == key)
            }
        }
    }

    @Test func takesAnotherNameAfterCollision() async throws {
        try await PrivateAvahi.withInProcess { _ in
            let type = try ServiceType.random()
            let name = try InstanceName("Hut")
            try await AvahiConnection.withConnection { first in
                try await first.withPublishedService(ServiceAnnouncement(name: name, type: type, port: 1)) { one in
                    #expect(try await one.events.first { $0.published } == name)
                    try await AvahiConnection.withConnection { second in
                        try await second.withPublishedService(
                            ServiceAnnouncement(name: name, type: type, port: 2)
                        ) { two in
                            try await two.events.first(.renamed(InstanceName("Hut #2")))
                            #expect(try await two.events.first { $0.published } == InstanceName("Hut #2"))
                            let events = await second.browse(for: type)
                            var seen: [String: Service] = [:]
                            while seen.count < 2 {
                                let service = try await events.first { $0.found }
                                seen[service.name] = service
                            }
                            #expect(seen["Hut"]?.port == 1 && seen["Hut"]?.isOwn == false)
                            #expect(seen["Hut #2"]?.port == 2 && seen["Hut #2"]?.isOwn == true)
                        }
                    }
                }
            }
        }
    }

    @Test func keepsZoneOfLinkLocalAddress() async throws {
        try await PrivateAvahi.withInProcess(withLink: true) { _ in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let name = try InstanceName("Cable")
                try await connection.withPublishedService(
                    ServiceAnnouncement(name: name, type: type, port: 9, ipVersion: .v6)
                ) { _ in
                    let events = await connection.browse(for: type, ipVersion: .v6)
                    let service = try await events.first { $0.found }
                    #expect(service.key.ipVersion == .v6)
                    #expect(service.address.isLinkLocal)
                    #expect(service.address.zone == service.interface)
                    #expect(service.address.description.hasPrefix("fe80::"))
                    #expect(service.address.description.contains("%"))
                }
            }
        }
    }

    @Test func updatesBeforeItIsPublished() async throws {
        try await PrivateAvahi.withInProcess { _ in
            try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: .patience)
                let type = try ServiceType.random()
                let announcement = ServiceAnnouncement(name: try InstanceName("Hasty"), type: type, port: 1)
                try await connection.withPublishedService(announcement) { publication in
                    let txt = try TXTRecord(["v": "2"])
                    try await publication.update(txt)
                    #expect(try await publication.events.first { $0.published } == announcement.name)
                    #expect(try await connection.browse(for: type).first { $0.found }.txt == txt)
                }
            }
        }
    }

    @Test func publishesOnNamedInterfaceOnly() async throws {
        try await PrivateAvahi.withInProcess(withLink: true) { _ in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let loopback = try #require(NetworkInterface(name: "lo"))
                let everywhere = ServiceAnnouncement(name: try InstanceName("Everywhere"), type: type, port: 1)
                var there = ServiceAnnouncement(name: try InstanceName("Loopback"), type: type, port: 2)
                there.interface = loopback
                try await connection.withPublishedService(there) { publication in
                    _ = try await publication.events.first { $0.published }
                    try await connection.withPublishedService(everywhere) { _ in
                        let events = await connection.browse(for: type)
                        var seen: Set<ServiceKey> = []
                        while !seen.contains(where: { $0.name == "Everywhere" && $0.interface != loopback })
                            || !seen.contains(where: { $0.name == "Loopback" })
                        {
                            seen.insert(try await events.first { $0.found }.key)
                        }
                        #expect(seen.filter { $0.name == "Loopback" }.allSatisfy { $0.interface == loopback })
                    }
                }
            }
        }
    }

    @Test func publishesAllTheSameIfALinkGoesAwayMeanwhile() async throws {
        try await PrivateAvahi.withInProcess(withLink: true) { avahi in
            try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: .patience)
                let type = try ServiceType.random()
                let announcement = ServiceAnnouncement(name: try InstanceName("Patient"), type: type, port: 1)
                try await connection.withPublishedService(announcement) { publication in
                    // The daemon probes for most of a second; what it waits for goes away with the link.
                    try await avahi.run("ip", ["link", "set", "link0", "down"]) { _ = await $0.waitForExit() }
                    try await avahi.run("ip", ["link", "set", "link0", "up"]) { _ = await $0.waitForExit() }
                    #expect(try await publication.events.first { $0.published } == announcement.name)
                }
            }
        }
    }
}
