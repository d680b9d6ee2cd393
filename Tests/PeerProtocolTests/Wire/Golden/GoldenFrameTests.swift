import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct GoldenFrameTests {
    @Test(arguments: GoldenFrame.all)
    func isWrittenAsThePageShows(golden: GoldenFrame) throws {
        var buffer = ByteBuffer()
        let frame = try golden.frame()
        try FrameEncoder(preface: .hikeshare).write(frame, into: &buffer)
        #expect(Array(buffer.readableBytesView) == (try Hexdump.parse(golden.hexdump)))
        #expect(frame.type == golden.type)
    }

    @Test(arguments: GoldenFrame.all)
    func isReadAsThePageShows(golden: GoldenFrame) throws {
        #expect(try FrameDecoder.outputs(afterPreface: Hexdump.parse(golden.hexdump)) == [.frame(try golden.frame())])
    }

    @Test func dataFrameIsWrittenAsThePageShows() throws {
        var buffer = ByteBuffer()
        FrameEncoder(preface: .hikeshare).writeDataHeader(GoldenFrame.dataHeader, into: &buffer)
        buffer.writeBytes(GoldenFrame.data)
        #expect(Array(buffer.readableBytesView) == (try Hexdump.parse(GoldenFrame.dataHexdump)))
    }

    @Test func dataFrameIsReadAsThePageShows() throws {
        let outputs = try FrameDecoder.outputs(afterPreface: Hexdump.parse(GoldenFrame.dataHexdump))
        #expect(outputs == [.dataHeader(GoldenFrame.dataHeader), .data(ByteBuffer(bytes: GoldenFrame.data))])
    }

    @Test func prefaceIsWrittenAsThePageShows() throws {
        var buffer = ByteBuffer()
        FrameEncoder(preface: .hikeshare).writePreface(into: &buffer)
        #expect(Array(buffer.readableBytesView) == (try Hexdump.parse("48 49 4b 45 53 48 41 0a  # HIKESHA\\n")))
    }

    @Test func thereIsOneOfEveryType() {
        #expect(Set(GoldenFrame.all.map(\.type)).union([.data]) == Set(FrameType.allCases))
    }

    @Test func thePageShowsExactlyTheseBytes() throws {
        let pages = try ["WireFormat", "Lanes", "Sessions"].map { name in
            try String(contentsOfFile: Self.folderOfPages + name + ".md", encoding: .utf8)
        }
        for hexdump in GoldenFrame.all.map(\.hexdump) + [GoldenFrame.dataHexdump] {
            #expect(pages.filter { $0.contains("```\n" + hexdump + "\n```") }.count == 1)
        }
    }

    private static var folderOfPages: String {
        let project = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        return "/" + project + "/Sources/PeerProtocol/PeerProtocol.docc/"
    }
}
