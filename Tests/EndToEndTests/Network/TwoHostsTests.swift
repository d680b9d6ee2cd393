import Foundation
import PeerTestSupport
import Testing

/// Transfers between two machines on a cable, each with a D-Bus and an Avahi daemon of its own.
///
/// They need root. Where the machines cannot be made, these tests fail, and say why.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct TwoHostsTests {
    private func withTwo(
        _ network: TwoHosts.Network,
        rate: String? = nil,
        hasDiscovery: Bool = true,
        _ body: (Laptop, Laptop, TemporaryDirectory, TwoHosts) async throws -> Void
    ) async throws {
        try await TwoHosts.with(network, rate: rate, hasDiscovery: hasDiscovery, repository: Place.repository) {
            hosts in
            try await TemporaryDirectory.with { directory in
                try await body(
                    Laptop(network: .host(hosts, .a), store: directory.path("a")),
                    Laptop(network: .host(hosts, .b), store: directory.path("b")),
                    directory,
                    hosts
                )
            }
        }
    }

    @Test(arguments: [TwoHosts.Network.v4, .ll6])
    func theExampleRegionIsFoundAndCrosses(network: TwoHosts.Network) async throws {
        try await withTwo(network) { sender, receiver, directory, _ in
            try await Example.put(on: sender)
            let (received, sent) = try await sender.send(Example.name, ["--once"]) { running in
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                return (received, await running.child.ending())
            }
            #expect(received.code == 0, "\(received)")
            #expect(sent.code == 0, "\(sent)")
            let last = try #require(try received.lines.last)
            #expect(last["imported"] == Example.counts)
            #expect(try sent.lines.last?["imported"] == Example.counts)
            let address = try #require(last["peer"]?["address"]?.string)
            #expect(address.hasPrefix(network == .v4 ? "10.77.0.1:" : "[fe80::"), "\(address)")
            if network == .ll6 { #expect(address.contains("%lan0]:"), "\(address)") }
            try await Example.expectWhole(on: receiver, as: sender, in: directory)
        }
    }

    /// As where a tunnel or an access point takes shorter packets than the cards of both machines send.
    @Test(arguments: [TwoHosts.Network.v4, .ll6])
    func theExampleRegionCrossesWhereLongPacketsGetLost(network: TwoHosts.Network) async throws {
        try await withTwo(network) { sender, receiver, directory, hosts in
            try await Example.put(on: sender)
            for side in [TwoHosts.Side.a, .b] {
                // Cards would make long packets of short ones, and short ones of long ones.
                try await hosts.shell(
                    side,
                    """
                    ethtool -K lan0 tso off gso off gro off
                    nft add table netdev narrow
                    nft add chain netdev narrow in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
                    nft add rule netdev narrow in meta length '>' 1200 drop
                    """
                )
            }
            let received = try await sender.send(Example.name, ["--once"]) { running in
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                let sent = await running.child.ending()
                #expect(sent.code == 0, "\(sent)")
                return received
            }
            #expect(received.code == 0, "\(received)")
            try await Example.expectWhole(on: receiver, as: sender, in: directory)
        }
    }

    @Test func onACableTheAddressThatTheSenderShowsWorks() async throws {
        try await withTwo(.ll6, hasDiscovery: false) { sender, receiver, _, _ in
            try await Example.put(on: sender)
            try await sender.sendQuietly(Example.name, ["--once"]) { running in
                let addresses = running.listening["addresses"]?.array.compactMap(\.string) ?? []
                let address = try #require(addresses.first { $0.hasPrefix("[fe80::") }, "\(addresses)")
                #expect(address.contains("%lan0]:"))
                let received = try await receiver.run("receive", "--yes", "--connect", address)
                #expect(received.code == 0, "\(received)")
                #expect(await running.child.ending().code == 0)
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func onASlowLinkProgressIsShownAndTheRateIsThatOfTheLink() async throws {
        try await withTwo(.dual, rate: "20mbit") { sender, receiver, directory, _ in
            try MapMaker.make(directory.path("n.mbtiles"), tiles: 8, tileLength: 1_000_000)
            try await sender.must("import", directory.path("n.mbtiles"))
            let received = try await sender.send("Nordkette", ["--once"]) { running in
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                let sent = await running.child.ending()
                #expect(sent.code == 0, "\(sent)")
                #expect(try sent.lines("progress").count > 2)
                return received
            }
            #expect(received.code == 0, "\(received)")
            let progress = try received.lines("progress")
            #expect(progress.count > 2, "\(received)")
            let bytes = progress.compactMap { $0["bytes"]?.int }
            #expect(bytes == bytes.sorted())
            #expect(bytes.allSatisfy { $0 > 0 && $0 <= 9_000_000 })
            #expect(progress.allSatisfy { $0["kind"]?.string == "mbtiles" })
            // 20 Mbit/s are 2.5 MB/s; the other programs of the tests may take some of the time.
            let rate = try #require(progress.last?["bytesPerSecond"]?.double)
            #expect((200_000...3_500_000).contains(rate), "\(rate)")
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func onASlowLinkAnInterruptedReceiverEndsAtOnceAndTheNextTryWorks() async throws {
        try await withTwo(.v4, rate: "20mbit") { sender, receiver, directory, _ in
            try MapMaker.make(directory.path("n.mbtiles"), tiles: 8, tileLength: 1_000_000)
            try await sender.must("import", directory.path("n.mbtiles"))
            try await sender.send("Nordkette") { running in
                let arguments = ["receive", "--yes", "--timeout", "300", "--format", "json"]
                let interrupted = try await receiver.start(arguments) { child in
                    try await child.waitForOutput { $0.contains(#""type":"progress""#) }
                    child.kill(SIGINT)
                    return await child.ending()
                }
                #expect(interrupted.code == 130, "\(interrupted)")
                let told = try await running.ended(transfer: 1)
                #expect(told["code"]?.string == "peerCancelled", "\(told)")
                try await receiver.must("list")
                let contents = try StoreContents(of: receiver.store)
                #expect(contents.files.isEmpty && contents.unfinished.isEmpty && contents.count("region") == 0)
                let again = try await receiver.run("receive", "--yes", "--timeout", "300")
                #expect(again.code == 0, "\(again)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aLinkThatBreaksIsNoticedByBothAndTheNextTryGoesOn() async throws {
        try await withTwo(.v4, rate: "20mbit") { sender, receiver, directory, hosts in
            try MapMaker.make(directory.path("n.mbtiles"), tiles: 8, tileLength: 1_000_000)
            try await sender.must("import", directory.path("n.mbtiles"))
            try await sender.send("Nordkette") { running in
                let arguments = ["receive", "--yes", "--retries", "0", "--timeout", "300", "--format", "json"]
                let lost = try await receiver.start(arguments) { child in
                    try await child.waitForOutput { $0.contains(#""type":"progress""#) }
                    try await hosts.cut()
                    return await child.ending()
                }
                #expect(lost.code == 4, "\(lost)")
                #expect(try lost.problem()["code"]?.string == "connectionLost")
                let told = try await running.ended(transfer: 1)
                #expect(told["code"]?.string == "connectionLost", "\(told)")
                try await hosts.join()
                let again = try await receiver.run("receive", "--yes", "--timeout", "300")
                #expect(again.code == 0, "\(again)")
                let size = try #require(running.listening["size"]?.int)
                let crossed = try #require(try again.lines("received").first?["bytes"]?.int)
                #expect(crossed < size, "\(crossed) of \(size)")
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aCableThatIsPulledAndPutBackEndsNothing() async throws {
        try await withTwo(.v4, rate: "20mbit") { sender, receiver, directory, hosts in
            try MapMaker.make(directory.path("n.mbtiles"), tiles: 8, tileLength: 1_000_000)
            try await sender.must("import", directory.path("n.mbtiles"))
            try await sender.send("Nordkette", ["--once"]) { running in
                let arguments = ["receive", "--yes", "--timeout", "300", "--format", "json"]
                let received = try await receiver.start(arguments) { child in
                    try await child.waitForOutput { $0.contains(#""type":"progress""#) }
                    try await hosts.cut()
                    try await child.waitForOutput { $0.contains(#""type":"reconnecting""#) }
                    try await hosts.join()
                    return await child.ending()
                }
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines("offer").count == 1, "asked once")
                let size = try #require(running.listening["size"]?.int)
                let crossed = try #require(try received.lines("received").first?["bytes"]?.int)
                #expect(crossed < size, "\(crossed) of \(size)")
                let sent = await running.child.ending()
                #expect(sent.code == 0, "\(sent)")
            }
            try Example.expectSame(sender, receiver)
        }
    }
}
