import PeerProtocol
import Testing

@Suite struct HandshakeStateMachineTests {
    /// Every state, reached by legal events only.
    enum State: CaseIterable {
        case idle
        case awaitingHello
        case connected
        case failed
    }

    static func machine(in state: State) -> HandshakeStateMachine {
        var machine = HandshakeStateMachine(hello: Sample.hello)
        if state == .idle { return machine }
        _ = machine.start()
        if state == .awaitingHello { return machine }
        if state == .failed {
            _ = machine.receivedOther(.invite)
            return machine
        }
        _ = machine.receivedHello(Sample.receiverHello, certificate: Sample.receiver)
        return machine
    }

    private func outOfTurn(_ type: FrameType) -> ProtocolError {
        ProtocolError(.unexpectedFrame, "The other side sent a \(type) frame out of turn.")
    }

    @Test(arguments: State.allCases)
    func start(state: State) {
        var machine = Self.machine(in: state)
        expect(machine.start(), equals: (state == .idle ? .sendHello(Sample.hello) : .none))
    }

    @Test(arguments: State.allCases)
    func receivedHello(state: State) {
        var machine = Self.machine(in: state)
        let action = machine.receivedHello(Sample.receiverHello, certificate: Sample.receiver)
        #expect(
            action == (state == .awaitingHello ? .connect(Sample.receiverHello, .version1) : .fail(outOfTurn(.hello)))
        )
    }

    @Test(arguments: State.allCases, [FrameType.invite, .data, .ping, .manifest])
    func receivedOther(state: State, type: FrameType) {
        var machine = Self.machine(in: state)
        expect(machine.receivedOther(type), equals: outOfTurn(type))
        #expect(!machine.isConnected)
        let action = machine.receivedHello(Sample.receiverHello, certificate: Sample.receiver)
        #expect(action == .fail(outOfTurn(.hello)))
    }

    @Test(arguments: [
        ([2], "newer", "this machine"), ([2, 3], "newer", "this machine"), ([0], "older", "the other machine"),
        ([], "older", "the other machine"),
    ])
    func saysWhichMachineToUpdate(versions: [Int], age: String, machineToUpdate: String) {
        var machine = Self.machine(in: .awaitingHello)
        var hello = Sample.receiverHello
        hello.versions = versions.map { ProtocolVersion($0) }
        guard case .fail(let error) = machine.receivedHello(hello, certificate: Sample.receiver) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unsupportedVersion)
        #expect(error.message.contains(age) && error.message.contains(machineToUpdate))
    }

    @Test(arguments: [Conversation.Side.listener, .dialer]) func twoOfTheSameRoleRefuseEachOther(
        role: Conversation.Side
    ) {
        var (ours, theirs) = (Sample.hello, Sample.receiverHello)
        (ours.role, theirs.role) = (role, role)
        var machine = HandshakeStateMachine(hello: ours)
        _ = machine.start()
        guard case .fail(let error) = machine.receivedHello(theirs, certificate: Sample.receiver) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .unexpectedFrame)
        #expect(error.message.contains("Both sides say that they are the \(role)"))
    }

    @Test func refusesAnotherApplication() {
        var machine = Self.machine(in: .awaitingHello)
        var hello = Sample.receiverHello
        hello.application = "notes"
        guard case .fail(let error) = machine.receivedHello(hello, certificate: Sample.receiver) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .otherApplication)
        #expect(error.message.contains("“hikeshare” here") && error.message.contains("“notes” at the other side"))
    }

    @Test func anUnknownHigherVersionBesideACommonOneDoesNoHarm() {
        var machine = Self.machine(in: .awaitingHello)
        var hello = Sample.receiverHello
        hello.versions = [ProtocolVersion(9), .version1]
        expect(machine.receivedHello(hello, certificate: Sample.receiver), equals: .connect(hello, .version1))
    }

    @Test func theCertificateDecidesWhoThePeerIs() {
        var honest = Self.machine(in: .awaitingHello)
        let action = honest.receivedHello(Sample.receiverHello, certificate: Sample.receiver)
        #expect(action == .connect(Sample.receiverHello, .version1))
        var liar = Self.machine(in: .awaitingHello)
        let other = PeerID(digest: ContentDigest(hashing: [1]))
        guard case .fail(let error) = liar.receivedHello(Sample.receiverHello, certificate: other) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .identityMismatch)
        #expect(error.message.contains(other.short) && error.message.contains(Sample.receiver.short))
    }

    @Test func refusesItsOwnIdentity() {
        var machine = Self.machine(in: .awaitingHello)
        guard case .fail(let error) = machine.receivedHello(Sample.hello, certificate: Sample.sender) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .identityMismatch)
    }

    @Test(arguments: EncryptionPreference.allCases, EncryptionPreference.allCases)
    func plainTextNeedsASideThatWantsItAndOneThatAllowsIt(ours: EncryptionPreference, theirs: EncryptionPreference) {
        var hello = Sample.hello
        hello.encryption = ours
        var machine = HandshakeStateMachine(hello: hello)
        _ = machine.start()
        var answer = Sample.receiverHello
        answer.encryption = theirs
        let isAllowed =
            switch (ours, theirs) {
            case (.none, .none), (.none, .optional), (.optional, .none): true
            default: false
            }
        switch machine.receivedHello(answer, certificate: nil) {
        case .connect: #expect(isAllowed)
        case .fail(let error):
            #expect(!isAllowed)
            #expect(error.code == .encryptionMismatch)
        }
    }
}
