import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// What a sender shows of its network, and what both sides say when a firewall is in the way.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct NetworkChangeTests {
    private func withTwo(
        _ network: TwoHosts.Network,
        _ body: (_ sender: Laptop, _ receiver: Laptop, TwoHosts) async throws -> Void
    ) async throws {
        try await TwoHosts.with(network, hasDiscovery: false, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try MapMaker.make(directory.path("n.mbtiles"))
                try await sender.must("import", directory.path("n.mbtiles"))
                try await body(sender, Laptop(network: .host(hosts, .b), store: directory.path("b")), hosts)
            }
        }
    }

    private static func addresses(_ line: JSONValue) -> [String] {
        line["addresses"]?.array.compactMap(\.string) ?? []
    }

    @Test(arguments: [TwoHosts.Network.v4, .ll6])
    func theLinkGoesWithTheCableAndComesBackWithIt(network: TwoHosts.Network) async throws {
        try await withTwo(network) { sender, receiver, hosts in
            try await sender.sendQuietly("Nordkette", ["--once"]) { running in
                #expect(Self.addresses(running.listening).count == 1, "\(running.listening)")
                #expect(running.listening["link"]?.string != nil)
                try await hosts.cut()
                let none = try JSONValue(
                    parsing: try await running.child.waitForOutput {
                        $0.contains(#""type":"network""#) && $0.contains(#""addresses":[]"#)
                    }
                )
                #expect(none["link"]?.string == nil, "\(none)")
                try await hosts.join()
                let back = try JSONValue(
                    parsing: try await running.child.waitForOutput {
                        $0.contains(#""type":"network""#) && !$0.contains(#""addresses":[]"#)
                    }
                )
                #expect(Self.addresses(back) == Self.addresses(running.listening))
                // The link is the same, for the secret lives as long as the sender.
                let link = try #require(back["link"]?.string)
                #expect(link == running.listening["link"]?.string)
                let received = try await receiver.start(["receive", "--link", "--format", "json", "--retries", "0"]) {
                    try $0.write(link + "\n")
                    return await $0.ending()
                }
                #expect(received.code == 0, "\(received)")
                #expect(await running.child.ending().code == 0)
            }
        }
    }

    @Test func aSenderThatStartsWithoutANetworkSaysWhatToDo() async throws {
        try await withTwo(.v4) { sender, _, hosts in
            try await hosts.cut()
            try await sender.start(["send", "Nordkette", "--no-discovery", "--yes"]) { child in
                try await child.waitForErrorOutput { $0.hasPrefix("This laptop is on no network (lan0 is off).") }
                try await hosts.join()
                try await child.waitForErrorOutput { $0.hasPrefix("The network has changed.") }
                try await child.waitForOutput { $0.contains("hikeshare receive --connect 10.77.0.1:") }
                let link = try await child.waitForOutput { $0.hasPrefix("HIKESHARE://") }
                #expect(try ShareLink(parsing: link, for: .hikeshare).addresses.map(\.host) == ["10.77.0.1"])
                child.kill(SIGINT)
                let ending = await child.ending()
                #expect(!ending.words.contains("127.0.0.1") && !ending.words.contains("::1"), "\(ending)")
            }
        }
    }

    /// ufw drops what it does not allow; firewalld rejects it with a message.
    @Test(arguments: ["drop", "reject with icmpx type admin-prohibited"])
    func aFirewallInTheWayIsToldWithItsCommand(verdict: String) async throws {
        try await withTwo(.v4) { sender, receiver, hosts in
            try await sender.sendQuietly("Nordkette") { running in
                let rules = """
                    set -e
                    nft add table inet filter
                    nft 'add chain inet filter input { type filter hook input priority 0; policy accept; }'
                    nft add rule inet filter input tcp dport 1-65535 tcp flags syn \(verdict)
                    """
                try await hosts.run(on: .a, "sh", ["-c", rules]) { child in
                    let ending = await child.ending()
                    try #require(ending.code == 0, "\(ending)")
                }
                let address = "10.77.0.1:\(running.port)"
                let blocked = try await receiver.run("receive", "--yes", "--retries", "0", "--connect", address)
                #expect(blocked.code == 3, "\(blocked)")
                let hints = try blocked.problem()["hints"]?.array.compactMap(\.string) ?? []
                let words = ["doctor", "--open-firewall", "--port", "\(running.port)"]
                #expect(hints.contains { $0.contains(words.joined(separator: " ")) }, "\(hints)")
                // The command that is told opens the port.
                try await hosts.run(on: .a, Place.program, words) { child in
                    let ending = await child.ending()
                    try #require(ending.code == 0, "\(ending)")
                }
                let received = try await receiver.run("receive", "--yes", "--connect", address)
                #expect(received.code == 0, "\(received)")
            }
        }
    }
}
