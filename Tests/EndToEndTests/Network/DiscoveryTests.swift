import Foundation
import PeerTestSupport
import Testing

/// Transfers between programs that find one another through a real Avahi on loopback.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct DiscoveryTests {
    /// Two laptops that can find one another, the first with the example region.
    private func withTwo(_ body: (Laptop, Laptop, TemporaryDirectory, PrivateAvahi) async throws -> Void) async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .loopback(avahi), store: directory.path("a"))
                try await Example.put(on: sender)
                try await body(sender, Laptop(network: .loopback(avahi), store: directory.path("b")), directory, avahi)
            }
        }
    }

    private func untilAdvertised(_ sender: RunningSender) async throws -> String {
        let line = try await sender.child.waitForOutput { $0.contains(#""type":"advertised""#) }
        return try #require(try JSONValue(parsing: line)["name"]?.string)
    }

    @Test func aReceiverFindsTheOnlySenderAndGetsEverything() async throws {
        try await withTwo { sender, receiver, directory, _ in
            let (received, sent) = try await sender.send(Example.name, ["--once"]) { running in
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                return (received, await running.child.ending())
            }
            #expect(received.code == 0, "\(received)")
            #expect(sent.code == 0, "\(sent)")
            #expect(try received.lines.last?.type == "received")
            #expect(try received.lines.last?["imported"] == Example.counts)
            #expect(try sent.lines.last?.type == "sent")
            #expect(try sent.lines.last?["imported"] == Example.counts)
            try await Example.expectWhole(on: receiver, as: sender, in: directory)
        }
    }

    @Test func theReceiverMayComeFirst() async throws {
        try await withTwo { sender, receiver, _, _ in
            try await receiver.start(["receive", "--yes", "--timeout", "300", "--format", "json"]) { child in
                let sent = try await sender.send(Example.name, ["--once"]) { await $0.child.ending() }
                #expect(sent.code == 0, "\(sent)")
                let received = await child.ending()
                #expect(received.code == 0, "\(received)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    /// As after a crash: what is announced for a laptop that has gone stays in the caches of others for an hour.
    @Test func oneWhoIsAnnouncedAndGoneKeepsNobodyFromAnother() async throws {
        try await withTwo { sender, receiver, _, avahi in
            let service = [
                "-s", "Ghost", "_hikeshare._tcp", "9", "v=1", "prettyName=Ghost",
                "id=" + String(repeating: "5a", count: 32),
            ]
            try await avahi.run("avahi-publish", service) { publisher in
                try await publisher.waitForErrorOutput { $0.contains("Established") }
                try await receiver.start(["receive", "--yes", "--timeout", "300", "--format", "json"]) { child in
                    try await child.waitForOutput { $0.contains(#""type":"reconnecting""#) }
                    let sent = try await sender.send(Example.name, ["--once"]) { await $0.child.ending() }
                    #expect(sent.code == 0, "\(sent)")
                    let received = await child.ending()
                    #expect(received.code == 0, "\(received)")
                }
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aFriendsNameMeansNobodyElseWhoAnnouncesIt() async throws {
        try await withTwo { mallory, receiver, _, _ in
            let friend = String(repeating: "5a", count: 32)
            try await receiver.must("peers", "trust", friend, "--name", "Anna")
            try await mallory.send(Example.name, ["--name", "\u{410}nna"]) { running in
                _ = try await untilAdvertised(running)
                // By the friend's name, and as the only one who sends.
                let named = try await receiver.run("receive", "Anna", "--yes", "--timeout", "2")
                #expect(named.code == 3, "\(named)")
                let any = try await receiver.run("receive", "--yes", "--timeout", "300")
                #expect(any.code == 5, "\(any)")
                #expect(try any.problem()["code"]?.string == "notTrusted", "\(any)")
                #expect(try any.problem()["message"]?.string?.contains("a different key") == true, "\(any)")
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 0)
        }
    }

    @Test func severalSendersAreToldApartByName() async throws {
        try await withTwo { anna, receiver, directory, avahi in
            let bert = Laptop(network: .loopback(avahi), store: directory.path("c"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await bert.must("import", directory.path("n.mbtiles"))
            try await anna.send(Example.name, ["--name", "Anna"]) { first in
                try await bert.send("Nordkette", ["--name", "Bert"]) { second in
                    #expect(try await untilAdvertised(first) == "Anna")
                    #expect(try await untilAdvertised(second) == "Bert")

                    let seen = try await receiver.browse(untilFound: 2)
                    #expect(seen.code == 0, "\(seen)")
                    let peers = try seen.lines("peer")
                    #expect(Set(peers.compactMap { $0["name"]?.string }) == ["Anna", "Bert"])
                    let annaSeen = try #require(peers.first { $0["name"]?.string == "Anna" })
                    #expect(annaSeen["id"] == first.listening["peerID"])
                    #expect(annaSeen["regionName"]?.string == Example.name)
                    #expect(annaSeen["size"] == first.listening["size"])
                    #expect(annaSeen["addresses"]?.array.isEmpty == false)

                    let unclear = try await receiver.run("receive", "--yes", "--timeout", "300")
                    #expect(unclear.code == 2, "\(unclear)")
                    let problem = try unclear.problem()
                    #expect(problem["code"]?.string == "ambiguous")
                    let hints = problem["hints"]?.array.compactMap(\.string) ?? []
                    #expect(hints.contains { $0.contains("Anna") } && hints.contains { $0.contains("Bert") })
                    #expect(try StoreContents(of: receiver.store).count("region") == 0)

                    let unknown = try await receiver.run("receive", "Carla", "--yes", "--timeout", "2")
                    #expect(unknown.code == 3, "\(unknown)")
                    #expect(try unknown.problem()["message"]?.string?.contains("Carla") == true)

                    let byName = try await receiver.run("receive", "bert", "--yes", "--timeout", "300")
                    #expect(byName.code == 0, "\(byName)")
                    #expect(try byName.lines.last?["regionName"]?.string == "Nordkette")
                    let id = try #require(first.listening["peerID"]?.string)
                    let byID = try await receiver.run("receive", String(id.prefix(8)), "--yes", "--timeout", "300")
                    #expect(byID.code == 0, "\(byID)")
                    #expect(try byID.lines.last?["regionName"]?.string == Example.name)
                }
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 2)
        }
    }

    @Test func sendersOfTheSameNameGetNamesOfTheirOwn() async throws {
        try await withTwo { anna, _, directory, avahi in
            let other = Laptop(network: .loopback(avahi), store: directory.path("c"))
            try await Example.put(on: other)
            try await anna.send(Example.name, ["--name", "Laptop"]) { first in
                #expect(try await untilAdvertised(first) == "Laptop")
                try await other.send(Example.name, ["--name", "Laptop"]) { second in
                    let name = try await untilAdvertised(second)
                    #expect(name != "Laptop")
                    #expect(name.hasPrefix("Laptop"))
                }
            }
        }
    }

    /// There is nothing but loopback here, and no more to check.
    @Test func whoFindsNobodyIsToldThatThereIsNoNetwork() async throws {
        try await withTwo { _, receiver, _, _ in
            let alone = try await receiver.run("receive", "--yes", "--timeout", "1")
            #expect(alone.code == 3, "\(alone)")
            let problem = try alone.problem()
            #expect(problem["code"]?.string == "noPeerFound")
            let hints = problem["hints"]?.array.compactMap(\.string) ?? []
            #expect(hints.count == 1 && hints.first?.hasPrefix("This laptop has no network card") == true, "\(hints)")
            let seen = try await receiver.run("browse", "--timeout", "1")
            #expect(seen.code == 3, "\(seen)")
        }
    }

    @Test func withoutADaemonDiscoverySaysWhatToDo() async throws {
        try await withTwo { sender, receiver, _, avahi in
            await avahi.stopDaemon()
            for command in [["receive", "--yes"], ["browse"]] {
                let ending = try await receiver.start(command + ["--timeout", "2", "--format", "json"]) {
                    await $0.ending()
                }
                #expect(ending.code == 8, "\(ending)")
                let problem = try ending.problem()
                #expect(problem["code"]?.string == "discoveryUnavailable")
                #expect(problem["remedy"]?.string?.contains("avahi-daemon") == true, "\(ending)")
            }
            // Sending goes on for those who are told the address.
            try await sender.send(Example.name, ["--once"]) { running in
                let warning = try await running.child.waitForErrorOutput { $0.contains(#""type":"warning""#) }
                #expect(warning.contains("avahi-daemon"), "\(warning)")
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                #expect(await running.child.ending().code == 0)
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aDaemonThatStartsLaterAnnouncesTheSenderAndThatIsSaid() async throws {
        try await withTwo { sender, receiver, _, avahi in
            await avahi.stopDaemon()
            try await sender.start(["send", Example.name, "--yes", "--once"]) { child in
                try await child.waitForErrorOutput { $0.contains("is not running") }
                try await avahi.startDaemon()
                try await child.waitForErrorOutput {
                    $0.contains("Discovery works again; this machine is announced as")
                }
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                #expect(received.code == 0, "\(received)")
                let sent = await child.ending()
                #expect(sent.code == 0, "\(sent)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func withoutABusDiscoverySaysWhatToDo() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            for command in [["receive", "--yes"], ["browse"]] {
                let ending = try await laptop.start(command + ["--timeout", "2", "--format", "json"]) {
                    await $0.ending()
                }
                #expect(ending.code == 8, "\(ending)")
                let problem = try ending.problem()
                #expect(problem["exitCode"]?.int == 8)
                #expect(problem["remedy"]?.string?.isEmpty == false, "\(ending)")
            }
        }
    }
}
