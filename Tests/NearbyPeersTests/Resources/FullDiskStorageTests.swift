import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import NearbyPeers

/// Real disks that are full: small ones in memory.
///
/// Needs root, as the other tests with namespaces do.
@Suite(.timeLimit(.minutes(10))) struct FullDiskStorageTests {
    @Test func aResourceWithoutRoomIsRefusedBeforeItComes() async throws {
        try await onSmallDisk { disk in
            let shipment = try Shipment(size: 3_000_000)
            let storage = shipment.storage(.folder(path: disk))
            let error = try #require(throws: PeerError.self) { try storage.examine(shipment.source.manifest) }
            #expect(error.code == .localStorage && error.message.contains("not enough space"))
            #expect(throws: error) { try storage.begin(shipment.source.manifest, accepting: [.file]) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == [])
        }
    }

    @Test(arguments: [false, true]) func aDiskThatFillsUpMeanwhileEndsOnlyTheTransfer(isKept: Bool) async throws {
        try await onSmallDisk { disk in
            let shipment = try Shipment(size: 1_000_000)
            let partials = isKept ? URL(filePath: disk + "/partials") : nil
            let storage = shipment.storage(.folder(path: disk), keptIn: partials)
            let (transfer, missing) = try shipment.begin(into: storage, atMost: 10)
            let filler = try OpenFile(disk + "/.filler", O_RDWR | O_CREAT)
            #expect(throws: SystemError(number: ENOSPC)) { try filler.write([UInt8](repeating: 1, count: 3_000_000)) }
            var written = 10
            let error = try #require(throws: PeerError.self) {
                for position in missing.dropFirst(10) {
                    try shipment.write([position], to: transfer)
                    written += 1
                }
            }
            #expect(error.code == .localStorage && error.message.contains("the disk is full"))
            #expect(error.remedy == "Free some space and try again.")
            transfer.abandon()
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk).filter { $0.hasSuffix(".gpx") } == [])
            unlink(disk + "/.filler")
            try filler.resize(to: 0)
            let again = try shipment.bring(into: storage)
            #expect(again == Array(missing.dropFirst(written)))
            #expect(try Data(contentsOf: URL(filePath: disk + "/Tour.gpx")) == Data(shipment.bytes))
        }
    }

    @Test func aPartOnAnotherDiskIsCopied() async throws {
        try await onSmallDisk { disk in
            try TemporaryFolder.with { folder in
                let shipment = try Shipment(size: 1_000_000)
                let partials = URL(filePath: folder + "/partials")
                let storage = shipment.storage(.folder(path: disk), keptIn: partials)
                try shipment.breakOff(into: storage, after: 10)
                storage.discard()
                let after = shipment.storage(.folder(path: disk), keptIn: partials)
                #expect(try shipment.bring(into: after).first == 10)
                #expect(try Data(contentsOf: URL(filePath: disk + "/Tour.gpx")) == Data(shipment.bytes))
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["Tour.gpx"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: partials.path) == ["lock"])
                // The complete file must have room there.
                let large = try Shipment(size: 3_000_000)
                let refused = large.storage(.folder(path: disk), keptIn: partials)
                #expect(throws: PeerError.self) { try refused.examine(large.source.manifest) }
            }
        }
    }

    /// Calls `body` on a thread in a mount namespace of its own, which has a disk of 2 MB.
    private func onSmallDisk(_ body: @escaping @Sendable (_ disk: String) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            let isReady =
                                unshareMounts() == 0
                                && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
                                && mount("tmpfs", directory.path, "tmpfs", 0, "size=2m") == 0
                            try #require(isReady, "no disk: \(String(cString: strerror(errno)))")
                            try body(directory.path)
                        }
                    )
                }
            }
        }
    }
}

/// Gives the calling thread mounts of its own.
///
/// The importer leaves out Linux's `unshare` and `CLONE_NEWNS`.
private func unshareMounts() -> CInt {
    guard let symbol = dlsym(nil, "unshare") else { return -1 }
    let unshare = unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
    return unshare(0x2_0000)
}

/// A temporary folder for code that does not wait.
private enum TemporaryFolder {
    static func with(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/hikeshare-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}
