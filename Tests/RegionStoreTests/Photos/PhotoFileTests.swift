import Foundation
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import RegionStore

/// What is read of photos without decoding them: where they were taken, and whether they have an end.
@Suite struct PhotoFileTests {
    private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
        return length + Array(kind.utf8) + data + [0, 0, 0, 0]
    }

    private static func webP(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        func number(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        var body: [UInt8] = []
        for (kind, data) in chunks {
            body += Array(kind.utf8) + number(data.count) + data
            if data.count % 2 == 1 { body.append(0) }
        }
        return Array("RIFF".utf8) + number(body.count + 4) + Array("WEBP".utf8) + body
    }

    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let exif = Array(EXIFPhoto.bytes(at: (42, 30), (1, 15)).dropFirst(14))
    private static let png =
        mark + chunk("IHDR", Array(repeating: 1, count: 13)) + chunk("eXIf", exif) + chunk("IEND", [])
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0xFF, 0xD9, 0xFF, 0xFF, 0xDA, 0, 3, 9] + Array(repeating: 7, count: 300) + [
            0xFF, 0, 0xFF, 0xD9,
        ]
    private static let heif: [UInt8] =
        [0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0] + [0, 0, 0, 1] + Array("mdat".utf8) + [
            0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4,
        ]

    @Test(arguments: [png, webP([("VP8L", [1]), ("EXIF", exif)]), webP([("EXIF", Array("Exif\0\0".utf8) + exif)])])
    func theirPositionsAreRead(bytes: [UInt8]) {
        #expect(EXIFPosition.find(in: bytes) == Coordinate(latitude: 42.5, longitude: 1.25))
    }

    @Test(arguments: [png, jpeg, webP([("VP8L", Array(repeating: 1, count: 50))]), heif])
    func oneThatIsCutIsNoticed(whole: [UInt8]) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let path = directory.path("photo")
            func isCut(_ bytes: [UInt8]) throws -> Bool {
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                return PhotoEnd.isMissing(at: path)
            }
            let isWholeCut = try [whole, whole + [1, 2, 3, 4, 5, 6, 7, 8, 9]].map(isCut)
            #expect(isWholeCut == [false, false])
            // A box of HEIF may be the last one anywhere.
            let least = whole == Self.heif ? 17 : 12
            let cuts = try (least..<whole.count).filter { try !isCut(Array(whole[..<$0])) }
            #expect(cuts.isEmpty, "not noticed: \(cuts)")
        }
    }

    /// A photo that is damaged otherwise is not taken for a part of one.
    @Test(
        arguments: [[0xFF, 0xD8, 0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0x00, 1], heif.prefix(16) + [0, 0, 0, 2, 0, 0]]
            as [[UInt8]]
    )
    func otherDamageIsNotACut(bytes: [UInt8]) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let path = directory.path("photo")
            try Data(bytes + Array(repeating: 0, count: 20)).write(to: URL(fileURLWithPath: path))
            #expect(!PhotoEnd.isMissing(at: path))
        }
    }
}
