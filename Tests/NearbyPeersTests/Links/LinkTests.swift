import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import Testing

/// What two sessions that are linked exchange.
@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    @Test(arguments: World.Kind.allCases) func messagesCrossInOrder(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.linked { anna, ben in
            let lines = try anna.messages(of: Line.self)
            for number in 1...100 {
                let result = try await ben.send(Line(text: "\(number)"))
                #expect(result.taken == [anna.local.id])
            }
            var iterator = lines.makeAsyncIterator()
            for number in 1...100 {
                let received = await iterator.next()
                #expect(received?.message == Line(text: "\(number)"))
                #expect(received?.peer == ben.local.id)
            }
            try await world.whileTimePasses { try await ben.flush().get() }
        }
    }

    @Test(arguments: World.Kind.allCases) func bytesCrossAsTheyAre(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            let data = try ben.data()
            try await anna.send(Data([0, 1, 255])).get()
            var iterator = data.makeAsyncIterator()
            #expect(await iterator.next()?.message == Data([0, 1, 255]))
        }
    }

    @Test(arguments: World.Kind.allCases) func aRequestIsAnswered(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await anna.answer(Greeting.self) { request, _ in "Hello, \(request.name)" } }
                let answer = try await ben.request(Greeting(name: "Ben"), from: anna.local.id)
                #expect(answer == "Hello, Ben")
                group.cancelAll()
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func aRequestIsRefusedWithWords(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let requests = try anna.requests(Greeting.self)
                group.addTask {
                    for await request in requests {
                        request.refuse(RequestRefusal(code: "later", message: "Not today."))
                    }
                }
                let error = await failure { () async throws(PeerError) in
                    _ = try await ben.request(Greeting(name: "Ben"), from: anna.local.id)
                }
                #expect(error?.code == .declined)
                #expect(error?.message == "Not today.")
                #expect(error?.refusalCode == "later")
                group.cancelAll()
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func aStreamCarriesBytesBothWays(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            let streams = try anna.streams()
            let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var iterator = streams.makeAsyncIterator()
                    let stream = try #require(await iterator.next())
                    #expect(stream.name == "echo")
                    #expect(stream.metadata == Data([7]))
                    for try await piece in stream.bytes { try await stream.write(piece) }
                    stream.finish()
                }
                let stream = try await ben.openStream(named: "echo", to: anna.local.id, metadata: Data([7]))
                group.addTask {
                    try await stream.write(bytes)
                    stream.finish()
                }
                var echo = Data()
                for try await piece in stream.bytes { echo += piece }
                #expect(echo == bytes)
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func theChannelCanBeTested(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            // A machine with other work may take longer than the second that is the default.
            _ = try await ben.roundTrip(to: anna.local.id, timeout: .patience)
            _ = try await anna.roundTrip(to: ben.local.id, timeout: .patience)
        }
    }

    @Test(arguments: World.Kind.allCases) func leavingIsToldWithItsReason(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.session("anna") { anna in
            let id = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                await ben.leave(telling: "The battery is empty.")
                return ben.local.id
            }
            try await world.until { anna.peer(id)?.state == .disconnected(.left("The battery is empty.")) }
        }
    }
}
