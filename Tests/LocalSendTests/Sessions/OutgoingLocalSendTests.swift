import Testing

@testable import LocalSend

@Suite struct OutgoingLocalSendTests {
    private typealias Step = OutgoingLocalSend.Step

    private static func machine(_ count: Int = 1, atOnce: Int = 1) throws -> OutgoingLocalSend {
        let files = try (0..<count).map { try Samples.file("\($0)") }
        return OutgoingLocalSend(LocalSendOffer(from: try Samples.device(1), files), atOnce: atOnce)
    }

    private static func agreement(_ ids: Int...) -> [UInt8] {
        LocalSendAgreement(session: "s", tokens: Dictionary(uniqueKeysWithValues: ids.map { ("\($0)", "t\($0)") })).json
    }

    private static func uploads(_ ids: Int...) throws -> Step {
        .upload(try ids.map { .init(file: try Samples.file("\($0)"), session: "s", token: "t\($0)") })
    }

    /// A machine whose files were accepted, all of them.
    private static func sending(_ count: Int = 1, atOnce: Int = 1) throws -> OutgoingLocalSend {
        var machine = try machine(count, atOnce: atOnce)
        #expect(machine.begin() == .prepare(.prepareUpload(pin: nil)))
        let tokens = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "t\($0)") })
        let step = machine.prepared(status: 200, LocalSendAgreement(session: "s", tokens: tokens).json)
        guard case .upload(let uploads) = step else {
            Issue.record("\(step)")
            return machine
        }
        #expect(uploads.map(\.file.id) == (0..<min(count, atOnce)).map { "\($0)" })
        return machine
    }

    @Test func filesAreSentInTurn() throws {
        var machine = try Self.machine(3)
        #expect(machine.begin() == .prepare(.prepareUpload(pin: nil)))
        #expect(machine.session == nil)
        // The phone wants two of them, in whatever order it says so.
        #expect(machine.prepared(status: 200, Self.agreement(2, 0)) == (try Self.uploads(0)))
        #expect(machine.session == "s")
        #expect(machine.uploaded("0", status: 200) == (try Self.uploads(2)))
        #expect(machine.uploaded("2", status: 204) == .end(.complete, nil))
        #expect(machine.outcome == .complete)
    }

    @Test func theRequestOfAFileNamesItsSessionAndToken() throws {
        guard case .upload(let uploads) = try Self.uploads(1) else { return }
        #expect(uploads[0].path == .upload(session: "s", file: "1", token: "t1"))
    }

    @Test func severalAreSentAtATime() throws {
        var machine = try Self.sending(4, atOnce: 2)
        #expect(machine.uploaded("1", status: 200) == (try Self.uploads(2)))
        #expect(machine.uploaded("0", status: 200) == (try Self.uploads(3)))
        #expect(machine.uploaded("0", status: 200) == .wait)
        #expect(machine.uploaded("3", status: 200) == .wait)
        #expect(machine.uploaded("2", status: 200) == .end(.complete, nil))
        #expect(try Self.machine(1, atOnce: 0).offer.files.count == 1)
        _ = try Self.sending(1, atOnce: 1)
    }

    @Test(arguments: [
        (204, OutgoingLocalSend.Outcome.notNeeded), (403, .declined), (409, .busy), (429, .failed(status: 429)),
        (500, .failed(status: 500)),
        (400, .failed(status: 400)), (404, .failed(status: 404)), (301, .failed(status: 301)),
        (201, .failed(status: 201)),
        (0, .failed(status: 0)),
    ])
    func theAnswerToTheListIsTheOutcome(_ status: Int, _ outcome: OutgoingLocalSend.Outcome) throws {
        var machine = try Self.machine()
        _ = machine.begin()
        #expect(machine.prepared(status: status, Self.agreement(0)) == .end(outcome, nil))
        #expect(machine.outcome == outcome)
    }

    @Test(arguments: [
        "", "{}", #"{"sessionId":"s"}"#, #"{"sessionId":"s","files":{"9":"t"}}"#, "<html>",
        #"{"sessionId":"s","files":{"0":7}}"#,
    ])
    func anAnswerThatCannotBeReadIsSaid(_ content: String) throws {
        var machine = try Self.machine()
        _ = machine.begin()
        #expect(machine.prepared(status: 200, Samples.bytes(content)) == .end(.unreadable, nil))
    }

    @Test func anAgreementAboutNothingNeedsNothing() throws {
        var machine = try Self.machine()
        _ = machine.begin()
        #expect(machine.prepared(status: 200, Self.agreement()) == .end(.notNeeded, nil))
    }

    @Test func thePINIsAskedForThreeTimes() throws {
        var machine = try Self.machine()
        _ = machine.begin()
        for attempt in 1...3 {
            #expect(machine.prepared(status: 401, []) == .askPIN(isAfterWrong: attempt > 1))
            #expect(machine.entered(pin: "\(attempt)") == .prepare(.prepareUpload(pin: "\(attempt)")))
        }
        #expect(machine.prepared(status: 401, []) == .end(.wrongPIN, nil))
    }

    @Test func aPINMayBeKnownRightOrNotGiven() throws {
        var known = try Self.machine()
        #expect(known.begin(pin: "1") == .prepare(.prepareUpload(pin: "1")))
        #expect(known.prepared(status: 401, []) == .askPIN(isAfterWrong: true))
        #expect(known.entered(pin: "2") == .prepare(.prepareUpload(pin: "2")))
        #expect(known.prepared(status: 200, Self.agreement(0)) == (try Self.uploads(0)))
        var none = try Self.machine()
        _ = none.begin()
        _ = none.prepared(status: 401, [])
        #expect(none.entered(pin: nil) == .end(.noPIN, nil))
        // LocalSend and localsendd lock after three wrong ones.
        var locked = try Self.machine()
        _ = locked.begin(pin: "1")
        #expect(locked.prepared(status: 429, []) == .end(.wrongPIN, nil))
    }

    @Test func whatIsDamagedIsSentThreeTimesInAll() throws {
        var machine = try Self.sending(2)
        #expect(machine.uploaded("0", status: 422) == (try Self.uploads(0)))
        #expect(machine.uploaded("0", status: 422) == (try Self.uploads(0)))
        // The other files may still arrive.
        #expect(machine.uploaded("0", status: 422) == (try Self.uploads(1)))
        #expect(machine.uploaded("1", status: 200) == .end(.damaged, nil))
        var mended = try Self.sending()
        _ = mended.uploaded("0", status: 422)
        #expect(mended.uploaded("0", status: 200) == .end(.complete, nil))
        // Some give the file up after the first time.
        var refused = try Self.sending()
        _ = refused.uploaded("0", status: 422)
        #expect(refused.uploaded("0", status: 403) == .end(.damaged, nil))
    }

    @Test func aFileThatFailsDoesNotStopTheOthers() throws {
        var machine = try Self.sending(3)
        #expect(machine.uploaded("0", status: 500) == (try Self.uploads(1)))
        #expect(machine.uploaded("1", status: 507) == (try Self.uploads(2)))
        #expect(machine.uploaded("2", status: 200) == .end(.failed(status: 500), nil))
    }

    @Test(arguments: [403, 404, 409, 410]) func aSessionThatIsGoneWasCancelled(_ status: Int) throws {
        var machine = try Self.sending(3, atOnce: 2)
        #expect(machine.uploaded("1", status: status) == .end(.cancelledThere, nil))
        #expect(machine.uploaded("0", status: 200) == .wait)
    }

    @Test func theDeviceStops() throws {
        var machine = try Self.sending()
        #expect(machine.cancelledThere("other") == .wait)
        #expect(machine.cancelledThere("s") == .end(.cancelledThere, nil))
        var waiting = try Self.machine()
        _ = waiting.begin()
        #expect(waiting.cancelledThere("s") == .wait)
    }

    @Test func thePersonStops() throws {
        var idle = try Self.machine()
        #expect(idle.stop() == .end(.stoppedHere, nil))
        #expect(idle.begin() == .wait)
        var waiting = try Self.machine()
        _ = waiting.begin()
        #expect(waiting.stop() == .end(.stoppedHere, .cancel(session: nil)))
        #expect(waiting.prepared(status: 200, Self.agreement(0)) == .wait)
        var asking = try Self.machine()
        _ = asking.begin()
        _ = asking.prepared(status: 401, [])
        #expect(asking.stop() == .end(.stoppedHere, nil))
        var sending = try Self.sending()
        #expect(sending.stop() == .end(.stoppedHere, .cancel(session: "s")))
        #expect(sending.stop() == .wait)
    }

    @Test func theConnectionIsLost() throws {
        var waiting = try Self.machine()
        _ = waiting.begin()
        #expect(waiting.lost() == .end(.unreachable, nil))
        var sending = try Self.sending()
        #expect(sending.lost() == .end(.lost, .cancel(session: "s")))
        #expect(sending.lost() == .wait)
    }

    @Test func anotherDeviceIsSentNothing() throws {
        var waiting = try Self.machine()
        _ = waiting.begin()
        #expect(waiting.metOtherDevice() == .end(.otherDevice, nil))
        var sending = try Self.sending()
        // It is not told the session either.
        #expect(sending.metOtherDevice() == .end(.otherDevice, nil))
        #expect(sending.metOtherDevice() == .wait)
    }
}
