import NearbyPeers
import PeerTesting
import Testing

/// The examples of the guide "Asking and answering".
@Suite(.timeLimit(.minutes(10))) struct RequestsGuideTests {
    private let chat = Chat()

    @Test func aRequestIsAnswered() async throws {
        try await chat.connected { anna, ben in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await anna.answer(CountLines.self) { request, _ in request.author.count } }
                let count = try await ben.request(CountLines(author: "Ben"), from: anna.local.id)
                #expect(count == 3)
                group.cancelAll()
            }
        }
    }

    @Test func aRefusalHasTheWordsOfThePeer() async throws {
        try await chat.connected { anna, ben in
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await anna.answer(CountLines.self) { _, _ in
                        throw RequestRefusal(code: "tired", message: "I do not count.")
                    }
                }
                let error = await #expect(throws: PeerError.self) {
                    try await ben.request(CountLines(author: "Ben"), from: anna.local.id)
                }
                #expect(error?.code == .declined)
                #expect(error?.refusalCode == "tired")
                #expect(error?.message == "I do not count.")
                group.cancelAll()
            }
        }
    }

    @Test func aCodeIsForPrograms() async throws {
        let authors = ["Anna"]
        try await chat.connected { anna, ben in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await anna.answer(CountLines.self) { request, _ in
                        guard authors.contains(request.author) else {
                            throw RequestRefusal(
                                code: "unknown-author",
                                message: "Nobody here is called \(request.author)."
                            )
                        }
                        return request.author.count
                    }
                }
                var count = -1
                do throws(PeerError) {
                    count = try await ben.request(CountLines(author: "Ben"), from: anna.local.id)
                } catch {
                    guard error.refusalCode == "unknown-author" else { throw error }
                    count = 0
                }
                #expect(count == 0)
                group.cancelAll()
            }
        }
    }

    @Test func aRequestThatThePeerDoesNotAnswerIsNotSent() async throws {
        try await chat.session("anna", .set(\.requests, [])) { anna in
            try await chat.session("ben") { ben in
                try await chat.meet(ben, anna)
                #expect(!ben.understands(CountLines.self, at: anna.local.id))
                let error = await #expect(throws: PeerError.self) {
                    try await ben.request(CountLines(author: "Ben"), from: anna.local.id)
                }
                #expect(error?.code == .notUnderstood)
            }
        }
    }

    @Test func nobodyAnswersInTime() async throws {
        try await chat.connected { anna, ben in
            let error = await #expect(throws: PeerError.self) {
                try await chat.network.clock.advance {
                    try await ben.request(CountLines(author: "Ben"), from: anna.local.id, timeout: .seconds(5))
                }
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func theOutcomeIsUnknownIfTheLinkIsLost() async throws {
        try await chat.connected { anna, ben in
            let requests = try anna.requests(CountLines.self)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in requests {
                        chat.network.partition([["anna"], ["ben"]])
                        return
                    }
                }
                let error = await #expect(throws: PeerError.self) {
                    try await chat.network.clock.advance {
                        try await ben.request(CountLines(author: "Ben"), from: anna.local.id, timeout: .seconds(120))
                    }
                }
                #expect(error?.code == .outcomeUnknown)
                group.cancelAll()
            }
        }
    }
}
