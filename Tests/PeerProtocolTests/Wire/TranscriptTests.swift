import FoundationEssentials
import Testing

@Suite struct TranscriptTests {
    @Test func thePageShowsExactlyThisTransfer() throws {
        let transcript = try Transcript()
        let page = try String(contentsOfFile: Self.pathOfPage, encoding: .utf8)
        let blocks = page.components(separatedBy: "```\n")
        let shown = stride(from: 1, to: blocks.count, by: 2).map { blocks[$0] }.joined(separator: "\n") + "\n"
        #expect(shown == transcript.text, "The page must show:\n\(transcript.text)")
    }

    private static var pathOfPage: String {
        let project = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return "/" + project + "/Sources/PeerProtocol/PeerProtocol.docc/Transcript.md"
    }
}
