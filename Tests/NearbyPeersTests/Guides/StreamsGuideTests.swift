import FoundationEssentials
import NearbyPeers
import PeerTesting
import Testing

/// The examples of the guide "Streaming bytes".
@Suite(.timeLimit(.minutes(10))) struct StreamsGuideTests {
    private let chat = Chat()

    @Test func aStreamCarriesBytesBothWays() async throws {
        try await chat.connected { anna, ben in
            let streams = try anna.streams()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await stream in streams {
                        #expect(stream.name == "upper case")
                        for try await bytes in stream.bytes { try await stream.write(Self.upperCased(bytes)) }
                        stream.finish()
                        return
                    }
                }
                let stream = try await ben.openStream(named: "upper case", to: anna.local.id)
                try await stream.write(Data("hello".utf8))
                stream.finish()
                var answer = Data()
                for try await bytes in stream.bytes { answer += bytes }
                #expect(answer == Data("HELLO".utf8))
                try await group.waitForAll()
            }
        }
    }

    @Test func aCancelledStreamSaysWhy() async throws {
        try await chat.connected { anna, ben in
            let streams = try anna.streams()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await stream in streams { return stream.cancel("I know it already.") } }
                let stream = try await ben.openStream(named: "log", to: anna.local.id)
                let error = await #expect(throws: PeerError.self) {
                    for try await _ in stream.bytes {}
                }
                #expect(error?.code == .peerCancelled)
                #expect(error?.message == "I know it already.")
                try await group.waitForAll()
            }
        }
    }

    @Test func aStreamEndsWithTheLink() async throws {
        try await chat.connected { anna, ben in
            let streams = try anna.streams()
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            chat.network.partition([["anna"], ["ben"]])
            let error = await #expect(throws: PeerError.self) {
                try await chat.network.clock.advance { for try await _ in stream.bytes {} }
            }
            #expect(error?.code == .connectionLost)
            _ = streams
        }
    }

    private static func upperCased(_ bytes: Data) -> Data { Data(bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }) }
}
