import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import PeerTesting

@Suite(.timeLimit(.minutes(10))) struct InMemoryConnectionTests {
    private let machines: Machines
    private let written = Locked(0)

    init() throws {
        machines = try Machines()
    }

    private func count() { written.withLock { $0 += 1 } }

    @Test func eachSideFirstLearnsWhoTheOtherIs() async throws {
        try await machines.withConnection { anna, ben in
            for (side, other) in [(anna, machines.ben), (ben, machines.anna)] {
                guard case .opened(let id, let certificate) = side.events[0] else {
                    Issue.record("\(side.events[0])")
                    continue
                }
                #expect(id == other.id)
                let expected = try other.identity.certificateBytes
                #expect(certificate == expected)
            }
            let address = try machines.network.address(of: "anna", port: 0)
            #expect(ben.connection.addressKey == AddressKey(address))
            #expect(ben.connection.remoteAddress.hasPrefix("192.0.2."))
            #expect(anna.connection.remoteAddress != ben.connection.remoteAddress)
        }
    }

    @Test func framesCrossInOrderBothWaysWithoutTime() async throws {
        try await machines.withConnection { anna, ben in
            for value in 0..<100 {
                anna.connection.send([.bytes(100, of: UInt8(value)), .bytes(20)], written: count)
                ben.connection.send(.bytes(60_000, of: UInt8(value)))
            }
            try await machines.wait { anna.frames.count == 100 && ben.frames.count == 200 && written.value == 100 }
            #expect(ben.frames == (0..<100).flatMap { [Frame.bytes(100, of: UInt8($0)), .bytes(20)] })
            #expect(anna.frames == (0..<100).map { .bytes(60_000, of: UInt8($0)) })
            #expect(machines.network.clock.elapsed == .zero)
            #expect(ben.connection.lastReceipt == machines.network.clock.now)
        }
    }

    @Test func theTraceNamesWhatHasArrived() async throws {
        let network = machines.network
        try await machines.withConnection { anna, ben in
            anna.connection.send([.hello(machines.anna), .bytes(100)], written: nil)
            ben.connection.send(.accept)
            try await machines.wait { network.trace.count == 3 }
            let sent = network.trace.filter { $0.sender == "anna" && $0.receiver == "ben" }.map(\.frame)
            #expect(sent == ["hello", "bytes"])
            #expect(network.trace.first { $0.sender == "ben" }?.description == "0.0 seconds: ben -> anna: accept")
        }
    }

    @Test func theTraceIsBounded() async throws {
        let network = machines.network
        try await machines.withConnection { anna, ben in
            anna.connection.send([.accept] + Array(repeating: .bytes(20), count: 10_000), written: nil)
            try await machines.wait { ben.frames.count == 10_001 }
            #expect(network.trace.count == 10_000)
            #expect(network.trace.allSatisfy { $0.frame == "bytes" })
        }
    }

    @Test func aPingIsAnsweredBelowTheSession() async throws {
        let network = machines.network
        try await machines.withConnection { anna, ben in
            network.setDelay(.milliseconds(10))
            anna.connection.send(.hello(machines.anna))
            ben.connection.send(.hello(machines.ben))
            try await network.clock.advance(until: { anna.frames.count == 1 && ben.frames.count == 1 })
            let answers = Locked(0)
            // The clock must not stop before both have begun.
            async let duration: Duration? = {
                defer { answers.withLock { $0 += 1 } }
                return await anna.connection.roundTrip()
            }()
            async let wait: Void = {
                _ = await ben.connection.roundTrip()
                answers.withLock { $0 += 1 }
            }()
            anna.connection.sendKeepAlive()
            try await network.clock.advance(until: { answers.value == 2 })
            #expect(await duration == .milliseconds(20))
            await wait
            #expect(anna.frames.count == 1 && ben.frames.count == 1)
            #expect(network.trace.contains { $0.sender == "ben" && $0.frame == "pong" })
        }
    }

    @Test func aPingBeforeTheHelloIsAFrame() async throws {
        try await machines.withConnection { anna, ben in
            anna.connection.sendKeepAlive()
            try await machines.wait { !ben.frames.isEmpty }
            #expect(ben.frames == [.ping(Ping(nonce: 1))])
        }
    }

    @Test func aRoundTripEndsWithTheConnectionOrItsTask() async throws {
        try await machines.withConnection { anna, ben in
            // No hello: no answer.
            let first = Task { await anna.connection.roundTrip() }
            first.cancel()
            #expect(await first.value == nil)
            let second = Task { await anna.connection.roundTrip() }
            let third = Task { await ben.connection.roundTrip() }
            try await machines.wait { ben.frames.count == 2 && anna.frames.count == 1 }
            anna.connection.abort()
            #expect(await second.value == nil)
            #expect(await third.value == nil)
            #expect(await anna.connection.roundTrip() == nil)
        }
    }

    @Test func bytesThatAreNoFrameAreReportedOnce() async throws {
        try await machines.withConnection { anna, ben in
            let connection = try #require(anna.connection as? InMemoryConnection)
            connection.send(.bytes(100))
            connection.send(bytes: ByteBuffer(bytes: [0x7F, 0, 0, 0, 0, 0, 0, 1, 0]))
            connection.send(.bytes(100))
            ben.connection.send(.bytes(50))
            try await machines.wait { !ben.errors.isEmpty && anna.frames.count == 1 }
            #expect(ben.errors.map(\.code) == [.invalidFrame])
            #expect(ben.frames == [.bytes(100)])
            // The session can still say why it closes.
            #expect(!ben.hasEnded)
            connection.send(bytes: ByteBuffer(repeating: 0, count: 300_000))
            connection.send([.bytes(100)], written: count)
            try await machines.wait { written.value == 1 }
            #expect(ben.events.count == 3)
            let linger = machines.configuration.lingerTimeout
            await machines.network.clock.advance(by: linger - .milliseconds(1))
            #expect(!ben.hasEnded)
            try await machines.network.clock.advance(until: { ben.hasEnded && anna.hasEnded })
            #expect(machines.network.clock.elapsed == linger)
        }
    }

    @Test func aFrameBeforeTheRunIsNotUnderstood() async throws {
        let accepted = Locked<Side?>(nil)
        try await machines.listen { connection, _ in
            let side = Side(connection)
            accepted.set(side)
            await side.run()
        } body: { port in
            let connection = try await machines.connect(to: port)
            // Its preface is sent by its run.
            connection.send(.bytes(100))
            try await machines.wait { accepted.value?.errors.isEmpty == false }
            #expect(accepted.value?.errors.map(\.code) == [.notHikeshare])
            connection.abort()
        }
    }

    @Test func aFrameMayComeInPieces() async throws {
        try await machines.withConnection { anna, ben in
            let connection = try #require(anna.connection as? InMemoryConnection)
            var bytes = ByteBuffer()
            try connection.encoder.write(.bytes(300, of: 7), into: &bytes)
            while let piece = bytes.readSlice(length: min(7, bytes.readableBytes)), piece.readableBytes > 0 {
                connection.send(bytes: piece)
            }
            try await machines.wait { !ben.frames.isEmpty }
            #expect(ben.frames == [.bytes(300, of: 7)])
        }
    }

    @Test(arguments: [false, true]) func longFramesAreReadOnlyIfAwaited(areAwaited: Bool) async throws {
        try await machines.withConnection { anna, ben in
            if areAwaited { ben.connection.awaitLongFrames() }
            anna.connection.send(.manifest(.init(repeating: 0x20, count: 100_000)))
            try await machines.wait { ben.events.count == 2 }
            #expect(ben.frames.count == (areAwaited ? 1 : 0))
            #expect(ben.errors.map(\.code) == (areAwaited ? [] : [.limitExceeded]))
        }
    }

    @Test func aDataFrameIsRefused() async throws {
        try await machines.withConnection { anna, ben in
            let connection = try #require(anna.connection as? InMemoryConnection)
            var bytes = ByteBuffer()
            connection.encoder.writeDataHeader(DataHeader(resource: 0, offset: 0, length: 1), into: &bytes)
            bytes.writeInteger(UInt8(0))
            connection.send(bytes: bytes)
            try await machines.wait { !ben.errors.isEmpty }
            #expect(ben.frames.isEmpty)
        }
    }

    @Test func aFrameThatCannotBeEncodedEndsTheConnection() async throws {
        try await machines.withConnection { anna, ben in
            anna.connection.send([.bytes(1_000_000)], written: count)
            try await machines.wait { anna.hasEnded && ben.hasEnded && written.value == 1 }
            #expect(ben.frames.isEmpty)
        }
    }

    @Test func abortingLosesWhatIsUnderWay() async throws {
        try await machines.withConnection { anna, ben in
            machines.network.setDelay(.milliseconds(10))
            anna.connection.send([.bytes(100)], written: count)
            try await machines.wait { written.value == 1 }
            anna.connection.abort()
            anna.connection.send([.bytes(100)], written: count)
            try await machines.wait { anna.hasEnded && written.value == 2 }
            #expect(!ben.hasEnded)
            try await machines.network.clock.advance(until: { ben.hasEnded })
            #expect(ben.frames.isEmpty)
            #expect(machines.network.clock.elapsed == .milliseconds(10))
        }
    }

    @Test func cancellingTheRunDeliversWhatHasLeft() async throws {
        let accepted = Locked<Side?>(nil)
        try await machines.listen { connection, _ in
            let side = Side(connection)
            accepted.set(side)
            await side.run()
        } body: { port in
            let side = Side(try await machines.connect(to: port))
            machines.network.setDelay(.milliseconds(10))
            let run = Task { await side.run() }
            try await machines.wait { !side.events.isEmpty && accepted.value?.events.isEmpty == false }
            side.connection.send(.bytes(100))
            run.cancel()
            await run.value
            try await machines.network.clock.advance(until: { accepted.value?.hasEnded == true })
            #expect(accepted.value?.frames == [.bytes(100)])
        }
    }

    @Test func aReaderThatIsSlowHoldsTheWriterUp() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let taken = Locked(0)
        try await machines.listen { connection, _ in
            await connection.run { event in
                guard case .frame = event else { return }
                taken.withLock { $0 += 1 }
                for await _ in gate.stream { break }
            }
        } body: { port in
            let side = Side(try await machines.connect(to: port))
            async let run: Void = side.run()
            try await machines.wait { !side.events.isEmpty }
            for _ in 0..<20 { side.connection.send([.bytes(32_768)], written: count) }
            // The reader has one, and eight fill the line.
            try await machines.wait { taken.value == 1 && written.value == 9 }
            await machines.network.clock.advance(by: .seconds(60))
            #expect(written.value == 9)
            for number in 2...20 {
                gate.continuation.yield()
                try await machines.wait { taken.value == number && written.value == min(20, number + 8) }
            }
            gate.continuation.finish()
            side.connection.abort()
            await run
        }
    }

    @Test func whatDoesNotLeaveIsReportedAsWrittenWhenTheConnectionEnds() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        try await machines.listen { connection, _ in
            await connection.run { _ in for await _ in gate.stream {} }
        } body: { port in
            let side = Side(try await machines.connect(to: port))
            async let run: Void = side.run()
            try await machines.wait { !side.events.isEmpty }
            for _ in 0..<20 { side.connection.send([.bytes(32_768)], written: count) }
            try await machines.wait { written.value == 8 }
            side.connection.abort()
            try await machines.wait { written.value == 20 }
            gate.continuation.finish()
            await run
        }
        #expect(written.value == 20)
    }
}
