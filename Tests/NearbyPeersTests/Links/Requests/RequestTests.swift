import PeerCore
import PeerTestSupport
import Testing

@testable import NearbyPeers
@testable import PeerProtocol

/// Requests of two sessions over their common streams.
@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    private static func long(_ length: Int = 200_000) -> Greeting {
        Greeting(name: String(repeating: "x", count: length))
    }

    @Test(arguments: World.Kind.allCases) func manyRequestsAreAnsweredAtOnceInBothDirections(
        _ kind: World.Kind
    ) async throws {
        try await World(kind).linked { anna, ben in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in [anna, ben] {
                    group.addTask { try await session.answer(Greeting.self) { request, _ in "Hello, \(request.name)" } }
                }
                try await withThrowingTaskGroup(of: Void.self) { asking in
                    for number in 0..<60 {
                        let (from, to) = number.isMultiple(of: 2) ? (anna, ben) : (ben, anna)
                        asking.addTask {
                            for round in 0..<20 {
                                let name =
                                    "\(number).\(round)" + (round == 7 ? String(repeating: "y", count: 5000) : "")
                                let answer = try await from.request(Greeting(name: name), from: to.local.id)
                                #expect(answer == "Hello, \(name)")
                            }
                        }
                    }
                    try await asking.waitForAll()
                }
                for session in [anna, ben] {
                    let link = try #require(session.states.links.first)
                    #expect(link.inspect { $0.askers.count == 0 && $0.handlers.isEmpty })
                }
                group.cancelAll()
            }
        }
    }

    /// Errors of handlers, by what they throw.
    @Test(arguments: World.Kind.allCases) func theAskerLearnsWhatTheHandlerThrows(_ kind: World.Kind) async throws {
        try await World(kind).linked { anna, ben in
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await anna.answer(Greeting.self) { request, _ in
                        switch request.name {
                        case "refusal": throw RequestRefusal(code: "no-such-name", message: "Who?")
                        case "words": throw RequestRefusal(message: "No.")
                        case "error": throw PeerError(.busy, "Later.")
                        default: throw CancellationError()
                        }
                    }
                }
                let expected = [
                    ("refusal", "no-such-name", "Who?"), ("words", nil, "No."), ("error", nil, "Later."),
                    ("other", nil, "The other side could not answer."),
                ]
                for (name, code, message) in expected {
                    let error = await failure { () async throws(PeerError) in
                        _ = try await ben.request(Greeting(name: name), from: anna.local.id)
                    }
                    #expect(error?.code == .declined && error?.refusalCode == code && error?.message == message)
                }
                group.cancelAll()
            }
        }
    }

    @Test func longRequestsThatAreNotTakenDelayNoShortOnes() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let requests = try anna.requests(Greeting.self)
            try await withThrowingTaskGroup(of: String.self) { group in
                // Together they are longer than the window of long requests.
                for _ in 0..<8 {
                    group.addTask { try await ben.request(Self.long(), from: anna.local.id, timeout: .seconds(3600)) }
                }
                let link = try #require(anna.states.link(ben.local.id))
                try await world.until { link.inspect { $0.streams.requests.open.count >= 5 } }
                let asking = Task {
                    try await ben.request(Greeting(name: "Ben"), from: anna.local.id, timeout: .seconds(3600))
                }
                try await world.until {
                    link.inspect { $0.streams.requests.open.keys.contains { !RequestEntry.isLong($0) } }
                }
                // As the application takes them, all come.
                var iterator = requests.makeAsyncIterator()
                for _ in 0..<9 {
                    let request = try #require(await iterator.next())
                    try request.answer("\(request.request.name.utf8.count)")
                }
                #expect(try await world.result(of: asking).get() == "3")
                for try await answer in group { #expect(answer == "200000") }
            }
        }
    }

    /// A long request whose asker gives up takes no room, though it is not complete at the other side.
    @Test func longRequestsThatAreGivenUpLeaveNothing() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let requests = try anna.requests(Greeting.self)
            for _ in 0..<3 {
                let asking = (0..<8).map { _ in
                    Task { try await ben.request(Self.long(), from: anna.local.id, timeout: .seconds(3600)) }
                }
                let link = try #require(anna.states.link(ben.local.id))
                try await world.until { link.inspect { $0.streams.requests.open.count >= 5 } }
                for task in asking { task.cancel() }
                for task in asking {
                    let error = await #expect(throws: PeerError.self) { try await task.value }
                    #expect(error?.code == .cancelled)
                }
                try await world.until {
                    link.inspect { $0.streams.requests.open.isEmpty && $0.streams.heldLength == 0 }
                }
            }
            // Another one is answered.
            let asking = Task { try await ben.request(Self.long(), from: anna.local.id, timeout: .seconds(3600)) }
            var iterator = requests.makeAsyncIterator()
            let request = try #require(await iterator.next())
            try request.answer("yes")
            #expect(try await world.result(of: asking).get() == "yes")
        }
    }

    @Test func aLongAnswerComesToAShortRequest() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await anna.answer(Greeting.self) { request, _ in
                        String(repeating: "z", count: Int(request.name) ?? 0)
                    }
                }
                for length in [4000, 5000, 1_000_000] {
                    let answer = try await world.whileTimePasses {
                        try await ben.request(Greeting(name: "\(length)"), from: anna.local.id, timeout: .seconds(3600))
                    }
                    #expect(answer.utf8.count == length)
                }
                let error = await failure { () async throws(PeerError) in
                    _ = try await ben.request(Greeting(name: "1100000"), from: anna.local.id)
                }
                #expect(error?.code == .declined)
                group.cancelAll()
            }
        }
    }

    @Test func requestsBeyondTheirCountAreRefusedAsBusy() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let requests = try anna.requests(Greeting.self)
            let asking = (0..<70).map { number in
                Task {
                    try await ben.request(Greeting(name: "\(number)"), from: anna.local.id, timeout: .seconds(3600))
                }
            }
            let link = try #require(ben.states.link(anna.local.id))
            try await world.until { link.inspect { $0.askers.count == 64 } }
            var iterator = requests.makeAsyncIterator()
            for _ in 0..<64 {
                let request = try #require(await iterator.next())
                try request.answer(request.request.name)
            }
            var busyCount = 0
            for (number, task) in asking.enumerated() {
                switch await world.result(of: task) {
                case .success(let answer): #expect(answer == "\(number)")
                case .failure(let error): busyCount += (error as? PeerError)?.code == .busy ? 1 : 0
                }
            }
            #expect(busyCount == 6)
        }
    }

    /// The handlers of both are cancelled with the link.
    @Test func theEndOfTheLinkEndsRequestsAndHandlers() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let cancelled = Locked(0)
            let answering = Task {
                try await anna.answer(Greeting.self) { _, _ in
                    try? await Task.sleep(for: .seconds(3600))
                    cancelled.withLock { $0 += Task.isCancelled ? 1 : 0 }
                    return ""
                }
            }
            let asking = (0..<3).map { _ in
                Task { try await ben.request(Greeting(name: "Ben"), from: anna.local.id, timeout: .seconds(3600)) }
            }
            let link = try #require(anna.states.link(ben.local.id))
            try await world.until { link.inspect { $0.handlers.count == 3 } }
            await ben.disconnect(anna.local.id)
            for task in asking {
                let error = await #expect(throws: PeerError.self) { try await task.value }
                #expect(error?.code == .outcomeUnknown)
            }
            try await world.until { cancelled.withLock { $0 } == 3 }
            answering.cancel()
            _ = await answering.result
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func aTimeOutOfNothingIsNotAllowed(timeout: Duration) async throws {
        try await World(.memory).linked { anna, ben in
            let error = await failure { () async throws(PeerError) in
                _ = try await ben.request(Greeting(name: "Ben"), from: anna.local.id, timeout: timeout)
            }
            #expect(error?.code == .invalidArgument)
        }
    }
}

extension World {
    /// Waits for the result of a task.
    fileprivate func result<Value: Sendable>(of task: Task<Value, any Error>) async -> Result<Value, any Error> {
        do {
            return .success(try await whileTimePasses { try await task.value })
        } catch {
            return .failure(error)
        }
    }
}
