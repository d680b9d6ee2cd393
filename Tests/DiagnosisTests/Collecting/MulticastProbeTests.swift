import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct MulticastProbeTests {
    private static let type = DNSName(services: "_notes._tcp")

    /// An answer that names Anna's service.
    private static func answer(from source: String, port: UInt16 = 5353) throws -> MulticastSocket.Packet {
        var bytes = DNSMessage.question(.txt, of: type.instance("Anna"), id: 7)
        // A record in place of the question.
        (bytes[2], bytes[5], bytes[7]) = (0x84, 0, 1)
        return MulticastSocket.Packet(
            source: try #require(IPAddress(source)),
            port: port,
            bytes: bytes + [0, 0, 0, 10, 0, 4, 3] + Array("v=1".utf8)
        )
    }

    @Test func hearsTheNamesOfServicesOfTheType() throws {
        let answer = try Self.answer(from: "192.168.1.9")
        #expect(MulticastProbe.services(of: Self.type, in: answer) == ["Anna"])
        #expect(MulticastProbe.services(of: Self.type, in: answer, to: 7) == ["Anna"])
        #expect(MulticastProbe.services(of: Self.type, in: answer, to: 8).isEmpty)
        #expect(MulticastProbe.services(of: DNSName(services: "_note._tcp"), in: answer).isEmpty)
        var question = answer
        question.bytes[2] = 0
        #expect(MulticastProbe.services(of: Self.type, in: question).isEmpty)
    }

    @Test(arguments: [
        ("192.168.1.9", 5353, true), ("fe80::9", 5353, true), ("192.168.1.9", 5354, false),
        ("192.168.1.7", 5353, false),
        ("192.168.2.9", 5353, false), ("2001:db8::9", 5353, false),
    ])
    func hearsAnswersOfOtherMachinesOfTheNetwork(source: String, port: UInt16, isHeard: Bool) throws {
        let laptop = try #require(Machine.laptop.interfaces.first)
        #expect(MulticastProbe.isFromAnother(try Self.answer(from: source, port: port), on: laptop) == isHeard)
    }

    @Test(arguments: [
        ([], false), ([0, 0, 0x84], false), ([UInt8](repeating: 0xFF, count: 11), false),
        ([0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0], true), ([0, 0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0], false),
    ])
    func tellsAnswersFromQuestions(bytes: [UInt8], isAnswer: Bool) {
        #expect(MulticastProbe.isAnswer(bytes) == isAnswer)
    }
}
