import Foundation
import PeerTestSupport
import Testing

/// What the program waits for and nothing answers: a person who stops it is not kept waiting.
@Suite(.takingTurns) struct WaitingTests {
    /// Half a second is the aim, and libraries wait 10 to 25 s; the machine of the tests may be busy.
    private static let soon: Duration = .seconds(6)

    private func expectSoon(_ child: ChildProcess, location: SourceLocation = #_sourceLocation) async {
        let start = ContinuousClock.now
        child.kill(SIGINT)
        let ending = await child.ending()
        let time = ContinuousClock.now - start
        #expect(time < Self.soon, "\(time)", sourceLocation: location)
        #expect(ending.code == 130, "\(ending)", sourceLocation: location)
    }

    @Test func ctrlCEndsALookUpThatNoNameServerAnswers() async throws {
        try await TwoHosts.with(.v4, hasDiscovery: false, repository: Place.repository) { hosts in
            // It takes what is asked and says nothing.
            let server = """
                import socket, time
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.bind(("127.0.0.1", 53))
                open("/run/resolv.conf", "w").write("nameserver 127.0.0.1\\noptions timeout:30 attempts:2\\n")
                print("ready", flush=True)
                s.recv(512)
                print("asked", flush=True)
                time.sleep(100)
                """
            try await hosts.run(on: .b, "python3", ["-c", server]) { server in
                try await server.waitForOutput { $0 == "ready" }
                try await TemporaryDirectory.with { directory in
                    let laptop = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                    try await laptop.start(["receive", "--yes", "--connect", "laptop.example:4711"]) { child in
                        try await server.waitForOutput { $0 == "asked" }
                        await expectSoon(child)
                    }
                }
            }
        }
    }

    @Test func lookingForASenderThatIsGoneEndsInTime() async throws {
        try await TwoHosts.with(.v4, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .host(hosts, .a), store: directory.path("a"))
                let receiver = Laptop(network: .host(hosts, .b), store: directory.path("b"))
                try await Example.put(on: sender)
                try await sender.send(Example.name) { running in
                    try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                    #expect(try await receiver.browse(untilFound: 1).code == 0)
                    try await hosts.killDaemon(.a)
                    running.child.kill(SIGKILL)
                    _ = await running.child.waitForExit()
                    // It is still announced, and nobody listens at its address.
                    let start = ContinuousClock.now
                    let received = try await receiver.run("receive", "--yes", "--timeout", "2")
                    #expect(ContinuousClock.now - start < Self.soon + .seconds(2))
                    #expect(received.code == 3, "\(received)")
                    #expect(try received.problem()["code"]?.string == "cannotConnect", "\(received)")
                }
            }
        }
    }

    @Test func aDaemonThatDoesNotAnswerHoldsUpNothing() async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .loopback(avahi), store: directory.path("a"))
                try await Example.put(on: laptop)
                avahi.pauseDaemon()
                for command in [["receive", "--yes"], ["browse"]] {
                    let start = ContinuousClock.now
                    let ending = try await laptop.start(command + ["--timeout", "2", "--format", "json"]) {
                        await $0.ending()
                    }
                    #expect(ContinuousClock.now - start < Self.soon + .seconds(2))
                    #expect(ending.code == 8, "\(ending)")
                    #expect(try ending.problem()["message"]?.string?.contains("does not answer") == true, "\(ending)")
                }
                try await laptop.send(Example.name) { running in
                    // It says so and serves those who have the address.
                    let warning = try await running.child.waitForErrorOutput { $0.contains(#""type":"warning""#) }
                    #expect(warning.contains("does not answer"), "\(warning)")
                    let receiver = Laptop(network: .loopback(avahi), store: directory.path("b"))
                    let received = try await receiver.receive(from: running.port)
                    #expect(received.code == 0, "\(received)")
                    await expectSoon(running.child)
                }
            }
        }
    }

    @Test func ctrlCEndsASenderWhoseDaemonStoppedAnswering() async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .loopback(avahi), store: directory.path("a"))
                try await Example.put(on: laptop)
                try await laptop.send(Example.name) { running in
                    try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
                    avahi.pauseDaemon()
                    await expectSoon(running.child)
                }
            }
        }
    }
}
