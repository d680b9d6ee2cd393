import Foundation
import PeerTestSupport
import Testing

/// Two laptops on a bare cable, each with the interfaces of a container engine that were there before the cable.
@Suite(.takingTurns) struct VirtualInterfaceTests {
    private func withTwo(
        named names: String,
        hasDiscovery: Bool,
        _ body: (_ sender: Laptop, _ receiver: Laptop) async throws -> Void
    ) async throws {
        try await TwoHosts.with(.ll6, hasDiscovery: hasDiscovery, repository: Place.repository) { hosts in
            try await hosts.addVirtualInterfaces(10, named: names)
            try await hosts.replugCable()
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await Example.put(on: sender)
                try await body(sender, Laptop(network: .host(hosts, .b), store: directory.path("b")))
            }
        }
    }

    /// Pairs with the names that Docker gives, and with names that say nothing.
    @Test(arguments: ["veth", "net"]) func theLinkLeadsOverTheCable(names: String) async throws {
        try await withTwo(named: names, hasDiscovery: false) { sender, receiver in
            try await sender.sendQuietly(Example.name, ["--once"]) { running in
                let link = try #require(running.listening["link"]?.string)
                let first = try #require(running.listening["addresses"]?.array.first?.string)
                #expect(first.hasPrefix("[fe80::") && first.contains("%lan0]:"), "\(running.listening)")
                let received = try await receiver.start(["receive", "--link", "--yes", "--format", "json"]) { child in
                    try child.write(link + "\n")
                    return await child.ending()
                }
                #expect(received.code == 0, "\(received)")
                let address = try received.lines.last?["peer"]?["address"]?.string
                #expect(address?.contains("%lan0]:") == true, "\(received)")
            }
        }
    }

    @Test func theCableMayBePluggedInWhileTheReceiverConnects() async throws {
        try await TwoHosts.with(.ll6, repository: Place.repository) { hosts in
            try await hosts.addVirtualInterfaces(2, named: "net")
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await Example.put(on: sender)
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await sender.sendQuietly(Example.name, ["--once"]) { running in
                    let link = try #require(running.listening["link"]?.string)
                    try await hosts.cut()
                    let received = try await receiver.start(["receive", "--link", "--yes", "-v", "--format", "json"]) {
                        child in
                        try child.write(link + "\n")
                        try await child.waitForErrorOutput { $0.contains("connection attempt started") }
                        try await hosts.join()
                        return await child.ending()
                    }
                    #expect(received.code == 0, "\(received)")
                }
            }
        }
    }

    @Test func theSenderIsFoundOverTheCable() async throws {
        try await withTwo(named: "veth", hasDiscovery: true) { sender, receiver in
            try await sender.send(Example.name, ["--once"]) { running in
                try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                #expect(received.code == 0, "\(received)")
                let address = try received.lines.last?["peer"]?["address"]?.string
                #expect(address?.contains("%lan0]:") == true, "\(received)")
            }
        }
    }
}
