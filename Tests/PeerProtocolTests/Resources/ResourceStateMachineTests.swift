import Testing

@testable import PeerProtocol

/// The rows of the table of resources in the documentation.
@Suite struct ResourceStateMachineTests {
    private typealias Action = ResourceStateMachine.Action

    private let secret: ConnectionSecret
    private let no = Refusal(.declined, "No.")

    init() throws {
        secret = try #require(ConnectionSecret(bytes: Array(repeating: 7, count: ConnectionSecret.byteCount)))
    }

    private func machine(
        _ role: ResourceStateMachine.Role,
        listens: Bool? = true,
        _ events: (inout ResourceStateMachine) -> Void...
    ) -> ResourceStateMachine {
        var machine = ResourceStateMachine(role, listens: listens)
        for event in events { event(&machine) }
        return machine
    }

    private static func accept(_ machine: inout ResourceStateMachine) {
        _ = machine.accepted() + machine.receivedAccept()
    }

    @Test func whoListensExpectsTheConnection() {
        var receiver = machine(.receiving)
        #expect(receiver.accepted() == [.tell(.accept), .expect])
        var sender = machine(.offering)
        #expect(sender.receivedAccept() == [.expect])
    }

    @Test func whoDialedWaitsForTheSecret() {
        var receiver = machine(.receiving, listens: false)
        #expect(receiver.accepted() == [.tell(.accept)])
        #expect(receiver.receivedAttach(secret) == [.dial(secret)])
        var sender = machine(.offering, listens: false)
        #expect(sender.receivedAttach(secret).isEmpty)
        #expect(sender.receivedAccept().isEmpty)
        #expect(sender.receivedAttach(secret) == [.dial(secret)])
    }

    /// The other side noticed first that the connection broke.
    @Test func anotherConnectionIsDialedWhenTheOneBeforeHasEnded() throws {
        let newest = try #require(ConnectionSecret(bytes: Array(repeating: 8, count: ConnectionSecret.byteCount)))
        var sender = machine(.offering, listens: false, Self.accept)
        #expect(sender.receivedAttach(secret) == [.dial(secret)])
        #expect(sender.receivedAttach(secret) == [.stop(reason: "")])
        #expect(sender.receivedAttach(secret).isEmpty && sender.receivedAttach(newest).isEmpty)
        var complete = sender
        #expect(complete.carried(.complete) == [.finish(.received)])
        #expect(sender.carried(.failed(reason: "stopped")) == [.dial(newest)])
        #expect(sender.carried(.broken) == [.retryLater])
    }

    @Test func connectionsThatAreStoppedForAnotherCountAsBroken() {
        var receiver = machine(.receiving, listens: false, Self.accept)
        #expect(receiver.receivedAttach(secret) == [.dial(secret)])
        for _ in 1..<ResourceStateMachine.maximumAttempts {
            #expect(receiver.receivedAttach(secret) == [.stop(reason: "")])
            #expect(receiver.carried(.failed(reason: "stopped")) == [.dial(secret)])
        }
        #expect(receiver.receivedAttach(secret) == [.stop(reason: "")])
        #expect(receiver.carried(.failed(reason: "stopped")).last == .finish(.brokeTooOften))
    }

    @Test func nothingIsDialedForALinkThatIsGone() {
        var sender = machine(.offering, listens: false, Self.accept)
        _ = sender.receivedAttach(secret) + sender.receivedAttach(secret)
        var ended = sender
        sender.linkDetached()
        #expect(sender.carried(.unconfirmed) == [.retryLater])
        #expect(sender.linkEnded() == [.finish(.unknown)])
        #expect(ended.linkEnded() == [.abandon])
        #expect(ended.carried(.failed(reason: "stopped")) == [.finish(.linkEnded)])
    }

    @Test func whoListensTakesNoSecret() {
        var sender = machine(.offering, Self.accept)
        #expect(sender.receivedAttach(secret).isEmpty)
    }

    @Test func theAnswerCountsOnce() {
        var receiver = machine(.receiving)
        #expect(receiver.declined(no) == [.tell(.decline(no)), .finish(.declined(no))])
        #expect(receiver.accepted().isEmpty && receiver.declined(no).isEmpty)
        var sender = machine(.offering)
        #expect(sender.receivedDecline(no) == [.finish(.declined(no))])
        #expect(sender.receivedAccept().isEmpty && sender.hasEnded)
        var accepted = machine(.offering, Self.accept)
        #expect(accepted.receivedDecline(no).isEmpty && !accepted.hasEnded)
    }

    @Test func onlyTheRightSideAnswers() {
        var receiver = machine(.receiving)
        #expect(receiver.receivedAccept().isEmpty && receiver.receivedDecline(no).isEmpty && receiver.isOffered)
        var sender = machine(.offering)
        #expect(sender.accepted().isEmpty && sender.declined(no).isEmpty && sender.isOffered)
    }

    @Test func theReceiverSaysThatItHasIt() {
        var receiver = machine(.receiving, Self.accept)
        #expect(receiver.carried(.complete) == [.tell(.received), .finish(.received)])
        var sender = machine(.offering, Self.accept)
        #expect(sender.carried(.complete) == [.finish(.received)])
        var unconfirmed = machine(.offering, Self.accept)
        #expect(unconfirmed.carried(.unconfirmed) == [.retryLater])
        #expect(unconfirmed.receivedReceived() == [.finish(.received)])
    }

    @Test func whatTheReceiverMayHaveIsSentAgainUnlessItSaysSo() {
        var sender = machine(.offering, Self.accept)
        #expect(sender.carried(.unconfirmed) == [.retryLater])
        #expect(sender.retry() == [.expect])
        #expect(sender.carried(.broken) == [.retryLater])
        #expect(sender.linkEnded() == [.finish(.unknown)])
    }

    @Test func nobodyHasWhatWasNotWanted() {
        var offered = machine(.offering)
        #expect(offered.receivedReceived().isEmpty && offered.isOffered)
        var receiver = machine(.receiving, Self.accept)
        #expect(receiver.receivedReceived().isEmpty && !receiver.hasEnded)
    }

    @Test func aBrokenConnectionIsMadeAgain() {
        var sender = machine(.offering, Self.accept)
        #expect(sender.carried(.broken) == [.retryLater])
        #expect(sender.retry() == [.expect])
        #expect(sender.carried(.broken) == [.retryLater])
        sender.linkDetached()
        #expect(sender.retry().isEmpty)
        #expect(sender.linkAttached(listens: true) == [.expect])
    }

    @Test func theSidesMayChangePlaces() {
        var sender = machine(.offering, Self.accept)
        _ = sender.carried(.broken)
        sender.linkDetached()
        #expect(sender.linkAttached(listens: false).isEmpty)
        #expect(sender.receivedAttach(secret) == [.dial(secret)])
    }

    @Test func tenBreaksInARowAreEnough() {
        var sender = machine(.offering, Self.accept)
        for _ in 1..<ResourceStateMachine.maximumAttempts {
            #expect(sender.carried(.broken) == [.retryLater])
            #expect(sender.retry() == [.expect])
        }
        var moving = sender
        moving.moved()
        #expect(moving.carried(.broken) == [.retryLater])
        let words = sender.carried(.broken)
        #expect(words.last == .finish(.brokeTooOften) && words.count == 2)
    }

    @Test func whatTryingDoesNotMendIsToldToTheOtherSide() {
        var sender = machine(.offering, Self.accept)
        #expect(
            sender.carried(.failed(reason: "The file is gone.")) == [
                .tell(.cancel(reason: "The file is gone.")), .finish(.failed),
            ]
        )
    }

    @Test func bothMayGiveItUpAtAnyTime() {
        for events in [[], [Self.accept]] {
            var own = machine(.receiving)
            for event in events { event(&own) }
            #expect(
                own.cancelled(reason: "x") == [.tell(.cancel(reason: "x")), .stop(reason: "x"), .finish(.cancelled)]
            )
            #expect(own.cancelled(reason: "x").isEmpty && own.receivedCancel(reason: "y").isEmpty)
            var other = machine(.receiving)
            for event in events { event(&other) }
            #expect(other.receivedCancel(reason: "y") == [.stop(reason: "y"), .finish(.cancelledByPeer(reason: "y"))])
            #expect(other.carried(.complete).isEmpty)
        }
    }

    @Test func theEndOfTheLinkEndsIt() {
        var offered = machine(.offering)
        #expect(offered.linkEnded() == [.finish(.linkEnded)])
        var waiting = machine(.receiving, listens: false, Self.accept)
        #expect(waiting.linkEnded() == [.finish(.linkEnded)])
        var unconfirmed = machine(.offering, Self.accept)
        _ = unconfirmed.carried(.unconfirmed)
        #expect(unconfirmed.linkEnded() == [.finish(.unknown)])
        for (carriage, outcome) in [
            (ResourceStateMachine.Carriage.complete, ResourceStateMachine.Outcome.received), (.broken, .linkEnded),
            (.unconfirmed, .unknown), (.failed(reason: "x"), .failed),
        ] {
            var carrying = machine(.offering, Self.accept)
            #expect(carrying.linkEnded() == [.abandon])
            #expect(carrying.carried(carriage) == [.finish(outcome)])
        }
    }
}
