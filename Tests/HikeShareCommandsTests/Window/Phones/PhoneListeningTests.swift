import PeerTestSupport
import Testing

@testable import SharingWindow

/// What lets phones find this machine while the window is open.
@Suite(.timeLimit(.minutes(10))) struct PhoneListeningTests {
    /// Runs it while a test runs, and returns what has begun (+) and ended (-).
    private func run(_ body: @escaping @Sendable (PhoneListening, Log) async throws -> Void) async throws -> String {
        let (listening, log) = (PhoneListening(), Log())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await listening.run { stops in
                    log.add("+")
                    for await _ in stops {}
                    log.add("-")
                }
            }
            try await body(listening, log)
            listening.close()
            try await group.waitForAll()
        }
        return log.text
    }

    @Test func itBeginsAndEndsAsThePersonWants() async throws {
        let text = try await run { listening, log in
            listening.turn(on: true)
            await log.wait(for: "+")
            listening.turn(on: false)
            await log.wait(for: "+-")
            listening.turn(on: true)
            // Anew: this machine has another name.
            await log.wait(for: "+-+")
            listening.turn(on: true)
            await log.wait(for: "+-+-+")
        }
        #expect(text == "+-+-+-")
    }

    @Test func whatTakesItsPlaceBeginsAfterItsEnd() async throws {
        let text = try await run { listening, log in
            listening.turn(on: true)
            await log.wait(for: "+")
            try await listening.givePlace {
                log.add("job")
                // It is only noted.
                listening.turn(on: false)
                listening.turn(on: true)
            }
            await log.wait(for: "+-job+")
        }
        #expect(text == "+-job+-")
    }

    @Test func itStaysOffAfterWhatTookItsPlace() async throws {
        let text = try await run { listening, log in
            try await listening.givePlace { log.add("job") }
            await #expect(throws: CancellationError.self) {
                try await listening.givePlace { throw CancellationError() }
            }
        }
        #expect(text == "job")
    }

    /// Nothing waits for something that never runs, or not any more.
    @Test func itsPlaceIsFreeIfItDoesNotRun() async throws {
        let listening = PhoneListening()
        listening.turn(on: true)
        #expect(try await listening.givePlace { 1 } == 1)
        listening.close()
        await listening.run { _ in Issue.record("It was closed before.") }
        #expect(try await listening.givePlace { 2 } == 2)
    }

    /// What was wanted before it runs holds then.
    @Test func itBeginsWithWhatIsWanted() async throws {
        let (listening, log) = (PhoneListening(), Log())
        listening.turn(on: true)
        async let running: Void = listening.run { stops in
            log.add("+")
            for await _ in stops {}
        }
        await log.wait(for: "+")
        listening.close()
        await running
    }
}

/// What has happened, in order.
private final class Log: Sendable {
    private let entries = Locked("")

    var text: String { entries.withLock { $0 } }

    func add(_ entry: String) { entries.withLock { $0 += entry } }

    func wait(for text: String) async { while self.text != text { await Task.yield() } }
}
