import Avahi
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PrivateAvahiTests {
    @Test func childProcessesFindOneAnother() async throws {
        try await PrivateAvahi.with { avahi in
            try await avahi.run("avahi-publish", ["-s", "child", "_fixture._tcp", "99", "a=b"]) { publisher in
                try await publisher.waitForErrorOutput { $0.contains("Established") }
                try await avahi.run("avahi-browse", ["-rpt", "_fixture._tcp"]) { browser in
                    let line = try await browser.waitForOutput { $0.hasPrefix("=;lo;") }
                    #expect(line.contains(";127.0.0.1;99;\"a=b\""))
                }
            }
        }
    }

    @Test func orderOfTXTRecordIsThatOfOtherPrograms() async throws {
        try await PrivateAvahi.withInProcess { avahi in
            try await AvahiConnection.withConnection { connection in
                let type = try ServiceType.random()
                let txt = try TXTRecord(["a": "1", "b": "2", "c": "3"])
                let announcement = ServiceAnnouncement(name: try InstanceName("ours"), type: type, port: 99, txt: txt)
                try await connection.withPublishedService(announcement) { _ in
                    let arguments = ["-s", "theirs", type.description, "99", "a=1", "b=2", "c=3"]
                    try await avahi.run("avahi-publish", arguments) { publisher in
                        let events = await connection.browse(for: type)
                        var seen: [String: Service] = [:]
                        while seen.count < 2 {
                            let service = try await events.first { $0.found }
                            seen[service.name] = service
                        }
                        #expect(seen["ours"]?.txt == txt)
                        #expect(seen["theirs"]?.txt == txt)
                        #expect(seen["ours"]?.isOwn == true)
                        #expect(seen["theirs"]?.isOwn == false && seen["theirs"]?.isLocal == true)
                    }
                }
            }
        }
    }

    @Test func hasNothingButLoopback() async throws {
        try await PrivateAvahi.with { avahi in
            try await avahi.run("ip", ["-o", "link"]) { child in
                let lines = await child.complete().output
                #expect(lines.count == 1 && lines.first?.contains(" lo: ") == true)
            }
        }
    }
}
