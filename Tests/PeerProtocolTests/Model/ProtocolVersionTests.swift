import FoundationEssentials
import Testing

@testable import PeerProtocol

@Suite struct ProtocolVersionTests {
    @Test(arguments: [
        ([1], [1], 1), ([1, 2], [1], 1), ([1, 2, 3], [2, 3, 4], 3), ([3, 1], [1, 3], 3), ([1], [2], nil),
        ([1], [], nil),
        ([], [1], nil), ([1], [1, 1, Int.max, Int.min], 1),
    ])
    func highestCommonVersionWins(ours: [Int], theirs: [Int], expected: Int?) {
        let version = ProtocolVersion.highestCommon(ours.map(ProtocolVersion.init), theirs.map(ProtocolVersion.init))
        #expect(version?.number == expected)
    }

    @Test func isReadAndWrittenAsItsNumber() throws {
        let json = try JSONEncoder().encode([ProtocolVersion.version1])
        #expect(String(decoding: json, as: UTF8.self) == "[1]")
        #expect(try JSONDecoder().decode([ProtocolVersion].self, from: json) == [.version1])
    }
}
