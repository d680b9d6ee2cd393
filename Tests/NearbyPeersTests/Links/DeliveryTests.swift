import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// What happens with messages, requests and streams that are not read, not understood, or too much.
@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
    /// A message of a newer version of the application.
    private struct NewLine: PeerMessage {
        static let messageName = "chat.line"
        static let messageVersion = 2
        var text: String
    }

    private struct Unknown: PeerMessage {
        static let messageName = "unknown"
        var number: Int
    }

    @Test func aSenderWaitsForAReaderThatIsSlow() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let data = try anna.data()
            let sent = Locked(0)
            let piece = Data(repeating: 7, count: 100_000)
            let sender = Task {
                for _ in 0..<100 {
                    try await ben.send(piece).get()
                    sent.withLock { $0 += 1 }
                }
            }
            let network = try #require(world.network)
            await network.clock.advance(by: .seconds(20))
            let waiting = sent.withLock { $0 }
            // The outbox, the window, and what is kept until it is acknowledged.
            #expect(waiting >= 10 && waiting <= 40)
            var iterator = data.makeAsyncIterator()
            let reader = Task {
                for _ in 0..<100 { #expect(await iterator.next()?.message == piece) }
            }
            try await world.until { sent.withLock { $0 } == 100 }
            try await world.whileTimePasses { await reader.value }
            try await sender.value
        }
    }

    /// The peer has said what it can read, so the sender hears at once that it cannot read this.
    @Test func aMessageThatThePeerDoesNotDeclareIsMissed() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let log = StateLog(anna)
            let lines = try anna.messages(of: Line.self)
            try await world.session("ben", Settings { $0.messages.append(Unknown.self) }) { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let result = try await ben.send(Unknown(number: 1))
                #expect(result.taken.isEmpty && result.missed[anna.local.id]?.code == .notUnderstood)
                let error = await failure { () async throws(PeerError) in
                    try await ben.send(Unknown(number: 1), to: anna.local.id)
                }
                #expect(error?.code == .notUnderstood)
                #expect(!ben.understands(Unknown.self, at: anna.local.id))
                #expect(ben.understands(Line.self, at: anna.local.id))
                try await ben.send(Line(text: "after it")).get()
                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "after it")
                #expect(!log.names.contains("unknown 1"))
            }
        }
    }

    /// Only what the peer reads counts, not what this side reads.
    @Test func whatOnlyThePeerDeclaresIsSent() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.session("ben", Settings { $0.messages = [] }) { ben in
                try await ben.invite(at: [world.address(of: anna)])
                try await ben.send(Line(text: "hello"), to: anna.local.id)
                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "hello")
            }
        }
    }

    @Test func aNewerVersionIsNotSentToAnOlderProgram() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            try await world.session("ben", Settings { $0.messages = [NewLine.self] }) { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let result = try await ben.send(NewLine(text: "new"))
                #expect(result.taken.isEmpty)
                #expect(result.missed[anna.local.id]?.code == .unsupportedVersion)
            }
        }
    }

    @Test func whatNobodyReadsIsReportedAndHoldsUpNothingForLong() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let log = StateLog(anna)
            let lines = try anna.messages(of: Line.self)
            for number in 0..<1000 { try await ben.send(Position(number: number)).get() }
            try await ben.send(Line(text: "read")).get()
            let first = try await world.whileTimePasses {
                var iterator = lines.makeAsyncIterator()
                return await iterator.next()
            }
            #expect(first?.message.text == "read")
            try await world.until { log.names.contains("unread position") }
            #expect(log.names.count { $0 == "unread position" } == 1)
        }
    }

    @Test func channelsDoNotHoldUpOneAnother() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let files = try MessageChannel(validating: "files")
            let unread = try anna.data(on: files)
            let lines = try anna.messages(of: Line.self)
            let sender = Task {
                for _ in 0..<50 { try await ben.send(Data(repeating: 1, count: 100_000), on: files).get() }
            }
            try await ben.send(Line(text: "quick")).get()
            var iterator = lines.makeAsyncIterator()
            #expect(await iterator.next()?.message.text == "quick")
            sender.cancel()
            _ = await sender.result
            _ = unread
        }
    }

    @Test func aStalledStreamHoldsUpNothing() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let stalled = try await ben.openStream(named: "stalled", to: anna.local.id)
            let writer = Task { try? await stalled.write(Data(repeating: 1, count: 10_000_000)) }
            var iterator = streams.makeAsyncIterator()
            let first = try #require(await iterator.next())
            let flowing = try await ben.openStream(named: "flowing", to: anna.local.id)
            let second = try #require(await iterator.next())
            let sender = Task {
                try await flowing.write(Data(repeating: 2, count: 1_000_000))
                flowing.finish()
            }
            var count = 0
            for try await bytes in second.bytes { count += bytes.count }
            #expect(count == 1_000_000)
            try await sender.value
            writer.cancel()
            await writer.value
            _ = first
        }
    }

    @Test func aStreamThatIsOnlyWrittenCanBeLetGoOf() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            try await Self.write(10_000, ben, anna)
            var iterator = streams.makeAsyncIterator()
            let incoming = try #require(await iterator.next())
            // What comes back is dropped, and holds up nothing.
            try await incoming.write(Data(count: 200_000))
            incoming.finish()
            var count = 0
            for try await bytes in incoming.bytes { count += bytes.count }
            #expect(count == 10_000)
        }
    }

    private static func write(_ count: Int, _ ben: PeerSession, _ anna: PeerSession) async throws {
        let stream = try await ben.openStream(named: "log", to: anna.local.id)
        try await stream.write(Data(count: count))
        stream.finish()
    }

    /// A writer that waits until everything was read is not told that the reader has cancelled.
    @Test(arguments: World.Kind.allCases)
    func aReaderThatStopsAtTheEndMakesNoWriterFail(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            let streams = try anna.streams()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await stream in streams {
                        for try await _ in stream.bytes {}
                        return
                    }
                }
                let stream = try await ben.openStream(named: "log", to: anna.local.id)
                try await stream.write(Data(count: 200_000))
                stream.finish()
                for try await _ in stream.bytes { Issue.record("nothing was sent") }
                try await group.waitForAll()
            }
        }
    }

    /// What was written before the stream was let go of arrives, because the other side has finished.
    @Test func anAnswerArrivesAlthoughItsStreamIsLetGoOf() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let answering = Task {
                for await stream in streams {
                    for try await _ in stream.bytes {}
                    return try await stream.write(Data(count: 30_000))
                }
            }
            let stream = try await ben.openStream(named: "question", to: anna.local.id)
            stream.finish()
            var count = 0
            for try await bytes in stream.bytes { count += bytes.count }
            #expect(count == 30_000)
            try await answering.value
        }
    }

    @Test func aReaderThatStopsBeforeTheEndCancelsTheStream() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let reading = Task {
                for await stream in streams {
                    for try await _ in stream.bytes { return }
                }
            }
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            try await stream.write(Data(count: 30_000))
            try await reading.value
            let error = await failure { () async throws(PeerError) in for try await _ in stream.bytes {} }
            #expect(error?.code == .peerCancelled)
        }
    }

    @Test func aCancelledStreamTellsItsReason() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            var iterator = streams.makeAsyncIterator()
            let incoming = try #require(await iterator.next())
            stream.cancel("The disk is full.")
            let error = await failure { () async throws(PeerError) in for try await _ in incoming.bytes {} }
            #expect(error?.code == .peerCancelled)
            #expect(error?.message == "The disk is full.")
        }
    }

    @Test func onlyTheNewestOfAKeyIsDelivered() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let positions = try anna.messages(of: Position.self)
            network.setRate(1000, between: "anna", "ben")
            for number in 1...100 {
                let mode = DeliveryMode.droppable(key: "me", maximumAge: .seconds(60))
                try await ben.send(Position(number: number), mode: mode).get()
            }
            let received = Locked<[Int]>([])
            let reader = Task {
                for await position in positions { received.withLock { $0.append(position.message.number) } }
            }
            try await world.until { received.withLock { $0.last } == 100 }
            let numbers = received.withLock { $0 }
            #expect(numbers == numbers.sorted())
            #expect(numbers.count < 100)
            reader.cancel()
        }
    }

    @Test func aRequestEndsInTimeAndItsHandlerIsCancelled() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let isCancelled = Locked(false)
            let handler = Task {
                try? await anna.answer(Greeting.self) { _, _ in
                    try? await Task.sleep(for: .seconds(3600))
                    isCancelled.withLock { $0 = Task.isCancelled }
                    throw CancellationError()
                }
            }
            let error = try await world.whileTimePasses {
                await failure { () async throws(PeerError) in
                    _ = try await ben.request(Greeting(name: "Ben"), from: anna.local.id, timeout: .seconds(2))
                }
            }
            #expect(error?.code == .timedOut)
            try await world.until { isCancelled.withLock { $0 } }
            handler.cancel()
        }
    }

    @Test func aRequestThatThePeerDidNotDeclareIsNotSent() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.requests = [] }) { anna in
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let error = await failure { () async throws(PeerError) in
                    _ = try await ben.request(Greeting(name: "Ben"), from: anna.local.id)
                }
                #expect(error?.code == .notUnderstood)
            }
        }
    }

    @Test func aMessageThatIsTooLongIsRefusedHere() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let result = try await ben.send(Data(count: 1024 * 1024 + 1))
            #expect(result.missed[anna.local.id]?.code == .invalidArgument)
            #expect(try await ben.send(Data(count: 1024 * 1024)).taken == [anna.local.id])
        }
    }

    @Test func whatWasSentBeforeLeavingIsRead() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let id = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                for number in 1...100 { try await ben.send(Line(text: "\(number)")).get() }
                return ben.local.id
            }
            try await world.until { anna.peer(id)?.state == .disconnected(.left("")) }
            var iterator = lines.makeAsyncIterator()
            for number in 1...100 { #expect(await iterator.next()?.message.text == "\(number)") }
        }
    }
}

extension DeliveryTests {
    @Test func aReaderThatGoesAwayHoldsUpNothing() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let lines = try anna.messages(of: Line.self)
            try await Self.readOnePosition(anna, ben)
            try await ben.send(Position(number: 2)).get()
            try await ben.send(Position(number: 3)).get()
            try await ben.send(Line(text: "after them")).get()
            var iterator = lines.makeAsyncIterator()
            #expect(await iterator.next()?.message.text == "after them")
            // They can be read again from now on.
            try await Self.readOnePosition(anna, ben)
        }
    }

    private static func readOnePosition(_ anna: PeerSession, _ ben: PeerSession) async throws {
        let positions = try anna.messages(of: Position.self)
        try await ben.send(Position(number: 1)).get()
        var iterator = positions.makeAsyncIterator()
        #expect(await iterator.next()?.message.number == 1)
    }

    @Test func messagesAreReadByOne() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let error = await failure { () async throws(PeerError) in _ = try anna.messages(of: Line.self) }
            #expect(error?.code == .invalidArgument)
            _ = lines
        }
    }
}
