import HostNetwork
import PeerCore
import Testing

@testable import Diagnosis

@Suite struct ViewPacketTests {
    private static let nonce: [UInt8] = [0, 1, 2, 3, 0xFC, 0xFD, 0xFE, 0xFF]

    private let application: PeerServiceType
    private let other: PeerServiceType
    private let four: IPAddress
    private let six: IPAddress

    init() throws {
        application = try #require(PeerServiceType("hikeshare", defaultPort: 64_453))
        other = try #require(PeerServiceType("notes"))
        four = try #require(IPAddress("10.77.0.1"))
        six = try #require(IPAddress("fe80::1"))
    }

    private var question: ViewQuestion { ViewQuestion(nonce: Self.nonce, addresses: [four, six], port: 64_453) }
    private var answer: ViewAnswer {
        let view = PeerView(arrivals: .halfOpen, back: .kept, hardwareAddress: [2, 0, 0, 0, 7, 9])
        return ViewAnswer(nonce: Self.nonce, addresses: [four], view: view)
    }

    /// As WireFormat.md describes it.
    @Test func aQuestionHasTheDocumentedForm() {
        let name = [15] + Array("_hikeshare-view".utf8) + [4] + Array("_udp".utf8) + [5] + Array("local".utf8) + [0]
        let strings = ["v=1", "a=0a4d0001", "n=00010203fcfdfeff", "p=64453"].flatMap {
            [UInt8($0.utf8.count)] + $0.utf8
        }
        let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
        let record: [UInt8] = [0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 1, 0, UInt8(strings.count)]
        let bytes = ViewQuestion(nonce: Self.nonce, addresses: [four], port: 64_453).bytes(for: application)
        #expect(bytes == header + name + [0, 16, 0, 1] + record + strings)
    }

    @Test func anAnswerHasTheDocumentedForm() {
        let name = [15] + Array("_hikeshare-view".utf8) + [4] + Array("_udp".utf8) + [5] + Array("local".utf8) + [0]
        let strings = [
            "v=1", "a=0a4d0001", "b=kept", "h=020000000709", "n=00010203fcfdfeff", "r=halfOpen",
        ].flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
        let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]
        let record: [UInt8] = [0, 16, 0, 1, 0, 0, 0, 1, 0, UInt8(strings.count)]
        #expect(answer.bytes(for: application) == header + name + record + strings)
    }

    @Test func whatIsWrittenIsRead() {
        #expect(ViewQuestion(parsing: question.bytes(for: application), for: application) == question)
        #expect(ViewAnswer(parsing: answer.bytes(for: application), for: application) == answer)
        var bare = answer
        bare.view = PeerView(arrivals: .none, back: nil)
        #expect(ViewAnswer(parsing: bare.bytes(for: application), for: application) == bare)
    }

    @Test func theLongestQuestionFits() {
        let most = ViewQuestion(addresses: Array(repeating: six, count: 9), port: 65_535)
        #expect(most.addresses.count == 6)
        #expect(most.bytes(for: application).count <= ViewPacket.maximumLength)
        #expect(ViewQuestion(parsing: most.bytes(for: application), for: application) == most)
    }

    @Test func eachReadsOnlyItsOwnKind() {
        #expect(ViewAnswer(parsing: question.bytes(for: application), for: application) == nil)
        #expect(ViewQuestion(parsing: answer.bytes(for: application), for: application) == nil)
        #expect(ViewQuestion(parsing: question.bytes(for: application), for: other) == nil)
        #expect(
            ViewQuestion(
                parsing: DNSMessage.question(.ptr, of: DNSName(services: application.description)),
                for: application
            ) == nil
        )
    }

    /// No byte that is changed, and no byte that is missing, makes a packet that means something it does not say.
    @Test func hostileBytesDoNoHarm() {
        for bytes in [question.bytes(for: application), answer.bytes(for: application)] {
            for count in bytes.indices {
                let part = Array(bytes[..<count])
                #expect(ViewQuestion(parsing: part, for: application) == nil)
                #expect(ViewAnswer(parsing: part, for: application) == nil)
            }
            for place in bytes.indices {
                for value in [0, 1, 0x2C, 0x3D, 0x7F, 0x80, 0xC0, 0xFF] as [UInt8] {
                    var changed = bytes
                    changed[place] = value
                    if let read = ViewQuestion(parsing: changed, for: application) {
                        #expect(read.addresses.count <= 6 && read.nonce.count == 8 && read.port > 0)
                    }
                    if let read = ViewAnswer(parsing: changed, for: application) {
                        #expect(read.addresses.count <= 6 && [0, 6].contains(read.view.hardwareAddress.count))
                    }
                }
            }
        }
        let long = question.bytes(for: application) + [UInt8](repeating: 0, count: ViewPacket.maximumLength)
        #expect(ViewQuestion(parsing: long, for: application) == nil)
    }

    @Test(arguments: [
        ["n": "00010203fcfdfeff", "a": "0a4d0001"], ["n": "00010203fcfdfeff", "a": "0a4d0001", "p": "0"],
        ["n": "00010203fcfdfeff", "a": "0a4d0001", "p": "65536"], ["n": "0001", "a": "0a4d0001", "p": "1"],
        ["n": "00010203fcfdfeff", "a": "", "p": "1"], ["n": "00010203fcfdfeff", "a": "0a4d00", "p": "1"],
        ["n": "00010203fcfdfexx", "a": "0a4d0001", "p": "1"], ["n": "00010203fcfdfeff", "a": "0a4d0001,", "p": "1"],
        ["n": "00010203fcfdfeff", "a": "01020304,01020304,01020304,01020304,01020304,01020304,01020304", "p": "1"],
    ])
    func incompleteQuestionsAreIgnored(values: [String: String]) {
        let bytes = ViewPacket(isAnswer: false, values: values).bytes(for: application)
        #expect(ViewPacket(parsing: bytes, for: application)?.values == values)
        #expect(ViewQuestion(parsing: bytes, for: application) == nil)
    }

    @Test func unknownValuesAreIgnored() {
        var values = ["n": "00010203fcfdfeff", "a": "0a4d0001", "r": "none", "b": "later", "z": "1"]
        let read = ViewAnswer(
            parsing: ViewPacket(isAnswer: true, values: values).bytes(for: application),
            for: application
        )
        #expect(read?.view == PeerView(arrivals: .none, back: nil))
        values["r"] = "some"
        let unknown = ViewPacket(isAnswer: true, values: values).bytes(for: application)
        #expect(ViewAnswer(parsing: unknown, for: application) == nil)
    }

    @Test func ofSeveralAnswersTheOneThatKnowsMoreCounts() {
        var views: [IPAddress: PeerView] = [:]
        for arrivals in [PeerView.Arrivals.none, .accepted, .halfOpen] {
            let view = PeerView(arrivals: arrivals, back: .reached)
            ViewInquiry.note(ViewAnswer(nonce: Self.nonce, addresses: [four, six], view: view), of: [four], in: &views)
        }
        #expect(views == [four: PeerView(arrivals: .accepted, back: .reached)])
    }
}
