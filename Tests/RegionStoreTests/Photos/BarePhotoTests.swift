import Foundation
import PeerProtocol
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Copies of photos without the camera, the place and the time.
@Suite struct BarePhotoTests {
    private static let secrets = ["SECRETcamera", "2024:08:17", "SECRETtext", "SECRETxmp", "SECRETfilm", "SECRETplace"]

    private static func reader(_ bytes: [UInt8]) throws -> PhotoReader {
        PhotoReader(format: try #require(PhotoFormat(beginning: bytes)), size: bytes.count) { Array(bytes[$0]) }
    }

    /// The bytes of the copy; nil if there is none.
    private static func bare(_ bytes: [UInt8]) throws -> [UInt8]? {
        guard let copy = try reader(bytes).withoutDetails() else { return nil }
        var read: [UInt8] = []
        try copy.forEachPiece { read += $0 }
        #expect(read.count == copy.size)
        // Any part of it can be read.
        for start in stride(from: 0, to: read.count, by: 7) {
            #expect(
                try copy.read(start..<min(read.count, start + 31)) == Array(read[start..<min(read.count, start + 31)])
            )
        }
        return read
    }

    private static func expectNothing(of bytes: [UInt8], _ name: String) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in secrets { #expect(!text.contains(secret), "\(name): \(secret)") }
        #expect(try reader(bytes).details() == [], "\(name)")
        // A copy of the copy is the copy.
        #expect(try bare(bytes) == bytes, "\(name)")
    }

    // MARK: Files

    /// Exif data with a camera, a time, a place, and how the picture has to be turned.
    private static func exif(orientation: UInt8, isLittleEndian: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value + [UInt8](repeating: 0, count: 4 - value.count)
        }
        let texts = Array("SECRETcamera\0".utf8) + Array("2024:08:17 10:00:00\0".utf8)
        let start = 8 + 2 + 4 * 12 + 4
        var bytes = Array((isLittleEndian ? "II*\0" : "MM\0*").utf8) + number(8, 4) + number(4, 2)
        bytes += entry(0x010F, 2, 13, number(start, 4)) + entry(0x0112, 3, 1, number(Int(orientation), 2))
        bytes += entry(0x0132, 2, 20, number(start + 13, 4)) + entry(0x8825, 4, 1, number(start + texts.count, 4))
        bytes += number(0, 4) + texts
        return bytes + number(1, 2) + entry(0x0002, 5, 3, number(0, 4)) + number(0, 4) + Array("SECRETplace".utf8)
    }

    private static let xmp = Array(#"<x:xmpmeta exif:GPSLatitude="SECRETxmp" xmp:CreateDate="2024:08:17"/>"#.utf8)

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + [UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    private static let jpegHead = segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    private static let jpegPicture =
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 7]) + segment(0xEE, Array("Adobe".utf8) + [0, 100, 0])
        + segment(0xDB, [UInt8](repeating: 3, count: 65)) + segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
        + segment(0xDA, [1, 1, 0, 0, 0, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF]
        + segment(0xC4, [0, 1, 2]) + segment(0xDA, [1, 1, 0, 0, 0, 0]) + [UInt8](repeating: 0xAB, count: 300_000)
        + [0xFF, 0xD9]

    private static func jpeg(orientation: UInt8, isLittleEndian: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8] + jpegHead
        bytes += segment(0xE1, ExifData.beginning + exif(orientation: orientation, isLittleEndian: isLittleEndian))
        bytes += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)
        bytes += segment(0xED, Array("Photoshop 3.0\0SECRETtext".utf8)) + segment(0xFE, Array("SECRETtext".utf8))
        return bytes + jpegPicture + jpeg2 + Array("ftypmp42 SECRETfilm".utf8)
    }

    /// A second picture behind the end, as phones write it.
    private static let jpeg2: [UInt8] =
        [0xFF, 0xD8] + segment(0xE1, ExifData.beginning + exif(orientation: 1)) + [0xFF, 0xD9]

    @Test(arguments: [1, 3, 6, 8] as [UInt8], [false, true]) func jpeg(orientation: UInt8, isLittleEndian: Bool) throws
    {
        let bytes = Self.jpeg(orientation: orientation, isLittleEndian: isLittleEndian)
        #expect(try Self.reader(bytes).details() == [.camera, .place, .time])
        let bare = try #require(try Self.bare(bytes))
        try Self.expectNothing(of: bare, "JPEG")
        let turning = orientation == 1 ? [] : Self.segment(0xE1, ExifData.beginning + ExifData.turning(orientation))
        #expect(bare == [0xFF, 0xD8] + Self.jpegHead + turning + Self.jpegPicture)
        #expect(ExifData(ExifData.turning(orientation)).orientation == orientation)
    }

    private static func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(kind.utf8) + body
        return body.count.bigEndian4 + content + Int(ZIPForm.checksum(content)).bigEndian4
    }

    @Test(arguments: [1, 6] as [UInt8]) func png(orientation: UInt8) throws {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = Self.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]) + Self.chunk("gAMA", [0, 0, 0, 1])
        let picture = Self.chunk("IDAT", [1, 2, 3]) + Self.chunk("IEND", [])
        let texts =
            Self.chunk("eXIf", Self.exif(orientation: orientation)) + Self.chunk("tIME", [7, 232, 8, 17, 1, 2, 3])
            + Self.chunk("tEXt", Array("Author\0SECRETtext".utf8)) + Self.chunk("zTXt", Array("a\0\0SECRETtext".utf8))
            + Self.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.xmp) + Self.chunk("prVt", [1])
        let bytes = start + header + texts + picture + Array("SECRETfilm".utf8)
        #expect(try Self.reader(bytes).details() == [.camera, .place, .time])
        let bare = try #require(try Self.bare(bytes))
        try Self.expectNothing(of: bare, "PNG")
        let turning = orientation == 1 ? [] : Self.chunk("eXIf", ExifData.turning(orientation))
        #expect(bare == start + header + turning + picture)
    }

    private static func webP(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        var all: [UInt8] = []
        for (kind, body) in chunks {
            all += Array(kind.utf8) + Array(body.count.bigEndian4.reversed())
            all += body + (body.count.isMultiple(of: 2) ? [] : [0] as [UInt8])
        }
        return Array("RIFF".utf8) + Array((all.count + 4).bigEndian4.reversed()) + Array("WEBP".utf8) + all
    }

    @Test(arguments: [1, 6] as [UInt8]) func webP(orientation: UInt8) throws {
        func flags(_ value: UInt8) -> [UInt8] { [value, 0, 0, 0, 9, 0, 0, 9, 0, 0] }
        let bytes =
            Self.webP([
                ("VP8X", flags(0x2C)), ("ICCP", [1, 2, 3]), ("VP8 ", [4, 5, 6, 7, 8]),
                ("EXIF", Self.exif(orientation: orientation)), ("XMP ", Self.xmp), ("abcd", Array("SECRETtext".utf8)),
            ]) + Array("SECRETfilm".utf8)
        #expect(try Self.reader(bytes).details() == [.camera, .place, .time])
        let bare = try #require(try Self.bare(bytes))
        try Self.expectNothing(of: bare, "WebP")
        let isTurned = orientation != 1
        var kept: [(String, [UInt8])] = [("VP8X", flags(isTurned ? 0x28 : 0x20)), ("ICCP", [1, 2, 3])]
        kept.append(("VP8 ", [4, 5, 6, 7, 8]))
        if isTurned { kept.append(("EXIF", ExifData.turning(orientation))) }
        #expect(bare == Self.webP(kept))
    }

    /// A file of boxes whose Exif data are an item in `mdat`, or inside the description.
    private static func heif(isInside: Bool = false, film: String? = "mpvd") -> [UInt8] {
        func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
            (content.count + 8).bigEndian4 + Array(kind.utf8) + content
        }
        func item(_ id: UInt8, _ kind: String) -> [UInt8] {
            box("infe", [2, 0, 0, 0, 0, id, 0, 0] + Array(kind.utf8) + Array("name\0".utf8))
        }
        let details = [0, 0, 0, 6] + ExifData.beginning + exif(orientation: 6)
        let picture = [UInt8](repeating: 0xCD, count: 5000)
        func meta(at offset: Int) -> [UInt8] {
            func place(_ id: UInt8, method: UInt8, _ start: Int, _ count: Int) -> [UInt8] {
                [0, id, 0, method, 0, 0, 0, 1] + start.bigEndian4 + count.bigEndian4
            }
            let places =
                [1, 0, 0, 0, 0x44, 0, 0, 3] + place(1, method: 0, offset, picture.count)
                + place(2, method: isInside ? 1 : 0, isInside ? 0 : offset + picture.count, details.count)
                + place(3, method: 0, offset + picture.count + details.count, xmp.count)
            return box(
                "meta",
                [0, 0, 0, 0] + box("hdlr", [UInt8](repeating: 0, count: 25))
                    + box("iinf", [0, 0, 0, 0, 0, 3] + item(1, "hvc1") + item(2, "Exif") + item(3, "mime"))
                    + box("iloc", places) + (isInside ? box("idat", details) : [])
            )
        }
        let start = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        let offset = start.count + meta(at: 0).count + 8
        return start + meta(at: offset) + box("mdat", picture + details + xmp)
            + (film.map { box($0, Array("SECRETfilm".utf8)) } ?? [])
    }

    private static func hasPart(_ part: [UInt8], _ bytes: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(part)) != nil
    }

    /// Places of one item that name the same bytes again and again cost no more than the bytes.
    @Test func repeatedPlacesAreNotReadAgainAndAgain() throws {
        func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
            (content.count + 8).bigEndian4 + Array(kind.utf8) + content
        }
        let count = 20_000
        let (data, name) = ([UInt8](repeating: 0, count: 200_000), Array("Exif".utf8) + Array("name\0".utf8))
        func meta(at offset: Int) -> [UInt8] {
            let places = (0..<count).flatMap { _ in offset.bigEndian4 + data.count.bigEndian4 }
            let item: [UInt8] = [0, 2, 0, 0, 0, 0, UInt8(count >> 8), UInt8(count & 255)]
            return box(
                "meta",
                [0, 0, 0, 0] + box("iinf", [0, 0, 0, 0, 0, 1] + box("infe", [2, 0, 0, 0, 0, 2, 0, 0] + name))
                    + box("iloc", [1, 0, 0, 0, 0x44, 0, 0, 1] + item + places)
            )
        }
        let start = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        let bytes = start + meta(at: start.count + meta(at: 0).count + 8) + box("mdat", data)
        let format = try #require(PhotoFormat(beginning: bytes))
        let counted = Locked(0)
        let reader = PhotoReader(format: format, size: bytes.count) { range in
            counted.withLock { $0 += range.count }
            return Array(bytes[range])
        }
        _ = try reader.details()
        let readCount = counted.withLock { $0 }
        #expect(readCount > data.count && readCount < 10_000_000, "\(readCount)")
    }

    @Test(arguments: [false, true]) func heif(isInside: Bool) throws {
        let bytes = Self.heif(isInside: isInside)
        #expect(try Self.reader(bytes).details() == [.camera, .place, .time])
        let bare = try #require(try Self.bare(bytes))
        // Every byte of the picture is where it was, and what stands beside it says nothing, in the form that readers expect.
        #expect(bare.count == bytes.count)
        let start = try #require(bytes.firstIndex(of: 0xCD))
        #expect(bare[start..<start + 5000].allSatisfy { $0 == 0xCD })
        let isData = Self.hasPart(Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0], bare)
        #expect(isData && Self.hasPart([UInt8](repeating: 0x20, count: Self.xmp.count), bare))
        if !isInside { try Self.expectNothing(of: bare, "HEIF") }
        #expect(try Self.reader(bare).details() == [])
        // A film in the place of a picture is left out.
        #expect(try Self.bare(Self.heif(film: "moov")) == nil)
    }

    /// What cannot be taken apart has no copy, and no changed file does harm.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func damagedFilesAreLeftOutOrRead(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        #expect(try Self.bare([0xFF, 0xD8, 0xFF, 0xE1, 0, 1, 2, 3]) == nil)
        #expect(try Self.reader([0xFF, 0xD8, 0xFF, 0xE1, 0, 1, 2, 3]).details() == nil)
        #expect(try Self.bare(Array(Self.jpeg(orientation: 6).prefix(200))) == nil)
        #expect(try Self.bare(Array(Self.heif().prefix(3000))) == nil)
        var small = Self.jpeg(orientation: 6)
        small.removeSubrange(1200..<300_000)
        for original in [small, Self.heif(), Self.heif(isInside: true)] {
            for _ in 0..<200 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    bytes[Int.random(in: 12..<min(900, bytes.count), using: &generator)] = .random(
                        in: 0...255,
                        using: &generator
                    )
                }
                guard PhotoFormat(beginning: bytes) != nil else { continue }
                if let copy = try Self.reader(bytes).withoutDetails() { #expect(copy.size <= bytes.count + 100) }
                _ = try Self.reader(bytes).details()
            }
        }
    }

    // MARK: Offers

    /// A sender says what photos say, and can take it out of the copies; its own stay as they are.
    @Test func offersSayWhatPhotosSayOrTakeItOut() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let id = pair.region.id
            let waypoints = try pair.sender.waypoints(of: id).prefix(3)
            let plain: [UInt8] = [0xFF, 0xD8] + Self.jpegPicture
            let files = [Self.jpeg(orientation: 6), plain, [0xFF, 0xD8, 0xFF, 0xE1, 0, 1, 2, 3, 4, 5, 6, 7, 8]]
            for (number, (waypoint, bytes)) in zip(waypoints, files).enumerated() {
                let path = directory.path("\(number).jpg")
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                try pair.sender.importPhoto(at: path, for: waypoint.id, in: id)
            }
            let usual = try pair.sender.source(for: id)
            #expect(usual.personal.photos == 3 && usual.personal.detailedPhotos == 1)
            #expect(usual.personal.unexaminedPhotos == 1)
            #expect(usual.personal.photoDetails == [.camera, .place, .time])

            let bare = try pair.sender.source(for: id, routes: .all, includePhotoDetails: false)
            #expect(bare.personal.photos == 2 && bare.personal.detailedPhotos == 0 && bare.personal.withheldPhotos == 1)
            let again = try pair.sender.source(for: id, routes: .all, includePhotoDetails: false)
            #expect(bare.manifest.entry(of: .photos) == again.manifest.entry(of: .photos), "it cannot be resumed")
            try Transfers.run(bare, to: pair.receiver.sink())
            let received = try pair.receiver.photoData(of: id)
            #expect(received.count == 2 && received[waypoints[1].id].map { Array($0) } == plain)
            try Self.expectNothing(of: Array(try #require(received[waypoints[0].id])), "the received photo")
            #expect(try pair.sender.photoData(of: id)[waypoints[0].id].map { Array($0) } == files[0])
            // What comes back takes no place of the own photo.
            try Transfers.run(try pair.receiver.source(for: id), to: pair.sender.sink())
            #expect(try pair.sender.photoData(of: id)[waypoints[0].id].map { Array($0) } == files[0])
        }
    }
}
