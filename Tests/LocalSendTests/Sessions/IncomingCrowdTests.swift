import Testing

@testable import LocalSend

/// Several devices, times, and ends of what comes here.
@Suite struct IncomingCrowdTests {
    private static let now = Samples.start

    private static func client(_ number: Int, at address: String? = nil) throws -> LocalSendClient {
        LocalSendClient(address ?? "10.0.0.\(number)", certificate: try Samples.device(number).fingerprint)
    }

    private static func prepare(
        _ machine: inout IncomingLocalSend,
        _ number: Int,
        at address: String? = nil,
        as id: String? = nil,
        size: UInt64 = 1 << 30,
        isConfirmed: Bool = false,
        _ now: ContinuousClock.Instant = now
    ) throws -> IncomingLocalSend.OnPrepare {
        let offer = LocalSendOffer(from: try Samples.device(number), [try Samples.file("0", size: size)])
        let client = try client(number, at: address)
        return machine.prepare(offer, from: client, as: id ?? "s\(number)", isConfirmed: isConfirmed, at: now)
    }

    private static func agreed(_ numbers: ClosedRange<Int> = 1...1) throws -> IncomingLocalSend {
        var machine = IncomingLocalSend()
        for number in numbers {
            #expect(try prepare(&machine, number) == .ask(replacing: nil))
            guard case .agree = machine.answered("s\(number)", ["0": "t"], at: now) else {
                Issue.record("no agreement")
                continue
            }
        }
        return machine
    }

    private static func begin(
        _ machine: inout IncomingLocalSend,
        _ number: Int = 1,
        _ now: ContinuousClock.Instant = now
    ) throws -> Bool {
        guard case .take = machine.begin("s\(number)", "0", "t", from: try client(number), length: nil, at: now) else {
            return false
        }
        return true
    }

    @Test func anAddressHasOneQuestionAndAFewAreOpen() throws {
        var machine = IncomingLocalSend()
        #expect(try Self.prepare(&machine, 1) == .ask(replacing: nil))
        #expect(try Self.prepare(&machine, 1, as: "again") == .answer(.busy))
        #expect(try Self.prepare(&machine, 2, at: "10.0.0.1") == .answer(.busy))
        // The same device at another address.
        #expect(try Self.prepare(&machine, 1, at: "fe80::1%2", as: "again") == .answer(.busy))
        for number in 2...3 { #expect(try Self.prepare(&machine, number) == .ask(replacing: nil)) }
        #expect(try Self.prepare(&machine, 4) == .answer(.busy))
        // The same is known before there is a list.
        #expect(try (1...3).allSatisfy { !machine.hasPlace(for: try Self.client($0), at: Self.now) })
        #expect(machine.answered("s2", nil, at: Self.now) == .answer(.refused))
        #expect(try (1...4).filter { machine.hasPlace(for: try Self.client($0), at: Self.now) } == [2, 4])
        #expect(try Self.prepare(&machine, 4) == .ask(replacing: nil))
        #expect(machine.all.map(\.id) == ["s1", "s3", "s4"])
    }

    @Test func theLastQuestionIsThatOfAConfirmedDevice() throws {
        var machine = IncomingLocalSend()
        for number in 1...3 { #expect(try Self.prepare(&machine, number) == .ask(replacing: nil)) }
        #expect(try Self.prepare(&machine, 4) == .answer(.busy))
        #expect(try Self.prepare(&machine, 4, isConfirmed: true) == .ask(replacing: nil))
        #expect(try Self.prepare(&machine, 5, isConfirmed: true) == .answer(.busy))
    }

    @Test func whoAsksAndGoesIsNotHeardForAWhile() throws {
        var machine = IncomingLocalSend()
        // With another certificate each time.
        for number in 1...3 {
            let now = Self.now + .seconds(number)
            #expect(try Self.prepare(&machine, number, at: "10.0.0.1", now) == .ask(replacing: nil))
            #expect(machine.closed("s\(number)") as Bool? == true)
            machine.withdrew(try Self.client(number, at: "10.0.0.1"), at: now)
        }
        let expected: [Double: IncomingLocalSend.OnPrepare] = [
            3: .answer(.tooManyAttempts), 62.9: .answer(.tooManyAttempts), 63: .ask(replacing: nil),
        ]
        for (time, answer) in expected.sorted(by: { $0.key < $1.key }) {
            #expect(try Self.prepare(&machine, 4, at: "10.0.0.1", Self.now + .seconds(time)) == answer, "\(time)")
        }
        #expect(try Self.prepare(&machine, 5, Self.now + .seconds(3)) == .ask(replacing: nil))
    }

    @Test func aPersonMayChangeTheirMind() throws {
        var machine = IncomingLocalSend()
        let client = try Self.client(1)
        for time in [0, 1, 60, 61, 120, 121] {
            #expect(machine.hears(client, at: Self.now + .seconds(time)), "\(time)")
            machine.withdrew(client, at: Self.now + .seconds(time))
        }
        machine.withdrew(client, at: Self.now + .seconds(122))
        #expect(!machine.hears(client, at: Self.now + .seconds(123)))
    }

    @Test func whoWasNotHeardTheLongestGivesWay() throws {
        var withdrawn = WithdrawnQuestions()
        for number in 0...WithdrawnQuestions.maximumAddresses {
            for _ in 1...3 { withdrawn.add("\(number)", at: Self.now + .milliseconds(number)) }
        }
        let now = Self.now + .seconds(2)
        #expect(withdrawn.areFew(of: "0", at: now) && !withdrawn.areFew(of: "1", at: now))
        #expect(!withdrawn.areFew(of: "\(WithdrawnQuestions.maximumAddresses)", at: now))
    }

    @Test func sessionsAreBounded() throws {
        var machine = try Self.agreed(1...LocalSendLimits.sessionCount)
        #expect(try Self.prepare(&machine, 20) == .answer(.busy))
        // Who has a session may begin anew.
        #expect(try Self.prepare(&machine, 3, as: "new") == .ask(replacing: "s3"))
        #expect(machine.all.count == LocalSendLimits.sessionCount)
        machine.stop("s1")
        #expect(try Self.prepare(&machine, 20) == .ask(replacing: nil))
    }

    @Test func devicesWithoutCertificatesAreToldApartByTheirAddresses() throws {
        var machine = IncomingLocalSend()
        for (number, id) in [(1, "a"), (2, "b")] {
            let offer = LocalSendOffer(from: try Samples.device(number), [try Samples.file("0")])
            let client = LocalSendClient("10.0.0.\(number)", certificate: nil)
            #expect(machine.prepare(offer, from: client, as: id, at: Self.now) == .ask(replacing: nil))
            _ = machine.answered(id, ["0": "t"], at: Self.now)
        }
        #expect(machine.all.map(\.id) == ["a", "b"])
    }

    @Test func aDeviceThatBeginsAnewReplacesWhatDoesNotArrive() throws {
        var machine = try Self.agreed()
        #expect(try Self.begin(&machine) == true)
        #expect(try Self.prepare(&machine, 1, as: "new") == .answer(.busy))
        #expect(machine.arrived("s1", "0", 10, at: Self.now + .seconds(10)) == .proceed)
        #expect(try Self.prepare(&machine, 1, as: "new", Self.now + .seconds(20)) == .answer(.busy))
        // It has lost its Wi-Fi, and this side does not know.
        #expect(try Self.prepare(&machine, 1, as: "new", Self.now + .seconds(26)) == .ask(replacing: "s1"))
        #expect(machine.arrived("s1", "0", 11, at: Self.now + .seconds(27)) == .stop)
        #expect(machine.ended("s1", "0", .complete(11, nil), at: Self.now + .seconds(27)) == .init(status: .refused))
        #expect(machine.all.map(\.id) == ["new"])
        // What has not begun is replaced at once.
        var other = try Self.agreed()
        #expect(try Self.prepare(&other, 1, as: "new") == .ask(replacing: "s1"))
    }

    @Test func theDeviceStopsItsQuestionWithoutKnowingItsID() throws {
        var machine = IncomingLocalSend()
        _ = try Self.prepare(&machine, 1)
        #expect(machine.cancelled(nil, from: try Self.client(2)) == nil)
        #expect(machine.cancelled(nil, from: LocalSendClient("10.0.0.1", certificate: nil)) == nil)
        #expect(machine.cancelled("other", from: try Self.client(1)) == nil)
        #expect(machine.cancelled(nil, from: try Self.client(1)) == "s1")
        #expect(machine.answered("s1", ["0": "t"], at: Self.now) == .answer(.refused))
        // Its connection is closed.
        _ = try Self.prepare(&machine, 1)
        #expect(machine.closed("s1") as Bool? == true)
        #expect(machine.closed("s1") as Bool? == false)
        #expect(machine.answered("s1", ["0": "t"], at: Self.now) == .answer(.refused))
    }

    @Test func theDeviceStopsItsSession() throws {
        var machine = try Self.agreed(1...2)
        #expect(try Self.begin(&machine) == true)
        #expect(machine.cancelled(nil, from: try Self.client(1)) == nil)
        #expect(machine.cancelled("s1", from: try Self.client(2)) == nil)
        // The connection of the question is closed after the answer.
        #expect(machine.closed("s1") as Bool? == false)
        #expect(machine.cancelled("s1", from: try Self.client(1)) == "s1")
        #expect(machine.arrived("s1", "0", 1, at: Self.now) == .stop)
        #expect(try Self.begin(&machine) == false)
        #expect(machine.all.map(\.id) == ["s2"])
    }

    @Test func thePersonStopsASession() throws {
        var machine = try Self.agreed()
        #expect(try Self.begin(&machine) == true)
        machine.stop("s1")
        #expect(machine.arrived("s1", "0", 1, at: Self.now) == .stop)
        #expect(machine.ended("s1", "0", .interrupted, at: Self.now) == .init(status: .refused))
        #expect(try Self.begin(&machine) == false)
    }

    @Test func questionsAndSilentSessionsEnd() throws {
        var machine = try Self.agreed()
        _ = try Self.prepare(&machine, 2)
        #expect(machine.tick(at: Self.now + LocalSendLimits.silence) == [])
        let silent = machine.tick(at: Self.now + LocalSendLimits.silence + .seconds(1))
        #expect(silent == [.init(session: "s1", ending: .silent)])
        #expect(machine.tick(at: Self.now + LocalSendLimits.questionPatience) == [])
        let unanswered = machine.tick(at: Self.now + LocalSendLimits.questionPatience + .seconds(1))
        #expect(unanswered == [.init(session: "s2", ending: .unanswered)])
        #expect(machine.answered("s2", ["0": "t"], at: Self.now) == .answer(.refused))
    }

    @Test func fewBytesKeepNoSessionAlive() throws {
        var machine = try Self.agreed()
        #expect(try Self.begin(&machine) == true)
        var now = Self.now
        for byte in 1...60 as ClosedRange<UInt64> {
            now += .seconds(2)
            #expect(machine.arrived("s1", "0", byte, at: now) == .proceed)
            #expect(machine.tick(at: now) == [])
        }
        #expect(machine.tick(at: now + .seconds(1)) == [.init(session: "s1", ending: .silent)])
        // Nor does it help to begin again and again.
        var other = try Self.agreed()
        for number in 0..<8 {
            _ = try Self.begin(&other, 1, Self.now + .seconds(20 * number))
            _ = other.ended("s1", "0", .interrupted, at: Self.now + .seconds(20 * number))
            let ended = other.tick(at: Self.now + .seconds(20 * number))
            #expect(ended.isEmpty == (number < 7))
        }
    }

    @Test func aSlowDeviceIsWaitedForButNotForEver() throws {
        var machine = try Self.agreed()
        #expect(try Self.begin(&machine) == true)
        var count: UInt64 = 0
        var now = Self.now
        // 1 kB/s.
        while now - Self.now <= LocalSendLimits.sessionAge {
            now += .seconds(100)
            count += 100_000
            #expect(machine.arrived("s1", "0", count, at: now) == .proceed)
            guard machine.tick(at: now).isEmpty else { break }
        }
        #expect(now - Self.now > LocalSendLimits.sessionAge)
        #expect(machine.all.isEmpty)
    }
}
