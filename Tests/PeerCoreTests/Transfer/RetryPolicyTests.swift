import NIOCore
import PeerCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetryPolicyTests {
    private static func attempts(
        _ code: PeerError.Code,
        wasDiscovered: Bool,
        hasAgreed: Bool,
        retries: Int = 10
    ) -> Int {
        RetryPolicy.maximumAttempts(
            after: PeerError(code, "x"),
            wasDiscovered: wasDiscovered,
            hasAgreed: hasAgreed,
            retries
        )
    }

    @Test func whatWasAgreedOnIsTriedAgain() {
        for code in [PeerError.Code.connectionLost, .cannotConnect, .timedOut] {
            #expect(Self.attempts(code, wasDiscovered: false, hasAgreed: true) == 10)
        }
        for code in [PeerError.Code.declined, .notTrusted, .peerCancelled, .verificationFailed] {
            #expect(Self.attempts(code, wasDiscovered: false, hasAgreed: true) == 0)
        }
        #expect(RetryPolicy.maximumAttempts(after: CancellationError(), wasDiscovered: false, hasAgreed: true, 10) == 0)
    }

    @Test func whoWasFoundAndDoesNotAnswerIsLookedForAgain() {
        #expect(Self.attempts(.cannotConnect, wasDiscovered: true, hasAgreed: false) == 2)
        #expect(Self.attempts(.connectionLost, wasDiscovered: true, hasAgreed: false) == 0)
        #expect(Self.attempts(.cannotConnect, wasDiscovered: false, hasAgreed: false) == 0)
    }

    @Test func aSenderWhosePacketsGetLostIsTriedAgain() throws {
        func attempts(_ code: PeerError.Code, _ outcome: UnansweredConnection.Outcome) throws -> Int {
            let address = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
            return RetryPolicy.maximumAttempts(
                after: PeerError(code, "x", cause: UnansweredConnection([(address, outcome)])),
                wasDiscovered: code == .cannotConnect,
                hasAgreed: false,
                10
            )
        }
        #expect(try attempts(.cannotConnect, .silent) == 2)
        #expect(try attempts(.timedOut, .speechless) == 2, "it accepts connections")
        #expect(try attempts(.protocolViolation, .webPage) == 0, "that does not go away")
    }

    /// No person was asked yet, so nobody is asked twice.
    @Test func whoseFirstPacketsAreLostIsTriedAgainAndNotAPersonWhoDoesNotAnswer() {
        func attempts(after error: PeerError) -> Int {
            RetryPolicy.maximumAttempts(after: error, wasDiscovered: false, hasAgreed: false, 10)
        }
        #expect(attempts(after: .deadline(.pairing)) == 2)
        #expect(attempts(after: .deadline(.greeting)) == 2)
        #expect(attempts(after: .deadline(.invitation)) == 0)
        #expect(!RetryPolicy.isLostOnTheWay(CancellationError()))
    }

    @Test(arguments: [0, 1, 2]) func noMoreAttemptsAreMadeThanThePersonAllows(retries: Int) {
        for hasAgreed in [false, true] {
            let attempts = Self.attempts(.cannotConnect, wasDiscovered: true, hasAgreed: hasAgreed, retries: retries)
            #expect(attempts == retries)
        }
    }

    /// Without a network of its own, the machine has not tried anything.
    @Test func attemptsWithoutANetworkDoNotCount() {
        var policy = RetryPolicy()
        func tries(atMost limit: Int, isOffline: Bool) -> Bool {
            policy.triesAgain(atMost: limit, storedBefore: 0, storedNow: 0, isOffline: isOffline)
        }
        for _ in 0..<100 {
            #expect(tries(atMost: 1, isOffline: true))
        }
        #expect(!tries(atMost: 0, isOffline: true))
        #expect(tries(atMost: 1, isOffline: false))
        #expect(!tries(atMost: 1, isOffline: false))
    }

    @Test func lookingForASenderEndsInTime() {
        let now = ContinuousClock.now
        let patience = { (hasAgreed: Bool, left: Duration) in
            RetryPolicy.patience(hasAgreed: hasAgreed, until: now + left, at: now)
        }
        #expect(patience(false, .seconds(9)) == .seconds(5))
        #expect(patience(false, .seconds(2)) == .seconds(2))
        #expect(patience(false, .zero) == nil)
        #expect(patience(true, .seconds(-60)) == .seconds(5), "what was agreed on has no such limit")
    }

    @Test func whoWasThereAndDoesNotAnswerAnyMoreIsLost() {
        let error = PeerError(.cannotConnect, "The other machine does not answer.", remedy: "Look there.")
        let lost = RetryPolicy.conclusion(error, hasAgreed: true)
        #expect((lost as? PeerError)?.code == .connectionLost)
        #expect((lost as? PeerError)?.message.hasSuffix("lost. The other machine does not answer.") == true)
        #expect((lost as? PeerError)?.remedy == "Look there.")
        #expect((RetryPolicy.conclusion(error, hasAgreed: false) as? PeerError)?.code == .cannotConnect)
        let declined = RetryPolicy.conclusion(PeerError(.declined, "No."), hasAgreed: true)
        #expect((declined as? PeerError)?.code == .declined)
    }

    @Test(
        arguments: [
            // What is here after each attempt; whether there is a further one.
            ([0, 0, 0], [true, true, false]),
            ([5, 5, 5], [true, true, false]),
            ([5, 5, 6, 6, 6], [true, true, true, true, false]),
            // Less than before is nothing new.
            ([9, 3, 3], [true, true, false]),
        ] as [([UInt64], [Bool])]
    )
    func attemptsAreCountedFromTheLastThatBroughtSomething(here: [UInt64], further: [Bool]) {
        var policy = RetryPolicy()
        var kept: UInt64 = 0
        var isTried: [Bool] = []
        for now in here {
            isTried.append(policy.triesAgain(atMost: 2, storedBefore: kept, storedNow: now))
            kept = now
        }
        #expect(isTried == further)
    }
}
