import Foundation
import HostNetwork
import LocalSend
import PeerCore
import PeerProtocol
import PeerTestSupport
import RegionSharing
import RegionStore
import SharingTestSupport
import Synchronization
import Testing

@testable import PhoneSharing

/// A finder without sockets: what it is told, and what it asks.
@Suite(.timeLimit(.minutes(10))) struct LocalSendFinderTests {
    private struct Fixture {
        var finder: LocalSendFinder
        var person: TestPerson
        var store: RegionStore
        /// What the finder was asked to ask.
        var asked: Locked<[LocalSendDirectory.Place]>
    }

    private typealias Answer = (answer: [UInt8], certificate: [UInt8]?)

    /// Creates a finder in the network 10.0.0.1/24.
    private func with(
        answers: [String: Answer] = [:],
        name: String? = nil,
        networks: [LocalNetwork] = [],
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let (person, asked) = (
                TestPerson { $0 is PhoneNameQuestion ? name : nil }, Locked<[LocalSendDirectory.Place]>([])
            )
            let finder = try LocalSendFinder(
                .load(for: store),
                alias: "Carla",
                store: store,
                person: person,
                networks: { networks },
                isOwnNetwork: !networks.isEmpty,
                group: Self.group(),
                register: { place, _ in
                    asked.withLock { $0.append(place) }
                    return answers[place.address]
                }
            )
            let address = HostInterface.Address(try #require(IPAddress("10.0.0.1")), prefixLength: 24)
            let network = LocalNetwork(interface: "lan0", index: 2, addresses: [address])
            finder.state.withLock { $0.networks = [network] }
            try await body(Fixture(finder: finder, person: person, store: store, asked: asked))
        }
    }

    /// A group that no other test has.
    private static func group() -> MulticastGroup {
        let bytes = (0..<3).map { _ in UInt8.random(in: 1...254) }
        return MulticastGroup(ofIPv4: "239.\(bytes[0]).\(bytes[1]).\(bytes[2])", port: LocalSendLimits.usualPort)
    }

    private static let certificate: [UInt8] = [1, 2, 3]

    private static func device(
        _ alias: String = "Anna's phone",
        certificate: [UInt8] = certificate,
        port: UInt16 = 53317
    ) -> LocalSendDevice {
        let fingerprint = LocalSendFingerprint(certificate: certificate)
        return LocalSendDevice(alias: alias, kind: .mobile, fingerprint: fingerprint, port: port)
    }

    @Test func aDeviceThatRegistersIsListedAndLearnsWhoThisIs() async throws {
        try await with { fixture in
            let answer = fixture.finder.registered(
                Self.device().json(),
                from: "10.0.0.7",
                certificate: Self.certificate
            )
            let own = try LocalSendDevice(json: try #require(answer))
            #expect(own.alias == "Carla" && own.fingerprint == fixture.finder.identity.fingerprint)
            let phone = try #require(fixture.finder.phones.first)
            #expect(phone.name == "Anna's phone" && phone.recognition == .new && phone.address == "10.0.0.7")
            #expect(fixture.finder.neighbour(of: phone)?.device == Self.device())
            fixture.finder.lost(phone)
            #expect(fixture.finder.phones.isEmpty && fixture.finder.neighbour(of: phone) == nil)
        }
    }

    /// Machines with this program find one another in their own way.
    @Test func anotherMachineOfThisProgramIsNoPhone() async throws {
        try await with { fixture in
            var device = Self.device("Ben")
            device.model = LocalSendFinder.usualModel
            _ = fixture.finder.registered(device.json(), from: "10.0.0.7", certificate: Self.certificate)
            #expect(fixture.finder.phones.isEmpty)
            device.model = "Pixel"
            _ = fixture.finder.registered(device.json(), from: "10.0.0.7", certificate: Self.certificate)
            #expect(fixture.finder.phones.map(\.model) == ["Pixel"])
        }
    }

    @Test func whoIsInNoNetworkOfThisMachineIsNotListed() async throws {
        try await with { fixture in
            for address in ["10.0.1.7", "192.168.1.1", "10.0.0.255", "", "phone.example"] {
                let answer = fixture.finder.registered(
                    Self.device().json(),
                    from: address,
                    certificate: Self.certificate
                )
                #expect(answer != nil && fixture.finder.phones.isEmpty, "\(address)")
            }
            #expect(fixture.finder.registered([0x7B], from: "10.0.0.7", certificate: nil) == nil)
        }
    }

    /// A proof of another device is none, and a device without one is asked first.
    @Test func onlyAProofMakesADeviceKnown() async throws {
        try await with(answers: ["10.0.0.8": (Self.device().json(), Self.certificate)]) { fixture in
            let claim = Self.device().json()
            _ = fixture.finder.registered(claim, from: "10.0.0.7", certificate: [4, 5, 6])
            #expect(fixture.finder.phones.isEmpty)
            let expected = LocalSendFingerprint(certificate: Self.certificate)
            for address in ["10.0.0.7", "10.0.0.8"] {
                _ = fixture.finder.registered(claim, from: address, certificate: nil)
                #expect(fixture.finder.phones.isEmpty)
            }
            var places = fixture.finder.places.makeAsyncIterator()
            let (first, second) = (try #require(await places.next()), try #require(await places.next()))
            #expect([first, second].map(\.address) == ["10.0.0.7", "10.0.0.8"])
            #expect(first.expected == expected && second.expected == expected)
            #expect(await !fixture.finder.ask(first))
            #expect(fixture.finder.phones.isEmpty)
            #expect(await fixture.finder.ask(second))
            #expect(fixture.finder.phones.map(\.address) == ["10.0.0.8"])
        }
    }

    /// Neither another device's answer, nor one without encryption, is taken for the device that was expected.
    @Test func anAnswerOfAnotherDeviceIsIgnored() async throws {
        let answers: [Answer] = [
            (Self.device().json(), [4, 5, 6]), (Self.device().json(), nil), ([0x7B], Self.certificate),
        ]
        for answer in answers {
            try await with(answers: ["10.0.0.7": answer]) { fixture in
                let place = LocalSendDirectory.Place(
                    address: "10.0.0.7",
                    port: 53317,
                    scheme: .https,
                    expected: LocalSendFingerprint(certificate: Self.certificate)
                )
                #expect(await !fixture.finder.ask(place))
                #expect(fixture.finder.phones.isEmpty)
            }
        }
    }

    /// The system's services are not devices: nobody makes this machine talk to them.
    @Test func aPortOfTheSystemIsNeverAsked() async throws {
        try await with { fixture in
            for port: UInt16 in [80, 443, 1023, 1024] {
                let device = Self.device(certificate: [UInt8(truncatingIfNeeded: port)], port: port)
                let address = "10.0.0.\(port % 200 + 2)"
                _ = fixture.finder.registered(device.json(), from: address, certificate: nil)
            }
            var places = fixture.finder.places.makeAsyncIterator()
            #expect(await places.next()?.port == 1024)
        }
    }

    @Test func aNameIsAskedForOnceAndKept() async throws {
        try await with(name: "My phone") { fixture in
            _ = fixture.finder.registered(Self.device("Mango").json(), from: "10.0.0.7", certificate: Self.certificate)
            var lists = fixture.finder.phoneChanges().makeAsyncIterator()
            let phone = try #require(await lists.next()?.first)
            await fixture.finder.askForName(of: phone)
            #expect(await lists.next()?.map(\.recognition) == [.confirmed])
            #expect(fixture.finder.phones.map(\.name) == ["My phone"])
            await fixture.finder.askForName(of: phone)
            #expect(fixture.person.asked.count == 1)
            #expect(try fixture.store.confirmedPhones.all().map(\.alias) == ["Mango"])
            let other = Self.device("Mango", certificate: [7])
            let sender = fixture.finder.identify(other, at: "10.0.0.9", provenBy: other.fingerprint)
            #expect(sender.recognition == .changed && sender.number == 0)
            let claim = fixture.finder.identify(Self.device("Mango"), at: "10.0.0.7", provenBy: nil)
            #expect(claim.recognition == .changed && claim.fingerprint == nil && claim.number == 0)
            let same = fixture.finder.identify(
                Self.device("Mango"),
                at: "10.0.0.8",
                provenBy: Self.device().fingerprint
            )
            #expect(same.recognition == .confirmed && same.number == phone.number && same.name == "My phone")
        }
    }

    /// Where announcements get lost, a network of this machine's own is searched.
    @Test func inTheOwnNetworkEachAddressIsAsked() async throws {
        let own = HostInterface.Address(try #require(IPAddress("127.0.0.1")), prefixLength: 24)
        let network = LocalNetwork(interface: "lo", index: 1, addresses: [own])
        let answers: [String: Answer] = ["127.0.0.200": (Self.device().json(), Self.certificate)]
        try await with(answers: answers, networks: [network]) { fixture in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await fixture.finder.run() }
                for await phones in fixture.finder.phoneChanges() where !phones.isEmpty {
                    #expect(phones.map(\.address) == ["127.0.0.200"] && phones.map(\.name) == ["Anna's phone"])
                    break
                }
                group.cancelAll()
            }
            let asked = fixture.asked.value
            #expect(asked.contains { $0.address == "127.0.0.2" } && !asked.contains { $0.address == "127.0.0.1" })
            #expect(asked.allSatisfy { $0.port == 53317 && $0.scheme == .https && $0.expected == nil })
            #expect(Set(asked).count == asked.count && asked.count <= 253)
        }
    }

    /// Whoever registers again and again, each time with another name, costs nothing.
    @Test func aFloodOfRegistrationsIsNotReadAndChangesNothing() async throws {
        try await with { fixture in
            // All that may be read in a second is used up until the clock is far ahead.
            fixture.finder.state.withLock { state in
                for _ in 1...LocalSendLimits.registrationsOfAddressPerSecond {
                    _ = state.directory.admitsRegistration(from: "10.0.0.7", at: .now + .seconds(3600))
                }
            }
            let answer = fixture.finder.registered([0x7B], from: "10.0.0.7", certificate: Self.certificate)
            #expect(answer == fixture.finder.own.json())
            let device = Self.device().json()
            _ = fixture.finder.registered(device, from: "10.0.0.7", certificate: Self.certificate)
            #expect(fixture.finder.phones.isEmpty)
            _ = fixture.finder.registered(device, from: "10.0.0.8", certificate: Self.certificate)
            #expect(fixture.finder.phones.map(\.address) == ["10.0.0.8"])
        }
    }

    /// The list is not told with each change: the next tick tells it.
    @Test func changesThatComeTogetherAreToldTogether() async throws {
        try await with { fixture in
            // The time stands still.
            fixture.finder.state.withLock { $0.pace.told(at: .now + .seconds(3600)) }
            for name in ["Anna", "Ben", "Carla"] {
                let device = Self.device(name).json()
                _ = fixture.finder.registered(device, from: "10.0.0.7", certificate: Self.certificate)
            }
            #expect(fixture.person.told.isEmpty && fixture.finder.phones.map(\.name) == ["Carla"])
            fixture.finder.state.withLock { $0.pace = ListPace() }
            fixture.finder.change { _ in .none }
            #expect(fixture.person.told.count == 1)
        }
    }

    @Test func aPhoneWithoutANameIsNotKept() async throws {
        try await with { fixture in
            _ = fixture.finder.registered(Self.device().json(), from: "10.0.0.7", certificate: Self.certificate)
            await fixture.finder.askForName(of: try #require(fixture.finder.phones.first))
            #expect(fixture.person.asked.count == 1)
            #expect(try fixture.store.confirmedPhones.all().isEmpty)
        }
    }
}
