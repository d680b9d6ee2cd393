import PeerTestSupport
import Testing

@testable import DBus

/// Something else than a bus at the address.
@Suite(.timeLimit(.minutes(10))) struct HostileBusTests {
    @Test(
        arguments: [
            "", "\0", "x", "unix:", "unix:path=", "unix:path=/nonexistent/bus", "unix:path=/dev/null",
            "unix:path=/a\0b", "nonsense:a=b", "unix:path=/tmp;nonsense", "tcp:host=127.0.0.1,port=1,family=ipv4",
            "unix:path=%zz",
        ]
    )
    func withoutABusThereIsNoConnection(address: String) async throws {
        let error = try await connect(to: address, within: .patience)
        #expect(error?.code == .busUnavailable, "\(String(describing: error))")
    }

    @Test func aSilentBusTimesOut() async throws {
        let error = try await connect(within: .milliseconds(50)) { $0.readToEnd() }
        #expect(error?.code == .busUnavailable)
        #expect(error?.message.contains("did not answer in time") == true)
    }

    @Test func cancellationEndsTheWaitForASilentBus() async throws {
        let hasBegun = AsyncStream.makeStream(of: Void.self)
        let serve: @Sendable (RawConnection) -> Void = { connection in
            _ = connection.read(atMost: 1)
            hasBegun.continuation.finish()
            connection.readToEnd()
        }
        try await TemporaryDirectory.with { directory in
            try await RawServer.with(path: directory.path("bus"), serve: serve) { _ in
                let address = "unix:path=" + directory.path("bus")
                let task = Task { try await connect(to: address, within: .seconds(3600)) }
                for await _ in hasBegun.stream {}
                task.cancel()
                let error = try await task.value
                #expect(error?.code == .closed)
            }
        }
    }

    /// The socket of a silent bus can be written all the time, so nothing may wait for that.
    @Test func aSilentBusCostsNoTime() async throws {
        try await TemporaryDirectory.with { directory in
            try await RawServer.with(path: directory.path("bus"), serve: { $0.readToEnd() }) { _ in
                let bus = try BusHandle(address: "unix:path=" + directory.path("bus"))
                _ = try bus.send(try MessageHandle(calling: Echo.method()))
                for _ in 0..<10 where bus.hasUnsent { bus.transfer() }
                #expect(bus.isConnected && !bus.hasUnsent)
            }
        }
    }

    /// A bus hangs up on a user whom its policy denies.
    @Test func aBusThatHangsUpDoesNotAcceptTheProgram() async throws {
        let error = try await connect(within: .patience) { _ in }
        #expect(error?.code == .notAccepted)
    }

    @Test(arguments: ["REJECTED EXTERNAL\r\n", "ERROR\r\n", "DATA zz\r\n", "OK\r\n", "OK zz\r\nOK\r\n"])
    func aBusThatDoesNotAcceptTheProgramIsUnavailable(line: String) async throws {
        let error = try await connect(within: .milliseconds(300)) { connection in
            _ = connection.read()
            connection.write(Array(line.utf8))
            connection.readToEnd()
        }
        #expect(Self.isNoBus(error))
    }

    private static func isNoBus(_ error: DBusError?) -> Bool {
        error?.code == .busUnavailable || error?.code == .notAccepted
    }

    @Test func randomBytesAreNoBus() async throws {
        let seed = UInt64.random(in: .min ... .max)
        for number in 0..<20 as Range<UInt64> {
            let error = try await connect(within: .milliseconds(300)) { connection in
                var generator = SeededGenerator(seed: seed &+ number)
                connection.write(generator.bytes(Int.random(in: 1...40_000, using: &generator)))
                connection.readToEnd()
            }
            #expect(Self.isNoBus(error), "seed \(seed)")
        }
    }

    @Test func randomBytesAfterTheGreetingAreNoBus() async throws {
        let seed = UInt64.random(in: .min ... .max)
        for number in 0..<20 as Range<UInt64> {
            let error = try await connect(within: .milliseconds(300)) { connection in
                var generator = SeededGenerator(seed: seed &+ number)
                let isHeaderValid = number % 2 == 0
                Self.greet(connection)
                // Little-endian, an answer, no flags, version 1.
                if isHeaderValid { connection.write([0x6C, 2, 0, 1]) }
                connection.write(generator.bytes(Int.random(in: 1...40_000, using: &generator)))
                connection.readToEnd()
            }
            #expect(Self.isNoBus(error), "seed \(seed)")
        }
    }

    /// Accepts a program as a bus does. (D-Bus specification, "Authentication Protocol".)
    private static func greet(_ connection: RawConnection) {
        var text = ""
        while !text.contains("BEGIN\r\n") {
            let bytes = connection.read()
            guard !bytes.isEmpty else { return }
            let part = String(decoding: bytes, as: UTF8.self)
            text += part
            if part.contains("AUTH ") { connection.write(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8)) }
            if part.contains("NEGOTIATE_UNIX_FD") { connection.write(Array("ERROR\r\n".utf8)) }
        }
    }

    private func connect(
        within limit: Duration,
        serve: @escaping @Sendable (RawConnection) -> Void
    ) async throws -> DBusError? {
        try await TemporaryDirectory.with { directory in
            try await RawServer.with(path: directory.path("bus"), serve: serve) { _ in
                try await connect(to: "unix:path=" + directory.path("bus"), within: limit)
            }
        }
    }

    private func connect(to address: String, within limit: Duration) async throws -> DBusError? {
        try await failure { try await DBusConnection.withSystemBus(at: address, within: limit) { _ in } }
    }
}
