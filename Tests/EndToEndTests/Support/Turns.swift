import PeerTestSupport
import Testing

/// Lets only some of the tests run at once: each of them runs several programs, whose timers are real.
struct Turns: SuiteTrait, TestTrait, TestScoping {
    private static let semaphore = AsyncSemaphore(4)

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await Self.semaphore.whenFree { try await function() }
    }
}

extension Trait where Self == Turns {
    /// Takes turns with the other tests that run programs.
    static var takingTurns: Self { Turns() }
}
