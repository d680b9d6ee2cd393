import PeerCore
import Testing

@testable import Diagnosis

@Suite struct MulticastProbeTests {
    @Test func asksForTheServicesOfAType() throws {
        let question = MulticastProbe.question(for: try #require(PeerServiceType("notes")))
        let expected: [UInt8] =
            // id, flags, one question, no other records
            [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
            + [6] + Array("_notes".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]
            // type PTR, class IN
            + [0, 12, 0, 1]
        #expect(question == expected)
        #expect(!MulticastProbe.isAnswer(question))
        #expect(MulticastProbe.names(try #require(PeerServiceType("notes")), question))
        #expect(!MulticastProbe.names(try #require(PeerServiceType("note")), question))
        #expect(!MulticastProbe.names(try #require(PeerServiceType("notes")), []))
    }

    @Test(arguments: [
        ([], false), ([0, 0, 0x84], false), ([UInt8](repeating: 0xFF, count: 11), false),
        ([0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0], true), ([0, 0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0], false),
    ])
    func tellsAnswersFromQuestions(bytes: [UInt8], isAnswer: Bool) {
        #expect(MulticastProbe.isAnswer(bytes) == isAnswer)
    }
}
