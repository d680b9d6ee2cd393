import Foundation
import PeerStorage
import PeerTestSupport
import Testing

@testable import NearbyPeers

/// Parts that outlive the program.
@Suite struct KeptPartTests {
    @Test func aLaterProgramGoesOnWhateverTheNameAndThePlace() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let before = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.breakOff(into: before, after: 5)
            before.discard()
            #expect(bench.names == [])
            #expect(bench.keptNames == ["\(shipment.entry.digest.hex)-200000"])

            // The same bytes under another name, from another peer.
            let again = try Shipment(shipment.bytes, name: "Other.gpx")
            let after = again.storage(.folder(path: bench.outside.path), named: "Other.gpx", keptIn: bench.partials)
            #expect(try again.bring(into: after) == Array(5..<13))
            #expect(after.received == .file(path: bench.outside.appending(path: "Other.gpx").path))
            #expect(try after.received?.url.map { try Data(contentsOf: $0) } == Data(shipment.bytes))
            #expect(bench.keptNames == [])
        }
    }

    @Test func chunksWithWrongBytesAreMissingAgain() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let before = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.breakOff(into: before, after: 13)
            before.discard()
            let part = bench.partials.appending(path: try #require(bench.keptNames.first)).appending(path: "data")
            let file = try FileHandle(forUpdating: part)
            for offset in [16_384, 16_384 * 4 + 5, 199_999] {
                try file.seek(toOffset: UInt64(offset))
                let byte = shipment.bytes[offset] ^ 1
                try file.write(contentsOf: [byte])
            }
            try file.close()
            let after = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            #expect(try shipment.bring(into: after) == [1, 4, 12])
            #expect(try Data(contentsOf: bench.url("Tour.gpx")) == Data(shipment.bytes))
        }
    }

    @Test(arguments: [(0, 0..<13), (100_000, 6..<13), (300_000, 13..<13)] as [(UInt64, Range<Int>)])
    func ofAPartOfAnotherLengthOnlyWhatMatchesCounts(length: UInt64, missing: Range<Int>) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let before = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.breakOff(into: before, after: 13)
            before.discard()
            let part = bench.partials.appending(path: try #require(bench.keptNames.first)).appending(path: "data")
            let file = try FileHandle(forUpdating: part)
            try file.truncate(atOffset: length)
            try file.close()
            let after = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            #expect(try shipment.bring(into: after) == Array(missing))
            #expect(try Data(contentsOf: bench.url("Tour.gpx")) == Data(shipment.bytes))
        }
    }

    @Test func twoTransfersOfTheSameBytesDoNotShareAPart() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let first = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            let (transfer, _) = try shipment.begin(into: first, atMost: 5)
            let second = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            #expect(try shipment.bring(into: second) == Array(0..<13))
            #expect(bench.keptNames.count == 1)
            try shipment.write(Array(5..<13), to: transfer)
            try transfer.finish(shipment.entry)
            _ = try transfer.commit()
            #expect(bench.names == ["Tour (2).gpx", "Tour.gpx"])
            #expect(bench.keptNames == [])
            for name in bench.names { #expect(try Data(contentsOf: bench.url(name)) == Data(shipment.bytes)) }
        }
    }

    /// The received file has its place, and a crash has kept the part from being removed.
    @Test(arguments: [false, true]) func whatHasItsPlaceIsNeverWrittenToAgain(isEdited: Bool) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let first = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.bring(into: first)
            first.discard()
            #expect(bench.keptNames == [])
            let part = bench.partials.appending(path: "\(shipment.entry.digest.hex)-200000/data")
            try FileManager.default.createDirectory(
                at: part.deletingLastPathComponent(),
                withIntermediateDirectories: false
            )
            try FileManager.default.linkItem(at: bench.url("Tour.gpx"), to: part)
            if isEdited {
                let file = try FileHandle(forUpdating: bench.url("Tour.gpx"))
                try file.write(contentsOf: Data("edited".utf8))
                try file.truncate(atOffset: 150_000)
                try file.close()
            }
            let edited = try Data(contentsOf: bench.url("Tour.gpx"))
            let after = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            #expect(try shipment.bring(into: after) == Array(0..<13))
            #expect(bench.names == ["Tour (2).gpx", "Tour.gpx"] && bench.keptNames == [])
            #expect(try Data(contentsOf: bench.url("Tour.gpx")) == edited)
            #expect(try Data(contentsOf: bench.url("Tour (2).gpx")) == Data(shipment.bytes))
            // They are two files.
            let numbers = ["Tour.gpx", "Tour (2).gpx"].map { FileStatus(path: bench.url($0).path)?.number }
            #expect(numbers[0] != numbers[1])
        }
    }

    @Test func aPartOfWhichNothingHasComeIsRemoved() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let storage = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.breakOff(into: storage, after: 0)
            storage.discard()
            #expect(bench.keptNames == [])
        }
    }

    /// The part is marked as old by one transfer, and removed by another one at least a week later.
    @Test func aPartThatNobodyContinuesExpires() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let before = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.breakOff(into: before, after: 5)
            before.discard()
            let part = bench.partials.appending(path: try #require(bench.keptNames.first))
            func receiveAnother(_ seed: UInt64) throws {
                let other = try Shipment(size: 20_000, seed: seed)
                try other.bring(into: other.storage(.folder(path: bench.folder.path), keptIn: bench.partials))
            }
            func setAge(of name: String, days: Double) throws {
                let date = Date(timeIntervalSinceNow: -86_400 * days)
                let path = part.appending(path: name).path
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
            try setAge(of: "data", days: 29)
            try receiveAnother(2)
            #expect(!FileManager.default.fileExists(atPath: part.path + "/expiry"))
            try setAge(of: "data", days: 31)
            try receiveAnother(3)
            try setAge(of: "expiry", days: 6)
            try receiveAnother(4)
            #expect(bench.keptNames == [part.lastPathComponent])
            try setAge(of: "expiry", days: 8)
            // What the application has in the folder is not a part.
            let own = bench.partials.appending(path: "own")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
            try Data("mine".utf8).write(to: own.appending(path: "data"))
            try receiveAnother(5)
            #expect(bench.keptNames == ["own"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: own.path) == ["data"])
        }
    }

    @Test func anOldPartThatIsContinuedDoesNotExpire() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let before = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            try shipment.breakOff(into: before, after: 5)
            before.discard()
            let part = bench.partials.appending(path: try #require(bench.keptNames.first)).path
            try Data().write(to: URL(filePath: part + "/expiry"))
            for name in ["data", "expiry"] {
                let date = Date(timeIntervalSinceNow: -86_400 * 100)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: part + "/" + name)
            }
            let after = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials)
            #expect(try shipment.bring(into: after) == Array(5..<13))
        }
    }

    @Test func theOldestPartsMakeRoom() async throws {
        try await Bench.with { bench in
            func breakOff(_ seed: UInt64, size: Int = 200_000) throws -> String {
                let shipment = try Shipment(size: size, seed: seed)
                let storage = shipment.storage(
                    .folder(path: bench.folder.path),
                    keptIn: bench.partials,
                    atMost: 500_000
                )
                try shipment.breakOff(into: storage, after: 8)
                storage.discard()
                return "\(shipment.entry.digest.hex)-\(size)"
            }
            let names = try (1...3).map { number in
                let name = try breakOff(UInt64(number))
                // The first is the oldest.
                let date = Date(timeIntervalSinceNow: -100_000 + Double(number) * 1000)
                let path = bench.partials.path + "/\(name)/data"
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
                return name
            }
            #expect(bench.keptNames == names.sorted())
            let latest = try breakOff(4)
            #expect(bench.keptNames == (names.dropFirst() + [latest]).sorted())
            // A file beyond the limit is received, but nothing is kept of it.
            _ = try breakOff(5, size: 500_001)
            #expect(bench.keptNames == (names.dropFirst() + [latest]).sorted() && bench.names == [])
        }
    }

    /// The folder of the parts is on another disk, or the file system has no links.
    @Test(arguments: [[FileOperation.link: EXDEV, .rename: EXDEV], [.link: EPERM]])
    func whatCannotBeLinkedIsCopiedOrRenamed(errors: [FileOperation: CInt]) async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 200_000)
            let faults = SomeFail()
            // The link and the rename of the part fail; what is done with the copy succeeds.
            let isOfPart = Locked(true)
            faults.fail { _, operation, _ in
                if operation == .copy { isOfPart.withLock { $0 = false } }
                return isOfPart.value ? errors[operation] : nil
            }
            let storage = shipment.storage(.folder(path: bench.folder.path), keptIn: bench.partials, faults)
            try shipment.bring(into: storage)
            #expect(bench.names == ["Tour.gpx"] && bench.keptNames == [])
            #expect(try Data(contentsOf: bench.url("Tour.gpx")) == Data(shipment.bytes))
            #expect(faults.seen.contains("copy") == (errors[.rename] != nil))
        }
    }
}
