import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

@Suite struct PhotoArchiveTests {
    private static let ids = [
        "00112233-4455-6677-8899-AABBCCDDEEFF", "7C9E6679-7425-40DE-944B-E07FC1F90AE7",
    ].compactMap(UUID.init(uuidString:))

    private func list(_ photos: [(UUID, Data)], in directory: TemporaryDirectory) throws -> (OpenFile, Data) {
        let folder = try Folder(directory.path)
        let file = try folder.createFile(UUID().uuidString)
        var writer = PhotoArchive.Writer(to: file)
        for (id, data) in photos { try writer.append(data, of: id, modifiedAt: Items.time) }
        #expect(try file.size() == writer.size)
        return (file, Data(try file.prefix(Int(writer.size))))
    }

    @Test func whatIsWrittenIsReadAgain() async throws {
        try await TemporaryDirectory.with { directory in
            // The last one fills its chunk to the last byte.
            let photos = [Photos.jpeg(1, size: 16), Photos.jpeg(2, size: 3 * 65_536 - 28)]
            let (file, bytes) = try list(Array(zip(Self.ids, photos)), in: directory)
            #expect(bytes.count == 4 * 65_536)
            let entries = try PhotoArchive.entries(of: file, size: UInt64(bytes.count), called: "It")
            #expect(entries.map(\.waypointID) == Self.ids)
            #expect(entries.allSatisfy { $0.modifiedAt == Items.time })
            #expect(try entries.map { try PhotoArchive.photo($0, of: file, called: "It") } == photos)
        }
    }

    /// The bytes that the page of item formats shows.
    @Test func theBytesAreThoseOfThePage() async throws {
        try await TemporaryDirectory.with { directory in
            let photo = Data([0xFF, 0xD8, 0xFF, 0xD9])
            let (_, bytes) = try list([(Self.ids[0], photo)], in: directory)
            let expected: [UInt8] =
                [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF]
                + [0x00, 0x00, 0x00, 0x00, 0x69, 0x84, 0xBE, 0x80] + [0x00, 0x00, 0x00, 0x04] + photo
            #expect(Array(bytes.prefix(expected.count)) == expected)
            #expect(bytes.dropFirst(expected.count).allSatisfy { $0 == 0 } && bytes.count == 65_536)
        }
    }

    enum Lie: CaseIterable {
        case cutInTheHeader, cutInThePhoto, cutInThePadding, emptyPhoto, hugePhoto, noPhoto, twice, wrongOrder
        case somethingBehind, timeOfYear10000
    }

    @Test(arguments: Lie.allCases)
    func aLieIsRefused(lie: Lie) async throws {
        try await TemporaryDirectory.with { directory in
            let ids =
                switch lie {
                case .twice: [Self.ids[0], Self.ids[0]]
                case .wrongOrder: Array(Self.ids.reversed())
                default: Self.ids
                }
            let photos = [Photos.jpeg(1, size: 100), Photos.jpeg(2, size: 20_000)]
            var (_, bytes) = try list(Array(zip(ids, photos)), in: directory)
            switch lie {
            case .cutInTheHeader: bytes = bytes.prefix(65_536 + 20)
            case .cutInThePhoto: bytes = bytes.prefix(65_536 + 10_000)
            case .cutInThePadding: bytes = bytes.dropLast(1)
            case .emptyPhoto: bytes.replaceSubrange(24..<28, with: [0, 0, 0, 0])
            case .hugePhoto: bytes.replaceSubrange(24..<28, with: [0xFF, 0xFF, 0xFF, 0xFF])
            case .noPhoto: bytes.replaceSubrange(28..<32, with: Array("#!/b".utf8))
            case .twice, .wrongOrder: break
            case .somethingBehind: bytes[65_535] = 1
            case .timeOfYear10000: bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
            }
            let path = directory.path("lie")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let file = try Folder(directory.path).openFile("lie", O_RDONLY)
            let error = #expect(throws: RegionStoreError.self) {
                try PhotoArchive.entries(of: file, size: UInt64(bytes.count), called: "What came")
            }
            #expect(error?.code == .invalidFile && error?.message.hasPrefix("What came") == true)
        }
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], PhotoFormat.jpeg),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
            (Array("\0\0\0\u{18}ftypheic\0\0".utf8), .heif),
            (Array("\0\0\0\u{18}ftypmp42\0\0".utf8), nil),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WAVE".utf8), nil),
            (Array("SQLite format 3\0".utf8), nil), ([0xFF, 0xD8], nil), ([], nil),
        ] as [([UInt8], PhotoFormat?)]
    )
    func aFormatIsToldByTheFirstBytes(bytes: [UInt8], format: PhotoFormat?) {
        #expect(PhotoFormat(beginning: bytes) == format)
    }
}
