import HostNetwork
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// What comes of the answers to a one-shot question.
@Suite struct DirectAnswersTests {
    private static let id: UInt16 = 0x1234
    private static let named = DNSName(services: "_notes._tcp").instance("Anna")
    private static let text = record(16, [3] + Array("v=1".utf8) + [6] + Array("id=abc".utf8))
    /// Port 4711 of the host h.
    private static let location = record(33, [0, 0, 0, 0, 0x12, 0x67, 1, 104, 0])

    private static func record(_ type: UInt8, _ data: [UInt8], of name: [UInt8]? = nil) -> [UInt8] {
        let name = name ?? Array(DNSMessage.question(.txt, of: named).dropFirst(12).dropLast(4))
        return name + [0, type, 0, 1, 0, 0, 0, 10, 0, UInt8(data.count)] + data
    }

    private static func address(_ text: String) throws -> [UInt8] {
        let address = try #require(IPAddress(text))
        return record(address.isIPv6 ? 28 : 1, address.bytes, of: [1, 104, 0])
    }

    private static func answer(_ records: [UInt8]..., id: UInt16 = id) -> [UInt8] {
        [UInt8(id >> 8), UInt8(id & 0xFF), 0x84, 0, 0, 0, 0, UInt8(records.count), 0, 0, 0, 0] + records.flatMap { $0 }
    }

    /// A laptop with two interfaces, asking over the first of them.
    private static func answers(isIPv6: Bool = false) throws -> DirectAnswers {
        let addresses = (isIPv6 ? ["fe80::9", "fd12::9"] : ["192.168.7.9"]).compactMap { IPAddress($0) }
        let networks = addresses.map { LocalNetworks.Interface($0, prefixLength: isIPv6 ? 64 : 24, scope: 7) }
        let line = DirectLine(
            interface: "wlan0",
            index: 7,
            isIPv6: isIPv6,
            networks: LocalNetworks(networks),
            own: Set(addresses + [try #require(IPAddress("192.168.7.10"))])
        )
        return DirectAnswers(over: line, of: try #require(PeerServiceType("notes")), id: id)
    }

    private static func socket(_ address: String, port: Int = 5353) throws -> SocketAddress {
        try SocketAddress.makeAddressResolvingHost(address, port: port)
    }

    @Test func anAnswerWithEverythingIsASighting() throws {
        var answers = try Self.answers()
        #expect(DNSMessage(reading: answers.question)?.id == Self.id)
        let packet = Self.answer(Self.text, Self.location, try Self.address("192.168.7.8"))
        let (sightings, questions) = answers.read(packet, from: try Self.socket("192.168.7.8"))
        #expect(questions.isEmpty)
        let sighting = try #require(sightings.first)
        #expect(sightings.count == 1)
        #expect(sighting.instanceName == "Anna")
        #expect(sighting.address == (try Self.socket("192.168.7.8", port: 4711)))
        #expect(sighting.interfaceName == "wlan0")
        #expect(sighting.info.protocolVersion == 1)
        #expect(!sighting.isLocal)
    }

    @Test func aLinkLocalAddressGetsTheZoneOfTheInterface() throws {
        var answers = try Self.answers(isIPv6: true)
        let packet = Self.answer(Self.text, Self.location, try Self.address("fe80::8"))
        let (sightings, _) = answers.read(packet, from: try Self.socket("fe80::8%7"))
        #expect(sightings.first?.address.scopeIndex == 7)
        #expect(sightings.first?.address.host == IPAddress("fe80::8"))
        #expect(answers.read(packet, from: try Self.socket("fe80::8%8")).sightings.isEmpty, "another link")
    }

    @Test(
        arguments: [
            (["192.168.7.7", "192.168.7.8"], "192.168.7.8"), (["192.168.7.7"], "192.168.7.7"), ([], "192.168.7.8"),
            (["fe80::8"], "192.168.7.8"),
            // Passed on from another network, a lie, and this machine itself.
            (["10.0.0.1"], nil), (["8.8.8.8", "127.0.0.1"], nil), (["192.168.7.9", "192.168.7.10"], nil),
        ] as [([String], String?)]
    )
    func onlyAddressesOfTheNetworkCount(named: [String], expected: String?) throws {
        var answers = try Self.answers()
        let addresses = try named.flatMap { try Self.address($0) }
        var packet = Self.answer(Self.text, Self.location)
        packet[7] += UInt8(named.count)
        let (sightings, _) = answers.read(packet + addresses, from: try Self.socket("192.168.7.8"))
        #expect(sightings.map(\.address.host?.description) == (expected.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            ("192.168.7.8", 5353, id, true), ("192.168.7.8", 5354, id, false), ("192.168.7.8", 5353, id + 1, false),
            ("192.168.8.8", 5353, id, false), ("8.8.8.8", 5353, id, false), ("192.168.7.9", 5353, id, false),
            ("192.168.7.10", 5353, id, false),
        ] as [(String, Int, UInt16, Bool)]
    )
    func nobodyElsewhereMakesPeersUp(source: String, port: Int, id: UInt16, isHeard: Bool) throws {
        var answers = try Self.answers()
        let packet = Self.answer(Self.text, Self.location, id: id)
        #expect(answers.read(packet, from: try Self.socket(source, port: port)).sightings.isEmpty != isHeard)
    }

    /// An answer by unicast has 512 bytes at most, and leaves out what does not fit.
    @Test func whatIsLeftOutIsAskedForOnce() throws {
        var answers = try Self.answers()
        let anna = try Self.socket("192.168.7.8")
        let first = Self.answer(Self.location, try Self.address("192.168.7.8"))
        let (none, questions) = answers.read(first, from: anna)
        #expect(none.isEmpty)
        #expect(questions == [DNSMessage.question(.txt, of: Self.named, id: Self.id)])
        let (nothing, again) = answers.read(first, from: anna)
        #expect(nothing.isEmpty && again.isEmpty)
        // Of another machine it does not count.
        let text = Self.answer(Self.text)
        let (others, location) = answers.read(text, from: try Self.socket("192.168.7.7"))
        #expect(others.isEmpty)
        #expect(location == [DNSMessage.question(.srv, of: Self.named, id: Self.id)])
        #expect(answers.read(text, from: anna).sightings.map(\.address.port) == [4711])
    }

    @Test func answersWithoutEndAreNotRead() throws {
        var answers = try Self.answers()
        let anna = try Self.socket("192.168.7.8")
        for _ in 0..<DirectAnswers.maximumCount {
            #expect(!answers.isFull)
            _ = answers.read([], from: anna)
        }
        #expect(answers.isFull)
        #expect(answers.read(Self.answer(Self.text, Self.location), from: anna).sightings.isEmpty)
    }
}
