import Foundation
import NIOCore
import PeerStorage
import PeerTestSupport
import PeerTesting
import Synchronization
import Testing

@testable import NearbyPeers

/// Resources end in time, whatever peers, files and disks do.
@Suite(.timeLimit(.minutes(10))) struct ResourceEndTests {
    @Test(arguments: [false, true]) func whoDisconnectsEndsTheTransfer(isSender: Bool) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.setRate(100_000, between: "anna", "ben")
            let offers = try anna.resources()
            let bytes = Data.pattern(2_000_000)
            let sending = try await ben.send(resource: .bytes(bytes), named: "map", to: anna.local.id)
            let reception = Task {
                var iterator = offers.makeAsyncIterator()
                let offer = try #require(await iterator.next())
                return try await offer.receive(.memory(limit: 2_000_000))
            }
            try await world.until { sending.currentProgress.bytes > 300_000 }
            let start = network.clock.elapsed
            if isSender {
                await ben.disconnect(anna.local.id, telling: "Bye")
            } else {
                await anna.disconnect(ben.local.id, telling: "Bye")
            }
            let errors = try await world.whileTimePasses {
                let receiver = await #expect(throws: PeerError.self) { try await reception.value }
                return (receiver, await #expect(throws: PeerError.self) { try await sending.finished() })
            }
            #expect(errors.0?.code == .connectionLost && errors.1?.code == .connectionLost)
            #expect(network.clock.elapsed - start < .seconds(5))
            try await world.until { ben.hub.resources.counts == (0, 0) && anna.hub.resources.counts == (0, 0) }
        }
    }

    @Test func whoIsDisconnectedHearsWhyHoweverSlowTheNetworkIs() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.setRate(100_000_000, between: "anna", "ben")
            await anna.disconnect(ben.local.id, telling: "Lunch")
            try await world.until { ben.peer(anna.local.id)?.state == .disconnected(.disconnected("Lunch")) }
        }
    }

    /// The file is as long as hashing takes minutes.
    @Test(arguments: [false, true]) func whoLeavesDoesNotWaitForAHash(isForAll: Bool) async throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let file = folder.url.appending(path: "map")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 50 << 30)
        try handle.close()
        let world = World(.loopback)
        try await world.session("anna") { anna in
            let sending = Locked<ResourceSending?>(nil)
            let left = Locked(ContinuousClock.now)
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let made: ResourceSending =
                    if isForAll {
                        try #require(try await ben.send(file: file.path, toEach: [anna.local.id]).sendings.first)
                    } else {
                        try await ben.send(file: file.path, to: anna.local.id)
                    }
                sending.set(made)
                left.set(.now)
            }
            #expect(ContinuousClock.now - left.value < .seconds(30))
            #expect(sending.value?.currentProgress.step == .hashing)
            let error = await #expect(throws: PeerError.self) { try await sending.value?.finished() }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func aDiskThatHangsHoldsUpNeitherCancellingNorLeaving() async throws {
        let world = World(.loopback)
        let disk = HangingSink()
        defer { disk.answer() }
        let left = Locked(ContinuousClock.now)
        try await world.session("ben") { ben in
            try await world.session("anna") { anna in
                let offers = try anna.resources()
                try await ben.invite(at: [world.address(of: anna)])
                for number in 1...2 {
                    _ = try await ben.send(resource: .bytes(Data([1, 2, 3])), named: "three bytes", to: anna.local.id)
                    var iterator = offers.makeAsyncIterator()
                    let offer = try #require(await iterator.next())
                    let reception = Task { try await offer.receive(into: disk) }
                    try await world.until { disk.count == number }
                    guard number == 1 else { break }
                    let start = ContinuousClock.now
                    reception.cancel()
                    let error = await #expect(throws: PeerError.self) { try await reception.value }
                    #expect(error?.code == .cancelled)
                    #expect(ContinuousClock.now - start < .seconds(20))
                }
                left.set(.now)
            }
            #expect(ContinuousClock.now - left.value < .seconds(30))
        }
    }

    /// Everything that runs on all cores lets the tasks of the process run.
    @Test func tasksRunWhileAllCoresHash() async throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let file = try OpenFile(folder.url.appending(path: "map").path, O_RDWR | O_CREAT)
        try file.resize(to: UInt64(4 * cores) << 20)
        let layout = try #require(ChunkLayout(size: UInt64(4 * cores) << 20))
        let ran = Count()
        let result = Locked<Bool?>(nil)
        NetworkTransport().runBlocking {
            let end = ContinuousClock.now + .seconds(60)
            let digests = try? FileDigester(threadCount: cores).digest(file, layout) { _, _ in
                // As hashing does, this computes, and lets no other thread take its place.
                let before = ran.number.load(ordering: .relaxed)
                Task.detached { ran.number.add(1, ordering: .relaxed) }
                while ran.number.load(ordering: .relaxed) == before, ContinuousClock.now < end {}
            }
            result.set(digests != nil && ContinuousClock.now < end)
        }
        try await world.until { result.value != nil }
        #expect(result.value == true)
    }

    private let world = World(.loopback)
}

private final class Count: Sendable {
    let number = Atomic(0)
}

/// A storage on a disk that does not answer.
private final class HangingSink: ResourceSink {
    private let waiting = Locked(0)
    private let answered = Locked(false)

    /// How many calls there were.
    var count: Int { waiting.value }

    /// The disk answers.
    func answer() { answered.set(true) }

    func examine(_ manifest: Manifest) throws {
        waiting.withLock { $0 += 1 }
        while !answered.value { usleep(10_000) }
        throw SystemError(number: EIO)
    }

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer {
        throw SystemError(number: EIO)
    }
}
