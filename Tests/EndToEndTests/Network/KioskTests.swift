import Foundation
import PeerCore
import PeerTestSupport
import RegionStore
import Testing

/// The examples that share regions, as programs on two hosts.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct KioskTests {
    /// Lets a store trust the machine of another one.
    private static func trust(_ other: Laptop, in laptop: Laptop, as name: String) throws {
        let application = try PeerServiceType(validating: "hikeshare")
        _ = try RegionStore(path: other.store)
        let identity = try PeerIdentity.load(orCreateAt: other.store + "/identity.pem", for: application)
        try RegionStore(path: laptop.store).trustedPeers.pin(identity.id, name: name)
    }

    private static func run(
        _ program: String,
        on side: TwoHosts.Side,
        _ hosts: TwoHosts,
        _ store: String,
        _ body: (ChildProcess) async throws -> Void
    ) async throws {
        try await hosts.run(
            on: side,
            Place.folder + "/" + program,
            [store],
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { child in
            try await Laptop.impatiently(child) { try await body(child) }
        }
    }

    @Test func aKioskReceivesFromAShelfThatItTrustsAndGoesOnAfterACut() async throws {
        try await TwoHosts.with(.v4, rate: "4mbit", repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let shelf = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let kiosk = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: shelf)
                try Self.trust(kiosk, in: shelf, as: "Kiosk")
                try Self.trust(shelf, in: kiosk, as: "Shelf")
                try await Self.run("Kiosk", on: .b, hosts, kiosk.store) { receiving in
                    try await receiving.waitForOutput { $0 == "waiting" }
                    try await Self.run("Shelf", on: .a, hosts, shelf.store) { sending in
                        try await sending.waitForOutput { $0.contains("Kiosk asks, and is let in") }
                        try await hosts.shell(.b, "ip link set lan0 down")
                        // The connection is lost; nothing can have arrived.
                        let line = try await receiving.waitForOutput {
                            $0 != "waiting" && !$0.hasPrefix("this kiosk")
                        }
                        #expect(!line.hasPrefix("received"), "\(line)")
                        try await hosts.shell(.b, "ip link set lan0 up")
                        try await receiving.waitForOutput { $0 == "received \(Example.name)" }
                        try await sending.waitForOutput { $0 == "Kiosk has received \(Example.name)" }
                    }
                }
                // The shelf was killed, so the copies that it has sent are still there, and nothing else.
                let (first, second) = (try StoreContents(of: shelf.store), try StoreContents(of: kiosk.store))
                #expect(first.files == second.files)
                #expect(first.differences(from: second).isEmpty)
                #expect(first.count("region") == 1)
                #expect(first.unfinished.allSatisfy { $0.hasPrefix("work/source-") })
                #expect(second.unfinished.isEmpty)
            }
        }
    }
}
