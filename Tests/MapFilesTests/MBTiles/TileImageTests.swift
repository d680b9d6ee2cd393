import Foundation
import Testing

@testable import MapFiles

/// The size of a tile's image, in every format.
@Suite struct TileImageTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let jpeg: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0,
        // A table, fill bytes, and the frame header: 512 wide, 256 high.
        0xFF, 0xC4, 0, 4, 1, 2, 0xFF, 0xFF, 0xFF, 0xC2, 0, 17, 8, 1, 0, 2, 0, 3,
    ]

    private static func webP(_ kind: String, _ bytes: [Int: UInt8]) -> [UInt8] {
        var image = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) + Array(kind.utf8)
        image += [UInt8](repeating: 0, count: 30 - image.count)
        for (position, byte) in bytes { image[position] = byte }
        return image
    }

    @Test(
        arguments: [
            (png + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0, 0, 0, 1, 0], 512),
            (jpeg, 512), (Array(jpeg.prefix(33)), nil), (Array(jpeg.prefix(20)), nil),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0], nil), ([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0, 0], nil),
            (webP("VP8 ", [26: 0, 27: 0x42]), 512), (webP("VP8L", [20: 0x2F, 21: 0xFF, 22: 0xC1]), 512),
            (webP("VP8X", [24: 0xFF, 25: 1, 26: 0]), 512), (webP("VP8X", [24: 0xFF, 25: 0xFF, 26: 0xFF]), 1 << 24),
            (webP("ALPH", [:]), nil), (Array(webP("VP8X", [:]).prefix(29)), nil), ([], nil), ([0x1F, 0x8B, 8], nil),
        ] as [([UInt8], Int?)]
    )
    func isReadFromTheBeginning(image: [UInt8], width: Int?) {
        #expect(TileImage.width(ofImageBeginningWith: image) == width)
    }

    @Test func theHeightIsReadToo() {
        let png = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] as [UInt8]
        let images = [
            png + [0, 0, 2, 0, 0, 0, 1, 4], [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 1, 4, 2, 0, 3],
            Self.webP("VP8 ", [26: 0, 27: 0x42, 28: 4, 29: 1]), Self.webP("VP8X", [24: 0xFF, 25: 1, 27: 3, 28: 1]),
            Self.webP("VP8L", [20: 0x2F, 21: 0xFF, 22: 0xC1, 23: 0x40]),
        ]
        for image in images {
            let size = TileImage.size(ofImageBeginningWith: image)
            #expect(size?.width == 512 && size?.height == 260, "\(image)")
        }
    }

    /// No end of the bytes, and no value in them, is read beyond.
    @Test func everyPieceOfAnImageIsRead() {
        for image in [Self.jpeg, Self.webP("VP8 ", [:]), Self.webP("VP8L", [:]), Self.webP("VP8X", [:])] {
            for count in 0...image.count {
                var piece = Array(image.prefix(count))
                _ = TileImage.width(ofImageBeginningWith: piece)
                for index in piece.indices {
                    let byte = piece[index]
                    for value in [0, 1, 0x7F, 0xC0, 0xFF] as [UInt8] {
                        piece[index] = value
                        _ = TileImage.width(ofImageBeginningWith: piece)
                    }
                    piece[index] = byte
                }
            }
        }
    }

    @Test(
        arguments: [(0x01, true), (0x5E, true), (0x9C, true), (0xDA, true), (0x00, false), (0xBB, false)]
            as [(UInt8, Bool)]
    )
    func compressedTilesOfAllLevelsAreVectorTiles(second: UInt8, isKnown: Bool) {
        #expect((TileFormat(tileBeginningWith: [0x78, second, 0, 0]) == .pbf) == isKnown)
    }
}
