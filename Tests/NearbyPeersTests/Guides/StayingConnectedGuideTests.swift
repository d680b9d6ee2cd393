import Foundation
import NearbyPeers
import PeerTesting
import Testing

/// A change that may be applied twice.
private struct Stroke: PeerMessage, Hashable {
    static let messageName = "stroke"
    var id: UUID
    var points: [Double]
}

/// What the guide "Staying connected" says.
@Suite(.timeLimit(.minutes(10))) struct StayingConnectedGuideTests {
    private let chat = Chat()

    @Test func aShortOutageLosesNothing() async throws {
        try await chat.connected { anna, ben in
            let log = EventLog(ben)
            let lines = try anna.messages(of: ChatLine.self)
            chat.network.partition([["anna"], ["ben"]])
            try await chat.network.clock.advance(until: { log.texts.contains("reconnecting") })
            try await ben.send(ChatLine(text: "still there")).get()
            chat.network.heal()
            try await chat.network.clock.advance(until: { log.texts.last == "connected" })
            var iterator = lines.makeAsyncIterator()
            #expect(await iterator.next()?.message.text == "still there")
            #expect(!log.texts.contains("returned"))
        }
    }

    @Test func aChangeThatComesTwiceIsAppliedOnce() async throws {
        try await chat.session("anna", .set(\.messages, [Stroke.self])) { anna in
            try await chat.session("ben", .set(\.messages, [Stroke.self])) { ben in
                try await chat.meet(ben, anna)
                let strokes = try anna.messages(of: Stroke.self)
                let all = [1.0, 2].map { Stroke(id: UUID(), points: [$0]) }
                for stroke in [all[0], all[0], all[1]] { try await ben.send(stroke, to: anna.local.id) }
                var drawn: [UUID] = []
                for await stroke in strokes where !drawn.contains(stroke.message.id) {
                    drawn.append(stroke.message.id)
                    if drawn.count == all.count { break }
                }
                #expect(drawn == all.map(\.id))
            }
        }
    }

    @Test func aLongOutageIsSaid() async throws {
        try await chat.connected { anna, ben in
            let log = EventLog(ben)
            chat.network.partition([["anna"], ["ben"]])
            try await chat.network.clock.advance(until: { log.texts.contains("unreachable") })
            let result = try await ben.send(ChatLine(text: "lost"), to: [anna.local.id])
            #expect(result.missed[anna.local.id]?.code == .notConnected)
            chat.network.heal()
            try await chat.network.clock.advance(until: { log.texts.contains("returned") })
        }
    }

    @Test func aPeerThatStaysAwayIsGivenUp() async throws {
        try await chat.connected { anna, ben in
            chat.network.partition([["anna"], ["ben"]])
            try await chat.network.clock.advance(
                until: { ben.peer(anna.local.id)?.state == .disconnected(.lost) },
                limit: .seconds(700)
            )
            #expect(chat.network.clock.elapsed >= .seconds(600))
        }
    }

    @Test func aPeerThatLeavesSaysWhy() async throws {
        try await chat.session("anna") { anna in
            let id = try await chat.session("ben") { ben in
                try await chat.meet(ben, anna)
                await ben.leave(telling: "Good night.")
                return ben.local.id
            }
            try await chat.network.clock.advance(
                until: { anna.peer(id)?.state == .disconnected(.left("Good night.")) }
            )
        }
    }

    @Test func aPeerThatIsDisconnectedIsRefusedUntilItIsInvited() async throws {
        try await chat.connected { anna, ben in
            await anna.disconnect(ben.local.id, telling: "Enough.")
            try await chat.network.clock.advance(
                until: { ben.peer(anna.local.id)?.state == .disconnected(.disconnected("Enough.")) }
            )
            await #expect(throws: PeerError.self) { try await chat.meet(ben, anna) }
            try await chat.meet(anna, ben)
        }
    }

    @Test func aRoundTripTestsTheLink() async throws {
        try await chat.connected { anna, ben in
            chat.network.setDelay(.milliseconds(20))
            let time = try await chat.network.clock.advance { try await ben.roundTrip(to: anna.local.id) }
            #expect(time >= .milliseconds(40))
        }
    }
}
