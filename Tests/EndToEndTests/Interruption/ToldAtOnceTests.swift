import Foundation
import PeerTestSupport
import Testing

/// What has ended is told at once, and what is tried next after it.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ToldAtOnceTests {
    /// How long a person may wait for the word: a second, and as long as a busy machine takes to start the program twice.
    private static func limit(on laptop: Laptop) async throws -> Duration {
        let start = ContinuousClock.now
        _ = try await laptop.run("list")
        return .seconds(1) + (.now - start) * 2
    }

    /// Calls `body` in the middle of a transfer that takes twenty seconds, between machines that find each other.
    private func withSlowTransfer(
        _ body: (
            _ sender: RunningSender, _ receiver: ChildProcess, _ limit: Duration
        ) async throws -> Void
    ) async throws {
        try await TwoHosts.with(.v4, rate: "1mbit", repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: sender)
                let limit = try await Self.limit(on: receiver)
                try await sender.sendQuietly(Example.name) { running in
                    let arguments = ["receive", "--yes", "--format", "json", "--connect", "10.77.0.1:\(running.port)"]
                    try await receiver.start(arguments) { child in
                        try await child.waitForOutput { $0.contains(#""type":"progress""#) }
                        try await body(running, child, limit)
                    }
                }
            }
        }
    }

    @Test func aSenderThatStopsIsToldBeforeAnotherOneIsLookedFor() async throws {
        try await withSlowTransfer { sender, receiver, limit in
            let start = ContinuousClock.now
            sender.child.kill(SIGINT)
            let line = try JSONValue(parsing: try await receiver.waitForOutput { $0.contains(#""type":"looking""#) })
            let told = ContinuousClock.now
            #expect(line["for"]?.string == "otherSender" && line["code"]?.string == "peerCancelled", "\(line)")
            #expect(line["message"]?.string == "The sender has stopped: it was interrupted.", "\(line)")
            let ending = await receiver.ending()
            let search = ContinuousClock.now - told
            #expect(ending.code == 5, "\(ending)")
            #expect(try ending.problem()["code"]?.string == "peerCancelled", "\(ending)")
            #expect(told - start < limit, "told after \(told - start); it looked for \(search)")
            // Whoever looks first says it after that.
            #expect(told - start < search, "told after \(told - start); it looked for \(search)")
        }
    }

    @Test func aReceiverThatStopsIsToldAtOnce() async throws {
        try await withSlowTransfer { sender, receiver, limit in
            let start = ContinuousClock.now
            receiver.kill(SIGINT)
            let told = try await sender.ended(transfer: 1)
            #expect(.now - start < limit, "told after \(ContinuousClock.now - start)")
            #expect(told["code"]?.string == "peerCancelled", "\(told)")
            #expect(await receiver.ending().code == 130)
        }
    }

    /// Without discovery there is nobody to look for.
    @Test func withoutDiscoveryNobodyIsLookedFor() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.makeLarge(directory.path("large.mbtiles"))
            try await sender.must("import", directory.path("large.mbtiles"))
            try await sender.sendQuietly("Great Traverse") { running in
                try await HeldLine.with(to: running.port, holdingAfter: 20_000_000) { line in
                    let limit = try await Self.limit(on: receiver)
                    try await receiver.start(["receive", "--yes", "--connect", "127.0.0.1:\(line.port)"]) { child in
                        await line.untilHeld()
                        running.child.kill(SIGINT)
                        line.release()
                        try await child.waitForErrorOutput { $0.hasPrefix("The sender has stopped") }
                        let told = ContinuousClock.now
                        let ending = await child.ending()
                        #expect(ending.code == 5, "\(ending)")
                        #expect(.now - told < limit, "\(ContinuousClock.now - told)")
                    }
                }
            }
        }
    }

    /// A port at which nothing listens.
    private static func closedPort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(bound)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    @Test func aRefusedConnectionIsToldBeforeItsCauseIsLookedFor() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("b"))
            let limit = try await Self.limit(on: laptop)
            let command = ["receive", "--yes", "--connect", "127.0.0.1:\(try Self.closedPort())"]
            let words = try await laptop.start(command) { child in
                let start = ContinuousClock.now
                try await child.waitForErrorOutput { $0.hasPrefix("hikeshare: ") }
                let told = ContinuousClock.now
                let ending = await child.ending()
                let search = ContinuousClock.now - told
                #expect(ending.code == 3, "\(ending)")
                // Packets of other machines are listened for, for almost two seconds.
                #expect(told - start < limit && search > .seconds(1), "\(told - start), \(search)")
                return ending
            }
            // The message is there once, and then what to do.
            #expect(words.errorOutput.count { $0.hasPrefix("hikeshare: ") } == 1, "\(words)")
            #expect(words.errorOutput.last?.contains("hikeshare send") == true, "\(words)")

            try await laptop.start(command + ["--format", "json"]) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"failed""#) }
                #expect(try JSONValue(parsing: line)["code"]?.string == "cannotConnect")
                // A person who does not want to know the cause does not wait for it.
                let start = ContinuousClock.now
                child.kill(SIGINT)
                let ending = await child.ending()
                #expect(ending.code == 130, "\(ending)")
                #expect(try ending.problem()["code"]?.string == "interrupted", "\(ending)")
                #expect(.now - start < limit, "\(ContinuousClock.now - start)")
            }
        }
    }

    /// What `nohup` does.
    @Test func aSignalThatWasIgnoredAtTheStartStaysIgnored() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            let program = [Place.program, "send", "Nordkette", "--yes", "--no-discovery", "--port", "0"]
            try await ChildProcess.with(
                "/bin/sh",
                ["-c", #"trap '' HUP; exec "$@" --format json --show-loopback --name Anna"#, "sh"] + program,
                environment: ["HIKESHARE_STORE": sender.store]
            ) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
                let port = try #require(try JSONValue(parsing: line)["port"]?.int)
                child.kill(SIGHUP)
                let received = try await receiver.receive(from: port)
                #expect(received.code == 0, "\(received)")
                child.kill(SIGINT)
                #expect(await child.ending().code == 130)
            }
        }
    }

    /// A terminal that hangs, a pager, or a supervisor that does not read.
    @Test func outputThatNobodyReadsHoldsUpNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            let limit = try await Self.limit(on: receiver)
            let program = [Place.program, "send", Example.name, "--yes", "--no-discovery", "--port", "0", "-vv"]
            let shell = #"mkfifo "$0" && exec 3<>"$0" && exec "$@" --format json --show-loopback --name Anna 2>&3"#
            try await ChildProcess.with(
                "/bin/sh",
                ["-c", shell, directory.path("log")] + program,
                environment: ["HIKESHARE_STORE": sender.store]
            ) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
                let port = try #require(try JSONValue(parsing: line)["port"]?.int)
                for name in ["b", "c", "d", "e", "f", "g"] {
                    let received = try await Laptop(store: directory.path(name)).receive(from: port)
                    #expect(received.code == 0, "\(received)")
                }
                let start = ContinuousClock.now
                child.kill(SIGTERM)
                let ending = await child.ending()
                #expect(ending.code == 130, "\(ending)")
                #expect(.now - start < limit, "\(ContinuousClock.now - start)")
            }
        }
    }

    /// A shell has the sender in the background, so what is typed goes to others.
    @Test func inTheBackgroundNobodyIsAskedAndNobodyHasSaidNo() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            let shell = #"set -m; "$@" & trap 'kill -INT %1; wait; exit 0' INT; wait"#
            let program = [Place.program] + sender.asInTests(["send", "Nordkette", "--no-discovery"])
            try await sender.inTerminal(running: "/bin/bash", ["-c", shell, "bash"] + program) { screen in
                let port = try await screen.senderPort()
                let received = try await receiver.receive(from: port)
                #expect(received.code == 5, "\(received)")
                #expect(
                    try received.problem()["message"]?.string
                        == "The other side declined: nobody can be asked there now.",
                    "\(received)"
                )
                try await screen.wait(for: "this program is in the background")
                try screen.type("\u{03}")
                #expect(try await screen.complete().status == .exited(0))
            }
        }
    }

    /// A machine that sends to the group of multicast DNS without a pause, faster than a packet is looked at.
    private static let flood = """
        import socket
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.77.0.1"))
        print("on", flush=True)
        while True: s.sendto(b"\\0\\0\\x84\\0" + b"\\x05_hike" * 200, ("224.0.0.251", 5353))
        """

    @Test func aFloodOfPacketsDoesNotHoldUpTheCause() async throws {
        try await TwoHosts.with(.v4, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await hosts.run(on: .a, "python3", ["-c", Self.flood]) { child in
                    try await child.waitForOutput { $0 == "on" }
                    let ending = try await laptop.run("receive", "--yes", "--connect", "10.77.0.1:9")
                    #expect(ending.code == 3, "\(ending)")
                    #expect(try ending.problem()["code"]?.string == "cannotConnect", "\(ending)")
                    #expect(try await laptop.run("doctor").code != nil)
                }
            }
        }
    }
}
