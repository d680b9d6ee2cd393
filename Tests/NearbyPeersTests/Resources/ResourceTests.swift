import Foundation
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Files and data that two sessions send each other, in memory and over loopback with TLS.
@Suite(.timeLimit(.minutes(10))) struct ResourceTests {
    /// Who sends: the side that has dialed, or the one that listened.
    enum Sender: CaseIterable, Sendable {
        case dialed
        case listened
    }

    private func sides(_ sender: Sender, _ anna: PeerSession, _ ben: PeerSession) -> (PeerSession, PeerSession) {
        sender == .dialed ? (ben, anna) : (anna, ben)
    }

    @Test(arguments: World.Kind.allCases, Sender.allCases)
    func aFileArrivesWhole(_ kind: World.Kind, _ sender: Sender) async throws {
        let world = World(kind)
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let bytes = Data.pattern(3_000_000)
        let file = folder.url.appending(path: "map.mbtiles")
        try bytes.write(to: file)
        try await world.linked { anna, ben in
            let (from, to) = sides(sender, anna, ben)
            let offers = try to.resources()
            let inbox = folder.url.appending(path: "inbox")
            try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
            let sending = try await from.send(file: file.path, metadata: Data("Andorra".utf8), to: to.local.id)
            let seen = Locked<[ResourceProgress]>([])
            let received = try await world.whileTimePasses {
                var iterator = offers.makeAsyncIterator()
                let offer = try #require(await iterator.next())
                #expect(offer.name == "map.mbtiles" && offer.size == 3_000_000 && offer.count == 1)
                #expect(offer.metadata == Data("Andorra".utf8) && offer.peer == from.local.id)
                return try await offer.receive(.folder(path: inbox.path)) { progress in
                    seen.withLock { $0.append(progress) }
                }
            }
            try await world.whileTimePasses { try await sending.finished() }
            #expect(received == .file(path: inbox.appending(path: "map.mbtiles").path))
            #expect(try Data(contentsOf: inbox.appending(path: "map.mbtiles")) == bytes)
            #expect(seen.withLock { $0.last?.fraction } == 1)
            #expect(sending.currentProgress.fraction == 1)
        }
    }

    @Test(arguments: World.Kind.allCases) func dataArriveInMemory(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.linked { anna, ben in
            let offers = try anna.resources()
            for bytes in [Data("{}".utf8), Data.pattern(700_000)] {
                let sending = try await ben.send(
                    resource: .bytes(bytes),
                    named: "profile.json",
                    to: anna.local.id
                )
                let received = try await world.whileTimePasses {
                    var iterator = offers.makeAsyncIterator()
                    let offer = try #require(await iterator.next())
                    return try await offer.receive(.memory(limit: 1_000_000))
                }
                #expect(received == .bytes(bytes))
                try await world.whileTimePasses { try await sending.finished() }
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func severalGoAtOnceAndMessagesBetweenThem(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.linked { anna, ben in
            let offers = try anna.resources()
            let lines = try anna.messages(of: Line.self)
            try await world.whileTimePasses {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...4 {
                        let bytes = Data.pattern(200_000 * number)
                        let sending = try await ben.send(resource: .bytes(bytes), named: "\(number)", to: anna.local.id)
                        group.addTask { try await sending.finished() }
                    }
                    var iterator = offers.makeAsyncIterator()
                    for _ in 1...4 {
                        let offer = try #require(await iterator.next())
                        group.addTask {
                            let number = try #require(Int(offer.name))
                            let received = try await offer.receive(.memory(limit: 1_000_000))
                            #expect(received == .bytes(Data.pattern(200_000 * number)))
                        }
                    }
                    try await ben.send(Line(text: "between")).get()
                    var reader = lines.makeAsyncIterator()
                    #expect(await reader.next()?.message.text == "between")
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func whoDeclinesSaysWhy(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.linked { anna, ben in
            let offers = try anna.resources()
            let sending = try await ben.send(resource: .bytes(Data([1, 2])), named: "two bytes", to: anna.local.id)
            let error = try await world.whileTimePasses {
                var iterator = offers.makeAsyncIterator()
                try #require(await iterator.next()).decline("No room in the backpack.")
                return await #expect(throws: PeerError.self) { try await sending.finished() }
            }
            #expect(error?.code == .declined && error?.message.contains("No room in the backpack.") == true)
        }
    }

    @Test func whatIsLargerThanThePeerTakesIsNotOffered() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.maximumResourceSize = 1000 }) { anna in
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let error = await #expect(throws: PeerError.self) {
                    try await ben.send(
                        resource: .bytes(Data(repeating: 1, count: 1001)),
                        named: "large",
                        to: anna.local.id
                    )
                }
                #expect(error?.code == .declined && error?.message.contains("1000") == true)
                _ = try await ben.send(
                    resource: .bytes(Data(repeating: 1, count: 1000)),
                    named: "small",
                    to: anna.local.id
                )
            }
        }
    }

    @Test func anOfferThatNobodyReadsIsDeclinedAfterTenMinutes() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let sending = try await ben.send(resource: .bytes(Data([1])), named: "one byte", to: anna.local.id)
            let start = network.clock.elapsed
            let error = Locked<PeerError?>(nil)
            let waiting = Task {
                let failure = await failure { () async throws(PeerError) in try await sending.finished() }
                error.withLock { $0 = failure }
            }
            try await world.until(limit: .seconds(700)) { error.value != nil }
            await waiting.value
            #expect(error.value?.code == .timedOut)
            #expect(network.clock.elapsed - start >= .seconds(600))
        }
    }

    @Test func aResourceThatIsNotThereSaysSo() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let missing = await #expect(throws: PeerError.self) {
                try await ben.send(file: "/nowhere/map.mbtiles", to: anna.local.id)
            }
            #expect(missing?.code == .invalidArgument)
            let nameless = await #expect(throws: PeerError.self) {
                try await ben.send(resource: .bytes(Data([1])), named: "", to: anna.local.id)
            }
            #expect(nameless?.code == .invalidArgument)
            let stranger = await #expect(throws: PeerError.self) {
                try await ben.send(resource: .bytes(Data([1])), named: "one", to: ben.local.id)
            }
            #expect(stranger?.code == .notConnected)
        }
    }
}
