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

    private func withTwo(
        _ body: (_ hosts: TwoHosts, _ sender: Laptop, _ receiver: Laptop) async throws -> Void
    ) async throws {
        try await TwoHosts.with(.v4, hasDiscovery: false, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await Example.put(on: sender)
                try await body(hosts, sender, Laptop(network: .host(hosts, .b), store: directory.path("b")))
            }
        }
    }

    private func receive(_ link: String, on laptop: Laptop) async throws -> Ending {
        try await laptop.start(["receive", "--link", "--yes", "--format", "json"]) { child in
            try child.write(link + "\n")
            return await child.ending()
        }
    }

    @Test func aLinkThatLeadsToAnotherLaptopIsToldToTheReceiverAlone() async throws {
        try await withTwo { _, sender, receiver in
            let (link, port) = try await sender.sendQuietly(Example.name) { running in
                (try #require(running.listening["link"]?.string), running.port)
            }
            let other = Laptop(network: sender.network, store: receiver.store + "-other")
            try await Example.put(on: other)
            try await other.start(["send", Example.name, "--no-discovery", "--port", "\(port)"]) { child in
                try await child.waitForOutput { $0.hasPrefix("HIKESHARE://") }
                let ending = try await receive(link, on: receiver)
                #expect(
                    try ending.problem()["message"]?.string
                        == "This link belongs to another laptop than the one that answers, or its address has changed.",
                    "\(ending)"
                )
                child.kill(SIGINT)
                let sent = await child.ending()
                #expect(!sent.description.contains("Not sent"), "\(sent)")
            }
        }
    }

    @Test func aLinkOfASenderThatHasStoppedSaysSo() async throws {
        try await withTwo { _, sender, receiver in
            let link = try await sender.sendQuietly(Example.name) { try #require($0.listening["link"]?.string) }
            let ending = try await receive(link, on: receiver)
            #expect(ending.code == 3, "\(ending)")
            let problem = try ending.problem()
            #expect(problem["message"]?.string == "The sender's laptop is there, but sends nothing now.", "\(ending)")
            #expect(problem["hints"] == nil, "\(ending)")
        }
    }

    @Test func aReceiverWithoutANetworkIsToldThatAtOnceAndNothingElse() async throws {
        try await TwoHosts.with(.v4, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await hosts.shell(.b, "ip link set lan0 down")
                let ending = try await receiver.tell("receive", "--yes", "--timeout", "1")
                #expect(ending.code == 3, "\(ending)")
                #expect(
                    Array(ending.errorOutput.drop { !$0.hasPrefix("This laptop") }) == [
                        "This laptop is on no network (lan0 is off). hikeshare goes on by itself when there is one. Switch it on:",
                        "      sudo ip link set lan0 up",
                        "hikeshare: Found no sender within 1 s.",
                        "  - This laptop is on no network (lan0 is off). Switch it on:",
                        "      sudo ip link set lan0 up",
                    ],
                    "\(ending)"
                )
            }
        }
    }

    /// The addresses come back one after the other, and the code on the screen stays true.
    @Test func aSenderThatIsBackOnItsNetworkShowsNothingAnew() async throws {
        try await TwoHosts.with(.dual, hasDiscovery: false, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                try await Example.put(on: sender)
                try await sender.start(["send", Example.name, "--no-discovery"]) { child in
                    try await child.waitForOutput { $0.hasPrefix("HIKESHARE://") }
                    try await hosts.cut()
                    try await child.waitForErrorOutput {
                        $0
                            == "This laptop is on no network (lan0 is off). hikeshare goes on by itself when there is one. "
                            + "Switch it on:"
                    }
                    try await hosts.join()
                    try await child.waitForErrorOutput { $0 == "Back on the network." }
                    // The link-local address may be the last to come back.
                    try await hosts.shell(
                        .a,
                        "until ip -6 addr show dev lan0 -tentative | grep -q fe80; do sleep 0.1; done"
                    )
                    try await hosts.shell(.a, "ip addr add 10.99.0.1/24 dev lan0")
                    try await child.waitForErrorOutput { $0.hasPrefix("The network has changed.") }
                    child.kill(SIGINT)
                    let ending = await child.ending()
                    // The second link is that of the new address.
                    #expect(ending.output.filter { $0.hasPrefix("HIKESHARE://") }.count == 2, "\(ending)")
                    #expect(ending.errorOutput.filter { $0 == "Back on the network." }.count == 1, "\(ending)")
                }
            }
        }
    }
}
