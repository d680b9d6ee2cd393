import Foundation
import HostNetwork
import LocalSend
import PeerTestSupport
import RegionStore
import SharingTestSupport
import Testing
import WebServer

@testable import PeerCore
@testable import PhoneSharing
@testable import RegionSharing

/// A sender on loopback, in a multicast group that no other test has, and a phone that registers with it.
@Suite(.timeLimit(.minutes(10))) struct PhoneWaysTests {
    private struct Ended: Error {}

    private static func group() -> MulticastGroup {
        let bytes = (0..<3).map { _ in UInt8.random(in: 1...254) }
        return MulticastGroup(ofIPv4: "239.\(bytes[0]).\(bytes[1]).\(bytes[2])", port: LocalSendLimits.usualPort)
    }

    private static func settings(in group: MulticastGroup) -> LocalSendNode.Settings {
        var settings = LocalSendNode.Settings()
        (settings.port, settings.isLoopback, settings.group) = (0, true, group)
        return settings
    }

    private static func local(of store: RegionStore, called name: String) throws -> LocalPeer {
        var local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "test 1")
        local.displayName = name
        return local
    }

    private static func ways(
        _ example: ExamplePage,
        in group: MulticastGroup,
        _ change: (inout LocalSendWishes) -> Void = { _ in }
    ) throws -> PhoneWays {
        var ways = PhoneWays(of: example.files, as: try local(of: example.store, called: "Carla"))
        ways.settings = settings(in: group)
        var wishes = LocalSendWishes()
        change(&wishes)
        ways.localSend = wishes
        return ways
    }

    /// Serves with `ways` until they end, while a phone named “Anna” is there.
    private static func serve(_ ways: PhoneWays, _ person: TestPerson, with phone: ReceivingPhone) async throws {
        let result = Locked<Result<Void, any Error>>(.success(()))
        do {
            try await WebServer.run(GivingBench.configuration(phone, true), site: phone) { port in
                await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await register(phone, on: port, with: person) }
                    defer { group.cancelAll() }
                    do {
                        // Without a wish to end, it would never end.
                        try await ways.serve { while true { try await Task.sleep(for: .seconds(86_400)) } }
                    } catch {
                        result.set(.failure(error))
                    }
                }
                throw Ended()
            }
        } catch is Ended {
            try result.value.get()
        }
    }

    /// A phone says who it is as soon as the sender listens, as it does after the sender's announcement.
    private static func register(_ phone: ReceivingPhone, on port: Int, with person: TestPerson) async throws {
        var sender: WebAddress?
        while sender == nil {
            for case .phones(.localSend(.listed(_, let port, _))) in person.told {
                sender = WebAddress(host: "127.0.0.1", port: port, isSecure: true)
            }
            try Task.checkCancellation()
            await Task.yield()
        }
        let device = LocalSendDevice(
            alias: "Anna",
            kind: .mobile,
            fingerprint: LocalSendFingerprint(certificate: phone.identity.certificateBytes),
            port: UInt16(clamping: port)
        )
        let content = WebClient.Content.bytes(device.json(), type: "application/json")
        let options = WebClient.Options(identity: phone.identity)
        let path = LocalSendPath.register.path
        // The networks of the sender are read a moment after it listens.
        while !person.told.contains(where: hasPhone) {
            _ = try await WebClient.post(to: try #require(sender), path, content: content, options: options)
        }
    }

    @Sendable private static func hasPhone(_ happening: Happening) -> Bool {
        guard case .phones(.localSend(.phones(let phones))) = happening else { return false }
        return !phones.isEmpty
    }

    /// The last state of each transfer that was told.
    private static func ends(_ person: TestPerson) -> [LocalSendTransfer.State] {
        var states: [Int: LocalSendTransfer.State] = [:]
        for case .phones(.localSend(.sending(let transfer))) in person.told { states[transfer.number] = transfer.state }
        return states.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test(arguments: [true, false]) func aWantedPhoneGetsTheFileAndThatIsTheEnd(accepts: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson()
            let phone = try ReceivingPhone(prepared: { _ in accepts ? .ok : .forbidden })
            let example = try ExamplePage(in: directory, person)
            var ways = try Self.ways(example, in: Self.group()) {
                ($0.phones, $0.kind, $0.stopsAfterFirst) = (["anna"], .gpx, true)
            }
            try await ways.prepare(in: nil)
            do {
                try await Self.serve(ways, person, with: phone)
                #expect(accepts)
            } catch LocalSendError.ended(let refusing, .declined) {
                #expect(!accepts && refusing.name == "Anna")
            }
            #expect(phone.record.offers.map { $0.files.map(\.name) } == [["Region-0.gpx"]])
            #expect(phone.record.contents.count == (accepts ? 1 : 0))
            #expect(Self.ends(person) == [accepts ? .complete : .ended(.declined)])
            #expect(ways.activity == CompanionActivity(openCount: 0, hasSent: accepts))
        }
    }

    /// A person picks the phone, and the first complete transfer is the last one.
    @Test func aPersonPicksAPhone() async throws {
        try await TemporaryDirectory.with { directory in
            let isPicked = Locked(false)
            let person = TestPerson { question in
                guard let question = question as? PhonesQuestion, let phone = question.phones.first,
                    let region = question.regions.first, question.kinds[region.id]?.contains(.gpx) == true,
                    isPicked.withLock({ isPicked in
                        defer { isPicked = true }
                        return !isPicked
                    })
                else { return nil }
                return PhonesAnswer.send(PhoneChoice(phone, region.id, .gpx))
            }
            let phone = try ReceivingPhone()
            let example = try ExamplePage(in: directory, person)
            var ways = try Self.ways(example, in: Self.group()) { ($0.asks, $0.stopsAfterFirst) = (true, true) }
            try await ways.prepare(in: nil)
            try await Self.serve(ways, person, with: phone)
            #expect(phone.record.contents.count == 1 && Self.ends(person) == [.complete])
            #expect(person.asked.contains { $0 is PhonesQuestion })
        }
    }

    /// The page is served beside LocalSend, with the same files and turns.
    @Test func thePageIsThereAsWell() async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson()
            let example = try ExamplePage(in: directory, person)
            var ways = try Self.ways(example, in: Self.group())
            #expect(!ways.needsPhones)
            ways.page = example.page
            ways.page?.port = 0
            #expect(ways.needsPhones && ways.turns === example.page.turns)
            try await ways.prepare(in: nil)
            try await ways.serve {
                var hasPage = false
                var isListed = false
                for case .phones(let happening) in person.told {
                    if case .shown = happening { hasPage = true }
                    if case .localSend(.listed(name: "Carla", _, _)) = happening { isListed = true }
                }
                #expect(hasPage && isListed)
            }
        }
    }

    @Test func theErrorOfTheSenderEndsIt() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExamplePage(in: directory, TestPerson())
            var ways = try Self.ways(example, in: Self.group())
            try await ways.prepare(in: nil)
            let sending = ways
            await #expect(throws: Ended.self) { try await sending.serve { throw Ended() } }
            var bare = sending
            bare.localSend = nil
            let silent = bare
            await #expect(throws: Ended.self) { try await silent.serve { throw Ended() } }
        }
    }

    /// If nobody comes in time, the phones that were wanted are named.
    @Test func whoWasNotFoundIsNamed() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExamplePage(in: directory, TestPerson())
            var ways = try Self.ways(example, in: Self.group()) { $0.phones = ["Anna", "Ben"] }
            try await ways.prepare(in: nil)
            let sending = ways
            await #expect(throws: LocalSendError.notFound(["Anna", "Ben"], within: .seconds(5))) {
                try await sending.serve {
                    while sending.missing.isEmpty { await Task.yield() }
                    throw SendingError.noReceiver(.seconds(5))
                }
            }
            ways = try Self.ways(example, in: Self.group()) { ($0.phones, $0.stopsAfterFirst) = (["Anna"], true) }
            try await ways.prepare(in: nil)
            let ending = ways
            await #expect(throws: LocalSendError.notFound(["Anna"], within: nil)) {
                try await ending.serve { while ending.missing.isEmpty { await Task.yield() } }
            }
        }
    }

    /// A kind that a region does not have is refused before anything is sent.
    @Test func aKindThatIsNotThereIsRefusedAtOnce() async throws {
        try await TemporaryDirectory.with { directory in
            // The second region has no waypoints.
            let example = try ExamplePage(in: directory, TestPerson(), count: 2)
            let second = example.files.sent[1].region
            for (names, kind) in [(["Anna"], DownloadKind.gpx), ([], .foreign)] {
                var ways = try Self.ways(example, in: Self.group()) { ($0.phones, $0.kind) = (names, kind) }
                await #expect { try await ways.prepare(in: nil) } throws: { error in
                    guard case .noKind(kind, let region)? = error as? LocalSendError else { return false }
                    return names.isEmpty || region.id == second.id
                }
            }
            // A person who picks can pick the other region.
            var ways = try Self.ways(example, in: Self.group()) { $0.kind = .gpx }
            try await ways.prepare(in: nil)
        }
    }
}
