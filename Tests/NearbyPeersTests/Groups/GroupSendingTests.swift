import FoundationEssentials
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Messages and files to several members.
@Suite(.timeLimit(.minutes(10))) struct GroupSendingTests {
    @Test(arguments: World.Kind.allCases) func aMessageGoesToAllOrSome(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.group(["anna", "ben", "cara", "dan"]) { sessions in
            let readers = try sessions.dropFirst().map { try $0.messages(of: Line.self) }
            let ids = sessions.map(\.local.id)
            let all = try await sessions[0].send(Line(text: "all"))
            #expect(Set(all.taken) == Set(ids[1...]) && all.missed.isEmpty)
            try await sessions[0].send(Line(text: "two"), to: [ids[1], ids[2]]).get()
            try await sessions[0].send(Line(text: "one"), to: ids[3])
            let expected = [["all", "two"], ["all", "two"], ["all", "one"]]
            for (reader, texts) in zip(readers, expected) {
                let read = try await world.whileTimePasses {
                    var iterator = reader.makeAsyncIterator()
                    var read: [String?] = []
                    for _ in texts { read.append(await iterator.next()?.message.text) }
                    return read
                }
                #expect(read == texts)
            }
            let stranger = try world.configuration("nobody").local.id
            let result = try await sessions[0].send(Line(text: "x"), to: [ids[1], stranger])
            #expect(result.taken == [ids[1]] && result.missed[stranger]?.code == .notConnected)
        }
    }

    /// A member that does not read holds up the others once, for the time of the configuration, and then not at all.
    @Test func aMemberThatDoesNotReadHoldsUpTheOthersOnce() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.group(["anna", "ben", "cara"], Settings { $0.buffers.longestStall = .seconds(3) }) { sessions in
            let (anna, ben, cara) = (sessions[0], sessions[1], sessions[2])
            let (bens, caras) = (try ben.data(), try cara.data())
            let piece = Data(repeating: 7, count: 100_000)
            let reader = Task(executorPreference: network.executor) { for await _ in bens {} }
            defer { reader.cancel() }
            let missed = Locked(0)
            let longest = Locked(Duration.zero)
            let done = Locked(0)
            let sender = Task(executorPreference: network.executor) {
                for _ in 0..<100 {
                    let start = network.clock.elapsed
                    let result = try await anna.send(piece)
                    longest.withLock { $0 = max($0, network.clock.elapsed - start) }
                    #expect(result.taken.contains(ben.local.id))
                    if result.missed[cara.local.id]?.code == .timedOut { missed.withLock { $0 += 1 } }
                    done.withLock { $0 += 1 }
                }
            }
            try await world.until { done.value == 100 }
            try await sender.value
            #expect(missed.value >= 50 && longest.value >= .seconds(2) && longest.value <= .seconds(4))
            #expect(network.clock.elapsed < .seconds(30))
            // Whoever reads again gets everything from then on.
            var iterator = caras.makeAsyncIterator()
            for _ in 0..<(100 - missed.value) { #expect(await iterator.next()?.message == piece) }
            try await world.whileTimePasses { try await anna.flush().get() }
            let result = try await anna.send(piece)
            #expect(Set(result.taken) == [ben.local.id, cara.local.id])
        }
    }

    /// Short messages that still find room do not let it hold up the others again.
    @Test func aMemberThatDoesNotReadIsWaitedForOnceAlsoWithShortMessages() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.group(["anna", "ben", "cara"], Settings { $0.buffers.longestStall = .seconds(3) }) { sessions in
            let (anna, ben, cara) = (sessions[0], sessions[1], sessions[2])
            let (bens, caras) = (try ben.data(), try cara.data())
            let reader = Task(executorPreference: network.executor) { for await _ in bens {} }
            defer { reader.cancel() }
            let start = network.clock.elapsed
            var missed = 0
            for _ in 0..<12 {
                for length in [400_000, 64] {
                    let piece = Data(repeating: 7, count: length)
                    let result = try await world.whileTimePasses { try await anna.send(piece) }
                    #expect(result.taken.contains(ben.local.id))
                    missed += result.missed[cara.local.id] == nil ? 0 : 1
                }
            }
            #expect(missed >= 5 && network.clock.elapsed - start < .seconds(5))
            withExtendedLifetime(caras) {}
        }
    }

    @Test func aMemberThatIsAwayHoldsUpNobody() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.group(["anna", "ben", "cara"]) { sessions in
            let (anna, ben, cara) = (sessions[0], sessions[1], sessions[2])
            let bens = try ben.data()
            let reader = Task(executorPreference: network.executor) { for await _ in bens {} }
            defer { reader.cancel() }
            network.partition([["anna", "ben"], ["cara"]])
            try await world.until { anna.peer(cara.local.id)?.isReconnecting == true }
            let start = network.clock.elapsed
            let piece = Data(repeating: 7, count: 100_000)
            var missed = 0
            for _ in 0..<40 {
                let result = try await world.whileTimePasses { try await anna.send(piece) }
                #expect(result.taken.contains(ben.local.id))
                missed += result.missed[cara.local.id] == nil ? 0 : 1
            }
            #expect(missed > 0 && network.clock.elapsed - start < .seconds(5))
        }
    }

    @Test(arguments: World.Kind.allCases) func aFileGoesToAllAndIsHashedOnce(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map")
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            try Data(bytes).write(to: URL(filePath: path))
            try await world.group(["anna", "ben", "cara", "dan"]) { sessions in
                let offers = try sessions.dropFirst().map { try $0.resources() }
                let result = try await sessions[0].send(file: path, metadata: Data([1]))
                #expect(Set(result.sendings.map(\.peer)) == Set(sessions.dropFirst().map(\.local.id)))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, offers) in offers.enumerated() {
                        group.addTask {
                            var iterator = offers.makeAsyncIterator()
                            let next = await iterator.next()
                            let offer = try #require(next)
                            // One of them does not want it: the others get it all the same.
                            if index == 1 {
                                offer.decline()
                                return
                            }
                            guard case .bytes(let received) = try await offer.receive(.memory(limit: 1_000_000)) else {
                                Issue.record("no bytes")
                                return
                            }
                            #expect(Array(received) == bytes)
                        }
                    }
                    try await world.whileTimePasses {
                        for sending in result.sendings where sending.peer != sessions[2].local.id {
                            try await sending.finished()
                        }
                    }
                    try await group.waitForAll()
                }
                let declined = try #require(result.sendings.first { $0.peer == sessions[2].local.id })
                await #expect(throws: PeerError.self) { try await declined.finished() }
            }
        }
    }
}
