// Where the compiler finds `timespec` depends on the order of a target's files.
import CoreFoundation
import Foundation
import Glibc
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

@testable import RegionStore

/// How long what has arrived of a file stays, and where it cannot stay.
@Suite(.timeLimit(.minutes(10))) struct PartialFileTests {
    private static let day = 86_400

    /// A store with an unfinished file.
    private struct Unfinished {
        let store: RegionStore
        let folder: String

        init(in directory: TemporaryDirectory) throws {
            let offer = try ResumeTests.Offer(in: directory)
            let transfer = try offer.begin()
            _ = try offer.missing(transfer)
            try offer.write(0..<2, to: transfer)
            transfer.abandon()
            store = offer.store
            folder = store.path + "/incoming/" + ReceivedParts.name(offer.entry.digest, size: offer.entry.size)
        }

        /// Says that a file was written at a time, in seconds since 1970.
        func setTime(of name: String, to time: Int) {
            let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, folder + "/" + name, times, 0) == 0)
        }

        /// Whether it is there after the store was opened again.
        func isKept() throws -> Bool {
            try !RegionStore(path: store.path).incomingFiles().isEmpty
        }
    }

    /// The last byte came when the clock stood there; it is right now.
    @Test(arguments: [0, 1, -1, Int.min, Int.max, Int(Int32.max), 1_600_000_000])
    func aClockThatWasWrongRemovesNothing(time: Int) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let unfinished = try Unfinished(in: directory)
            unfinished.setTime(of: "data", to: time)
            #expect(try unfinished.isKept())
            #expect(try unfinished.isKept())
            // Nor does it keep anything for ever.
            unfinished.setTime(of: ReceivedPart.expiryName, to: Glibc.time(nil) - 8 * Self.day)
            #expect(try !unfinished.isKept())
        }
    }

    @Test func whatIsOldIsRemovedAWeekAfterItWasFirstSeenToBe() async throws {
        try await TemporaryDirectory.with { directory in
            let unfinished = try Unfinished(in: directory)
            let now = Glibc.time(nil)
            unfinished.setTime(of: "data", to: now - 29 * Self.day)
            #expect(try unfinished.isKept())
            #expect(!FileManager.default.fileExists(atPath: unfinished.folder + "/" + ReceivedPart.expiryName))
            unfinished.setTime(of: "data", to: now - 31 * Self.day)
            #expect(try unfinished.isKept())
            unfinished.setTime(of: ReceivedPart.expiryName, to: now - 6 * Self.day)
            #expect(try unfinished.isKept())
            unfinished.setTime(of: ReceivedPart.expiryName, to: now - 8 * Self.day)
            #expect(try !unfinished.isKept())
        }
    }

    @Test func whatArrivesAgainIsYoungAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let unfinished = try Unfinished(in: directory)
            let now = Glibc.time(nil)
            unfinished.setTime(of: "data", to: now - 31 * Self.day)
            #expect(try unfinished.isKept())
            unfinished.setTime(of: ReceivedPart.expiryName, to: now - 8 * Self.day)
            unfinished.setTime(of: "data", to: now)
            #expect(try unfinished.isKept())
            // The mark of the first time does not count the next time.
            unfinished.setTime(of: "data", to: now - 31 * Self.day)
            #expect(try unfinished.isKept())
        }
    }

    @Test func aMarkThatIsAheadOfTheClockDoesNotCount() async throws {
        try await TemporaryDirectory.with { directory in
            let unfinished = try Unfinished(in: directory)
            let now = Glibc.time(nil)
            unfinished.setTime(of: "data", to: now - 31 * Self.day)
            #expect(try unfinished.isKept())
            unfinished.setTime(of: ReceivedPart.expiryName, to: now + 400 * Self.day)
            #expect(try unfinished.isKept())
            unfinished.setTime(of: ReceivedPart.expiryName, to: now - 8 * Self.day)
            #expect(try !unfinished.isKept())
        }
    }

    /// A file system that cannot make links, and what is done in it.
    private final class NoLinks: StoreFaultInjector {
        let number: CInt
        private let resized = Mutex<[String]>([])

        /// The files of unfinished arrivals that were given a size.
        var resizedArrivals: [String] { resized.withLock { $0 }.filter { $0.contains("/incoming/") } }

        init(_ number: CInt) {
            self.number = number
        }

        func reach(_ point: FaultPoint) {}

        func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int {
            if operation == .link { throw SystemError(number: number) }
            if operation == .resize { resized.withLock { $0.append(path) } }
            return count
        }

        func end(_ operation: FileOperation, _ path: String) {}
    }

    @Test(arguments: [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV])
    func withoutLinksAFileIsNotGivenItsSizeInVain(number: CInt) async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try ResumeTests.Offer(in: directory)
            let faults = NoLinks(number)
            let store = try RegionStore(path: directory.path("fat"), faults: faults)
            try Transfers.run(offer.source, to: store.sink())
            // There it would be written out in zeros.
            #expect(faults.resizedArrivals == [])
            #expect(try StoreState.files(in: store, "incoming").isEmpty)
            let region = try store.region(offer.source.manifest.id)
            #expect(region.mapDigest == offer.entry.digest)
            // What is sent and exported from there is held in another way.
            #expect(try store.source(for: region.id).manifest.entry(of: .mbtiles)?.digest == offer.entry.digest)
            try store.exportMap(of: region.id, to: directory.path("out.mbtiles"))
        }
    }
}
