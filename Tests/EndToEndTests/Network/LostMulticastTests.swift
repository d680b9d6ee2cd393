import Foundation
import PeerTestSupport
import Testing

/// A receiver towards which the network loses multicast, as switches with snooping and access points with sleeping radios do.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct LostMulticastTests {
    /// Packets to the group of multicast DNS do not arrive; everything else does.
    private static let losing = """
        nft add table netdev lost
        nft add chain netdev lost in '{ type filter hook ingress device lan0 priority 0; policy accept; }'
        nft add rule netdev lost in ether daddr '{ 01:00:5e:00:00:fb, 33:33:00:00:00:fb }' drop
        """

    @Test(arguments: [TwoHosts.Network.v4, .ll6])
    func aReceiverFindsASenderThoughNoMulticastReachesIt(network: TwoHosts.Network) async throws {
        try await TwoHosts.with(network, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: sender)
                try await hosts.shell(.b, Self.losing)
                try await sender.send(Example.name, ["--once"]) { running in
                    try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                    let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                    #expect(received.code == 0, "\(received)")
                    let address = try #require(try received.lines.last?["peer"]?["address"]?.string)
                    #expect(address.hasPrefix(network == .v4 ? "10.77.0.1:" : "[fe80::"), "\(address)")
                    #expect(await running.child.ending().code == 0)
                }
                try Example.expectSame(sender, receiver)
            }
        }
    }
}
