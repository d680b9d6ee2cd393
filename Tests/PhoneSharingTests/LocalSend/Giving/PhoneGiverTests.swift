import LocalSend
import PeerProtocol
import PeerStorage
import PeerTestSupport
import SharingTestSupport
import Testing
import WebServer

@testable import PhoneSharing
@testable import RegionSharing
@testable import RegionStore

/// A file on its way to a phone: what the phone gets, and how it ends.
@Suite(.timeLimit(.minutes(10))) struct PhoneGiverTests {
    private static func content(_ kind: DownloadKind, _ bench: GivingBench) throws -> [UInt8] {
        let downloads = try bench.files.downloads(includesPersonal: false)[0]
        let opened = try downloads.open(kind)
        return try OpenFile(owning: opened.descriptor, path: "", nil).bytes(Int(opened.size), at: 0)
    }

    @Test(arguments: [true, false]) func thePhoneGetsTheFile(isSecure: Bool) async throws {
        let phone = try ReceivingPhone()
        try await GivingBench.with(phone, isSecure: isSecure) { bench in
            #expect(bench.phone.isEncrypted == isSecure && bench.phone.recognition == .new)
            #expect(await bench.give() == nil)
            let content = try Self.content(.gpx, bench)
            let record = phone.record
            #expect(record.contents == [content] && record.cancels.isEmpty && record.pins == [nil])
            let file = try #require(record.offers.first?.files.first)
            #expect(file.name == "Region-0.gpx" && file.size == UInt64(content.count))
            #expect(file.type == "application/gpx+xml" && file.sha256 == ContentDigest(hashing: content))
            #expect(record.offers.first?.sender.alias == "Carla")
            let shown = isSecure ? bench.finder.identity.certificate : nil
            #expect(record.certificates == [shown])
            let told = bench.told()
            #expect(told.map(\.state).first == .preparing && told.last?.state == .complete)
            #expect(told.last?.bytes == file.size && told.last?.fraction == 1 && told.last?.name == file.name)
            #expect(told.contains { $0.state == .waiting } && told.contains { $0.state == .running })
        }
    }

    @Test(
        arguments: [
            (.forbidden, .declined), (.conflict, .busy), (.noContent, .notNeeded),
            (.failed, .failedThere(status: 500)), (.tooManyRequests, .failedThere(status: 429)),
        ] as [(WebResponse.Status, LocalSendEnd)]
    )
    func theAnswerToTheListIsTheEnd(status: WebResponse.Status, end: LocalSendEnd) async throws {
        let phone = try ReceivingPhone(prepared: { _ in status })
        try await GivingBench.with(phone) { bench in
            #expect(await bench.give() == end)
            #expect(bench.told().last?.state == .ended(end))
            #expect(phone.record.contents.isEmpty && phone.record.offers.count == 1)
        }
    }

    // MARK: The PIN

    @Test func thePersonGivesThePIN() async throws {
        let asked = Locked(0)
        let phone = try ReceivingPhone(prepared: { $0 == 3 ? .ok : .unauthorized })
        let person = TestPerson { question in
            guard question is PhonePINQuestion else { return nil }
            return asked.withLock { count in
                count += 1
                return count == 1 ? "41" : "42"
            }
        }
        try await GivingBench.with(phone, person) { bench in
            #expect(await bench.give() == nil)
            #expect(phone.record.pins == [nil, "41", "42"])
            let questions = person.asked.compactMap { $0 as? PhonePINQuestion }
            #expect(questions.map(\.isAfterWrong) == [false, true])
            // The first question is what of the region concerns a person.
            #expect(bench.told().filter { $0.state == .asking }.count == 3)
        }
    }

    @Test func withoutAPINThereIsNoFile() async throws {
        let phone = try ReceivingPhone(prepared: { _ in .unauthorized })
        try await GivingBench.with(phone) { bench in
            #expect(await bench.give() == .noPIN)
            #expect(phone.record.pins == [nil])
        }
    }

    @Test func aPINThatIsWrongTooOftenEndsIt() async throws {
        let phone = try ReceivingPhone(prepared: { _ in .unauthorized })
        let person = TestPerson { $0 is PhonePINQuestion ? "1" : nil }
        try await GivingBench.with(phone, person) { bench in
            #expect(await bench.give() == .wrongPIN)
            #expect(phone.record.pins == [nil] + Array(repeating: "1", count: LocalSendLimits.attempts))
        }
    }

    /// A PIN is given, and nobody is there.
    @Sendable private static func unattended(_ wishes: inout LocalSendWishes) {
        (wishes.pin, wishes.asks) = ("42", false)
    }

    /// The PIN of one phone is not told to another one that asks.
    @Test(arguments: [true, false]) func thePINIsForTheWantedPhonesOnly(isWanted: Bool) async throws {
        let phone = try ReceivingPhone(prepared: { $0 == 2 ? .ok : .unauthorized })
        try await GivingBench.with(phone, change: Self.unattended) { bench in
            #expect(await bench.give(isWanted: isWanted) == (isWanted ? nil : .noPIN))
            #expect(phone.record.pins == (isWanted ? [nil, "42"] : [nil]))
        }
    }

    @Test func aWantedPhoneWithAnotherPINIsTold() async throws {
        let phone = try ReceivingPhone(prepared: { _ in .unauthorized })
        try await GivingBench.with(phone, change: Self.unattended) { bench in
            #expect(await bench.give(isWanted: true) == .wrongPIN)
            #expect(phone.record.pins == [nil, "42"])
        }
    }

    // MARK: What goes wrong

    @Test(arguments: [1, 2, 3]) func aDamagedFileIsSentAgain(damagedCount: Int) async throws {
        let phone = try ReceivingPhone(uploaded: { $0 <= damagedCount ? .unprocessable : .ok })
        try await GivingBench.with(phone) { bench in
            #expect(await bench.give() == (damagedCount < LocalSendLimits.attempts ? nil : .damaged))
            let (content, count) = (try Self.content(.gpx, bench), min(damagedCount + 1, LocalSendLimits.attempts))
            #expect(phone.record.contents == Array(repeating: content, count: count))
        }
    }

    @Test func aPhoneThatTakesNoMoreIsTold() async throws {
        let phone = try ReceivingPhone(uploaded: { _ in .noSpace })
        try await GivingBench.with(phone) { bench in
            #expect(await bench.give() == .failedThere(status: 507))
        }
    }

    /// Nothing but the handshake reaches a device that has taken the address of the phone.
    @Test func anotherDeviceAtItsPlaceGetsNothing() async throws {
        let phone = try ReceivingPhone()
        try await GivingBench.with(phone, shown: try ReceivingPhone.newIdentity()) { bench in
            #expect(await bench.give() == .otherDevice)
            #expect(phone.record.offers.isEmpty && phone.record.certificates.isEmpty)
            #expect(bench.finder.phones.isEmpty)
        }
    }

    @Test func aPhoneThatIsGoneDoesNotAnswer() async throws {
        let phone = try ReceivingPhone()
        try await GivingBench.with(phone, isThere: false) { bench in
            #expect(await bench.give() == .unreachable)
            #expect(bench.finder.phones.isEmpty && bench.told().last?.state == .ended(.unreachable))
        }
    }

    @Test func aKindThatTheRegionDoesNotHaveIsNoFile() async throws {
        let phone = try ReceivingPhone()
        try await GivingBench.with(phone) { bench in
            guard case .noFile? = await bench.give(.foreign) else {
                Issue.record("\(bench.told())")
                return
            }
            #expect(phone.record.offers.isEmpty)
        }
    }

    // MARK: Stopping

    /// Returns what ends when a phone has got a list or a file, and lets it answer only when it is released.
    private struct Gate {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let released = AsyncStream.makeStream(of: Void.self)

        func pass() async {
            arrived.continuation.finish()
            for await _ in released.stream {}
        }

        func arrival() async { for await _ in arrived.stream {} }
    }

    @Test func stoppingWhileThePhoneAsksIsToldToThePhone() async throws {
        let gate = Gate()
        let phone = try ReceivingPhone(prepared: { _ in
            await gate.pass()
            return .ok
        })
        try await GivingBench.with(phone) { bench in
            async let end = bench.give()
            await gate.arrival()
            bench.giver.stop(1)
            #expect(await end == .stoppedHere)
            #expect(phone.record.cancels == [nil] && phone.record.contents.isEmpty)
            gate.released.continuation.finish()
        }
    }

    @Test func stoppingTheTransferIsToldToThePhone() async throws {
        let gate = Gate()
        let phone = try ReceivingPhone(uploaded: { _ in
            await gate.pass()
            return .ok
        })
        try await GivingBench.with(phone) { bench in
            async let end = bench.give()
            await gate.arrival()
            bench.giver.stop(1)
            #expect(await end == .stoppedHere)
            #expect(phone.record.cancels == [ReceivingPhone.session])
            gate.released.continuation.finish()
        }
    }

    /// Only the phone itself can stop what it gets.
    @Test func thePhoneStopsIt() async throws {
        let gate = Gate()
        let phone = try ReceivingPhone(uploaded: { _ in
            await gate.pass()
            return .ok
        })
        try await GivingBench.with(phone) { bench in
            let certificate = LocalSendFingerprint(certificate: phone.identity.certificateBytes)
            let stranger = LocalSendFingerprint(certificate: [1, 2, 3])
            async let end = bench.give()
            await gate.arrival()
            bench.giver.cancelled("another", by: LocalSendClient("127.0.0.1", certificate: certificate))
            bench.giver.cancelled(ReceivingPhone.session, by: LocalSendClient("127.0.0.1", certificate: stranger))
            bench.giver.cancelled(ReceivingPhone.session, by: LocalSendClient("127.0.0.2", certificate: nil))
            #expect(bench.told().last?.isOver == false)
            bench.giver.cancelled(ReceivingPhone.session, by: LocalSendClient("127.0.0.1", certificate: certificate))
            #expect(await end == .cancelledThere)
            #expect(phone.record.cancels.isEmpty)
            gate.released.continuation.finish()
        }
    }

    // MARK: What concerns a person

    @Test(arguments: [true, false]) func whatIsPersonalGoesAfterAYesThatIsAskedOnce(answer: Bool) async throws {
        let phone = try ReceivingPhone()
        let person = TestPerson { $0 is PersonalPageQuestion ? answer : nil }
        try await GivingBench.with(phone, person) { bench in
            #expect(await bench.give() == nil)
            #expect(await bench.give(number: 2) == nil)
            let questions = person.asked.compactMap { $0 as? PersonalPageQuestion }
            #expect(questions.map(\.way) == [.localSend(isEncrypted: true)])
            let texts = phone.record.contents.map { String(decoding: $0, as: UTF8.self) }
            #expect(texts.count == 2 && texts.allSatisfy { $0.contains("under the stone") == answer })
            #expect(bench.told(1).contains { $0.state == .asking } && !bench.told(2).contains { $0.state == .asking })
            for number in [1, 2] { #expect(bench.told(number).last?.leftOut.isEmpty == answer) }
        }
    }

    /// Whoever claims the name of a wanted phone gets nothing personal unasked, and no PIN that others could read.
    @Test(arguments: [true, false]) func aWantedPhoneThatNobodyHasConfirmedIsAStranger(isSecure: Bool) async throws {
        let phone = try ReceivingPhone(prepared: { $0 == 2 ? .ok : .unauthorized })
        let person = TestPerson { $0 is PersonalPageQuestion ? false : nil }
        let change: @Sendable (inout LocalSendWishes) -> Void = { wishes in
            (wishes.pin, wishes.asks, wishes.includesPersonal) = ("42", false, true)
        }
        try await GivingBench.with(phone, person, isSecure: isSecure, change: change) { bench in
            #expect(await bench.give(isWanted: true) == (isSecure ? nil : .noPIN))
            #expect(phone.record.pins == (isSecure ? [nil, "42"] : [nil]))
            let texts = phone.record.contents.map { String(decoding: $0, as: UTF8.self) }
            #expect(texts.allSatisfy { !$0.contains("under the stone") })
            #expect(person.asked.contains { $0 is PersonalPageQuestion })
        }
    }

    /// With nobody there, a program that hears of it must know that the file is not all of it.
    @Test(arguments: [true, false]) func whatIsLeftOutUnaskedIsTold(isWished: Bool) async throws {
        let phone = try ReceivingPhone()
        let change: @Sendable (inout LocalSendWishes) -> Void = { ($0.asks, $0.includesPersonal) = (false, isWished) }
        try await GivingBench.with(phone, change: change) { bench in
            #expect(await bench.give() == nil)
            let told = bench.told()
            #expect(told.last?.state == .complete && told.last?.leftOut.isEmpty == isWished)
            #expect(!told.contains { $0.state == .asking })
        }
    }
}
