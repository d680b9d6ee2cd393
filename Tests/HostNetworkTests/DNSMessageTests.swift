import PeerTestSupport
import Testing

@testable import HostNetwork

@Suite struct DNSMessageTests {
    private static let type = DNSName(services: "_notes._tcp")
    private static let header: [UInt8] = [0x12, 0x34, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    /// An answer of Avahi 0.8 to a one-shot question.
    private static let answer = try? Hexdump.parse(
        """
        12 34 84 00 00 01 00 05 00 00 00 00                     # id, answer, 1 question, 5 answers
        06 5f 6e 6f 74 65 73 04 5f 74 63 70 05 6c 6f 63 61 6c 00 00 0c 00 01    # _notes._tcp.local PTR
        c0 0c 00 0c 00 01 00 00 00 0a 00 07 04 41 6e 6e 61 c0 0c                # PTR Anna
        c0 2f 00 10 00 01 00 00 00 0a 00 08 03 76 3d 31 03 61 3d 62             # TXT v=1 a=b
        c0 2f 00 21 00 01 00 00 00 0a 00 0d 00 00 00 00 fb c5 04 68 64 69 61 c0 18  # SRV 64453 hdia.local
        c0 5c 00 1c 00 01 00 00 00 0a 00 10 fe 80 00 00 00 00 00 00 0c c2 1b ff fe bb fb b7  # AAAA
        c0 5c 00 01 00 01 00 00 00 0a 00 04 0a 4d 00 01                         # A 10.77.0.1
        """
    )

    private static func message(_ records: [[UInt8]]) -> [UInt8] {
        var bytes = header
        bytes[7] = UInt8(records.count)
        return records.reduce(bytes, +)
    }

    /// A record whose name is in the bytes at the start.
    private static func record(_ name: [UInt8], _ type: UInt8, _ data: [UInt8], lifetime: UInt8 = 10) -> [UInt8] {
        name + [0, type, 0, 1, 0, 0, 0, lifetime, 0, UInt8(data.count)] + data
    }

    private func services(in bytes: [UInt8]) throws -> [AnsweredService] {
        AnsweredService.services(of: Self.type, in: try #require(DNSMessage(reading: bytes)))
    }

    @Test func readsWhatADaemonAnswers() throws {
        let answer = try #require(Self.answer)
        let message = try #require(DNSMessage(reading: answer))
        #expect(message.id == 0x1234)
        #expect(message.isAnswer)
        #expect(message.records.count == 5)
        let addresses = try ["fe80::cc2:1bff:febb:fbb7", "10.77.0.1"].map { try #require(IPAddress($0)) }
        let service = AnsweredService(
            name: "Anna",
            port: 64_453,
            text: ["v=1", "a=b"].map { Array($0.utf8) },
            addresses: addresses
        )
        #expect(AnsweredService.services(of: Self.type, in: message) == [service])
        #expect(AnsweredService.services(of: DNSName(services: "_NOTES._tcp"), in: message) == [service])
        #expect(AnsweredService.services(of: DNSName(services: "_note._tcp"), in: message).isEmpty)
    }

    @Test func whatOneAnswerLeavesOutAnotherOneSays() throws {
        let name: [UInt8] =
            [4] + Array("Anna".utf8) + [6] + Array("_notes".utf8) + [4] + Array("_tcp".utf8)
            + [5] + Array("local".utf8) + [0]
        let located = Self.message([Self.record(name, 33, [0, 0, 0, 0, 1, 2, 1, 97, 0])])
        let described = Self.message([Self.record(name, 16, [1, 120])])
        var service = try #require(try services(in: located).first)
        #expect(service == AnsweredService(name: "Anna", port: 258))
        let other = try services(in: described)
        #expect(other == [AnsweredService(name: "Anna", text: [[120]])])
        service.add(try #require(other.first))
        #expect(service == AnsweredService(name: "Anna", port: 258, text: [[120]]))
        // A farewell is no news of a service.
        let farewell = Self.message([Self.record(name, 16, [1, 120], lifetime: 0)])
        #expect(try #require(DNSMessage(reading: farewell)).records.isEmpty)
    }

    @Test func writesQuestions() throws {
        let question = DNSMessage.question(.ptr, of: Self.type, id: 0x1234)
        let expected: [UInt8] =
            // id, flags, one question, no other records
            [0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
            + [6] + Array("_notes".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]
            // type PTR, class IN
            + [0, 12, 0, 1]
        #expect(question == expected)
        #expect(DNSMessage(reading: question)?.isAnswer == false)
        let named = DNSMessage.question(.txt, of: Self.type.instance("Ännchen. 2"))
        #expect(named.dropFirst(12).starts(with: [11] + Array("Ännchen. 2".utf8) + [6]))
    }

    static let invalid: [[UInt8]] = [
        [], [0, 0, 0x84], [UInt8](repeating: 0xFF, count: 12),
        // a name that does not end, one that leads to itself, one that leads ahead, and one without an end in a circle of two
        message([[4, 65]]), message([record([0xC0, 12], 1, [1, 2, 3, 4])]),
        message([record([0xC0, 14, 0], 1, [1, 2, 3, 4])]),
        message([record([1, 97, 0xC0, 16, 0xC0, 12], 1, [1, 2, 3, 4])]),
        // a label of a kind that does not exist, and a name of more than 255 bytes
        message([record([0x41, 0], 1, [1, 2, 3, 4])]),
        message([record((0..<5).flatMap { _ in [63] + [UInt8](repeating: 97, count: 63) } + [0], 1, [1, 2, 3, 4])]),
        // a record that is longer than the packet, and one that does not fit into its length
        message([[0, 0, 16, 0, 1, 0, 0, 0, 10, 0xFF, 0xFF, 1]]), message([record([0], 1, [1, 2, 3])]),
        message([record([0], 28, [1, 2, 3, 4])]), message([record([0], 16, [9, 65])]),
        message([record([0], 12, [1, 97])]),
        message([record([0], 12, [1, 97, 0, 0])]), message([record([0], 33, [0, 0, 0, 0, 1])]),
    ]

    @Test(arguments: invalid) func refusesWhatIsNotValid(bytes: [UInt8]) {
        #expect(DNSMessage(reading: bytes) == nil)
    }

    @Test func manyRecordsAreNotAllKept() throws {
        var bytes = Self.header
        bytes.replaceSubrange(6..<8, with: [0x07, 0xFF])
        while bytes.count < DNSMessage.maximumLength - 15 { bytes += Self.record([0], 1, [10, 0, 0, 1]) }
        #expect(try #require(DNSMessage(reading: bytes)).records.count == 256)
        bytes.replaceSubrange(4..<6, with: [0x07, 0xFF])
        #expect(DNSMessage(reading: bytes) == nil, "that many questions are in no answer")
        let empty = Self.header + [UInt8](repeating: 0, count: DNSMessage.maximumLength - Self.header.count)
        #expect(DNSMessage(reading: empty) != nil)
        #expect(DNSMessage(reading: empty + [0]) == nil, "no packet is that long")
    }

    @Test(arguments: UInt64(1)...20) func anyBytesCanBeRead(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let answer = try #require(Self.answer)
        for _ in 0..<500 {
            var bytes = answer
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let position = Int.random(in: 12..<bytes.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[position] = [0, 0xC0, 0xFF, 12].randomElement(using: &generator) ?? 0
                case 1: bytes[position] = .random(in: .min ... .max, using: &generator)
                default: bytes.removeSubrange(position..<min(bytes.count, position + 2))
                }
            }
            guard let message = DNSMessage(reading: bytes) else { continue }
            #expect(message.id == 0x1234)
            #expect(AnsweredService.services(of: Self.type, in: message).count <= message.records.count)
        }
    }
}
