// Where the compiler finds `timespec` depends on the order of a target's files.
import CoreFoundation
import Foundation
import Glibc
import PeerCore
import PeerTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// Times of files that no clock has shown.
@Suite struct FileTimeTests {
    @Test(arguments: [Int.min, -62_135_596_800, -1, Int.max])
    func anUnfinishedFileMayHaveAnyTime(seconds: Int) async throws {
        // In memory, where the file system keeps every time as it is.
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let (sender, region) = try RegionStoreTests.store(in: directory)
            let source = try sender.source(for: region.id)
            let receiver = try RegionStore(path: directory.path("receiver"))
            var sink = receiver.sink()
            sink.checkLimits = { _ in CheckLimits(seconds: -1, memory: 64 << 20) }
            #expect(throws: RegionStoreError.self) { try Transfers.run(source, to: sink) }
            let name = try #require(try StoreState.files(in: receiver, "incoming").first { $0.hasSuffix("/data") })
            let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
            try #require(utimensat(AT_FDCWD, receiver.path + "/" + name, times, 0) == 0)

            #expect(try receiver.incomingFiles().count == 1)
            // Opening it again looks which files are too old to be kept.
            _ = try RegionStore(path: receiver.path).incomingFiles()
        }
    }
}
