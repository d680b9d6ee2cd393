import Foundation
import PeerTestSupport
import Testing

/// What `import` takes of memory, whatever a GPX file holds.
@Suite(.takingTurns) struct ImportMemoryTests {
    struct Content: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The part of the file that once took far more than 256 MB.
        ///
        /// It may take this part of 256 MB, which a build for debugging measures in seconds.
        var part: Int
        /// What is written once before and after the items.
        var start = ""
        var end = ""
        var count: Int
        /// The text of an item, in which `#` stands for its number.
        var item: String
    }

    /// The most that an import may take, in KiB.
    private static let maximum = 256_000

    private static let attributes = (0..<88).map { "a\($0)='0123456789abcde\($0)'" }.joined(separator: " ")

    static let contents = [
        Content(
            testDescription: "attributes of our extension",
            part: 16,
            count: 92_000 / 16,
            item: """
                <wpt lat='42.58' lon='1.45'><name>#</name><extensions><hikeshare:waypoint \
                id='00000000-0000-4000-8000-000000000000' \(attributes)/></extensions></wpt>
                """
        ),
        Content(
            testDescription: "names of route points",
            part: 4,
            start: "<rte>",
            end: "</rte>",
            count: 1_000_000 / 4,
            item: "<rtept lat='42.58' lon='1.45'><name>abcdefghijklmnop#</name></rtept>"
        ),
        Content(
            testDescription: "names of track points",
            part: 4,
            start: "<trk><trkseg>",
            end: "</trkseg></trk>",
            count: 1_000_000 / 4,
            item: "<trkpt lat='42.58' lon='1.45'><name>abcdefghijklmnop#</name></trkpt>"
        ),
        Content(
            testDescription: "links",
            part: 4,
            count: 100_000 / 4,
            item: "<wpt lat='42.58' lon='1.45'>\(String(repeating: "<link href='a'/>", count: 20))</wpt>"
        ),
        Content(
            testDescription: "tracks with values of sensors",
            part: 4,
            count: 99_000 / 4,
            item: """
                <trk><name>#</name><trkseg><trkpt lat='42.58' lon='1.45'><time>2025-06-20T08:00:00Z</time><hdop>1</hdop><extensions>\
                <e:hr>120</e:hr><e:cad>60</e:cad><e:atemp>9</e:atemp><e:speed>1</e:speed></extensions></trkpt></trkseg></trk>
                """
        ),
        Content(
            testDescription: "a text without end",
            part: 16,
            start: "<wpt lat='42.58' lon='1.45'><desc>",
            end: "</desc></wpt>",
            count: 1_000_000,
            item: "0123456789abcdef"
        ),
    ]

    @Test(arguments: contents)
    func anImportStaysSmallWhateverAFileHolds(content: Content) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            func measure(_ content: Content) async throws -> Int {
                let path = directory.path("file.gpx")
                try Self.write(content, to: path)
                let (ending, memory) = try await laptop.measuringMemory(["import", path, "--region", Example.name])
                #expect(ending.code == 0, "\(ending)")
                return memory
            }
            var small = content
            small.count = 1
            let least = try await measure(small)
            let memory = try await measure(content)
            #expect(memory - least < (Self.maximum - least) / content.part, "\(least) and \(memory) KiB")
        }
    }

    private static func write(_ content: Content, to path: String) throws {
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let parts = content.item.split(separator: "#", omittingEmptySubsequences: false).map { Array($0.utf8) }
        var bytes = Array("<gpx xmlns:hikeshare='urn:hikeshare:gpx:1'>\(content.start)".utf8)
        for index in 0..<content.count {
            bytes += parts[0]
            for part in parts.dropFirst() {
                bytes += String(index).utf8
                bytes += part
            }
            if bytes.count > 1 << 20 {
                try file.write(contentsOf: bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: bytes + Array("\(content.end)</gpx>".utf8))
        try file.close()
    }
}
