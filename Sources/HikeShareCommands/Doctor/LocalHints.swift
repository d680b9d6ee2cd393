import Diagnosis
import PeerCore
import RegionSharing
import Sentences
import SharingReports

/// What stands in the way on this machine, for commands that have failed.
enum LocalHints {
    /// Findings that say the same as the error that discovery is not available, with the same remedy.
    private static let said: Set<Finding.Code> = [.avahiStopped, .avahiSilent, .busStopped]
    private static let causes = CauseFinder(for: .hikeshare)

    /// Runs `body`, and adds hints to its error if the other machine was not found or did not answer.
    ///
    /// The error is told before they are looked for. A request to stop ends the search.
    static func adding(
        on console: Console,
        _ source: PeerFacts.Source = .announced,
        to body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await Interruption.watch {
            false
        } conclude: { error in
            let interruption = CommandError(.interrupted, "Interrupted.")
            let incomplete = ((error as? HintedError)?.underlying ?? error) as? IncompleteReception
            return incomplete.map { IncompleteReception(underlying: interruption, kept: $0.kept) } ?? interruption
        } _: {
            do {
                try await body()
            } catch  where mayBeHinted(error) {
                throw await hinted(error, source, tellingOn: console)
            }
        }
    }

    /// Tells an error, and adds hints to it.
    private static func hinted(
        _ error: any Error,
        _ source: PeerFacts.Source,
        tellingOn console: Console
    ) async -> HintedError {
        let problem = ProblemReport(error)
        let report = PlainReport(
            ["type": "failed", "code": problem.code, "message": problem.message.english],
            problem.headline
        )
        console.emitForPrograms(report)
        let isTold = console.format == .text
        if isTold { console.tell(report.text) }
        let looking: DisplayText = "Looking for the cause…"
        console.show(isTold ? looking : "\(problem.message) \(looking)")
        defer { console.show(nil) }
        var found = await hinted(error, source)
        found.told = isTold ? problem.message : nil
        return found
    }

    /// Whether something on this machine or on the way may explain an error.
    static func mayBeHinted(_ error: any Error) -> Bool {
        switch (error as? IncompleteReception)?.underlying ?? error {
        case FindingError.noSender(_, let others): others.isEmpty
        case let error as PeerError: error.code == .discoveryUnavailable || error.cause is UnansweredConnection
        default: false
        }
    }

    /// What to check if no sender is found; without a network, only that.
    static func forDiscovery() async -> [Hint] {
        let findings = await causes.discovery()
        return findings.map(\.hint) + (findings.contains(where: \.isAbsence) ? [] : CommandError.whatToCheck)
    }

    /// What is missing if the machine has no usable network, for which the program waits.
    static func forConnecting() -> [Hint] {
        CauseFinder.here().map { $0.isAbsence ? waiting(for: $0) : $0.hint }
    }

    /// Says what is missing if the machine has no usable network, for which the program waits.
    static func noteNetwork(on console: Console) {
        for hint in forConnecting() { console.note(hint.typed) }
    }

    /// Says why this machine is on no network, and that the program waits.
    static func waiting(for absence: Finding) -> Hint {
        absence.hint(adding: "hikeshare goes on by itself when there is one.")
    }

    /// Looks for what on this machine or on the way may explain an error, and adds it.
    static func hinted(_ wholeError: any Error, _ source: PeerFacts.Source) async -> HintedError {
        switch (wholeError as? IncompleteReception)?.underlying ?? wholeError {
        case let error as FindingError:
            let (words, hints) = (error.words, await forDiscovery())
            let remedy = hints.count > 1 ? words.remedy : nil
            return HintedError(underlying: CommandError(words.code, words.message, remedy: remedy), hints: hints)
        case let error as PeerError:
            guard let unanswered = error.cause as? UnansweredConnection else {
                let findings = await causes.discovery().filter { !said.contains($0.code) }
                // What was found out of the daemon is said in the place of a remedy that does not know it.
                guard findings.contains(where: { $0.subject == .discovery }) else {
                    return HintedError(underlying: wholeError, hints: findings.map(\.hint))
                }
                return HintedError(underlying: error.advising(nil), hints: findings.map(\.hint))
            }
            let findings = await causes.connection(after: unanswered, source)
            // Who is announced or heard at that moment still sends; then something else has refused.
            if findings.first?.code == .portRefused, source != .announced {
                return HintedError(underlying: stopped(wholeError, error))
            }
            return HintedError(underlying: wholeError, hints: findings.map(\.hint))
        default:
            return HintedError(underlying: wholeError)
        }
    }

    /// The error that the sender's machine is there, and that nothing listens at its port any more.
    private static func stopped(_ wholeError: any Error, _ error: PeerError) -> any Error {
        let message = "The sender's laptop is there, but sends nothing now."
        let stopped = PeerError(error.code, message, cause: SenderStopped())
        guard var incomplete = wholeError as? IncompleteReception else { return stopped }
        incomplete.underlying = stopped
        return incomplete
    }
}
