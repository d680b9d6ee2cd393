import Foundation
import PeerTestSupport
import Testing

/// A receiver whose own network goes away for a while, and one whose share link has an address of yesterday.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct LostSenderTests {
    @Test func aReceiverWithoutANetworkWaitsAndUsesUpNoAttempt() async throws {
        try await TwoHosts.with(.v4, rate: "4mbit", hasDiscovery: false, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: sender)
                try await sender.sendQuietly(Example.name) { running in
                    let arguments = [
                        "receive", "--yes", "--format", "json", "--retries", "1", "--connect",
                        "10.77.0.1:\(running.port)",
                    ]
                    let ending = try await receiver.start(arguments) { child in
                        try await child.waitForOutput { $0.contains(#""type":"progress""#) }
                        try await hosts.shell(.b, "ip link set lan0 down")
                        // The only attempt is announced, then one that did not count has failed.
                        try await child.waitForOutput {
                            $0.contains(#""type":"reconnecting""#) && $0.contains("does not answer")
                        }
                        try await hosts.shell(.b, "ip link set lan0 up")
                        return await child.ending()
                    }
                    #expect(ending.code == 0, "\(ending)")
                }
            }
        }
    }

    @Test func aLinkWithAnOldAddressFindsItsSender() async throws {
        try await TwoHosts.with(.v4, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: sender)
                try await sender.send(Example.name) { running in
                    let link = try #require(running.listening["link"]?.string)
                    try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                    try await hosts.shell(
                        .a,
                        "ip addr flush dev lan0; ip addr add 10.77.0.77/24 dev lan0"
                    )
                    try await running.child.waitForOutput {
                        $0.contains(#""type":"network""#) && $0.contains("10.77.0.77")
                    }
                    #expect(try await receiver.browse(untilFound: 1).code == 0)
                    let ending = try await receiver.start(["receive", "--link", "--yes", "--format", "json"]) { child in
                        try child.write(link + "\n")
                        return await child.ending()
                    }
                    #expect(ending.code == 0, "\(ending)")
                }
            }
        }
    }
}
