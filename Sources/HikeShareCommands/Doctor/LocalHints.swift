import Diagnosis
import PeerCore

/// An error with hints about this machine.
struct HintedError: Error {
    /// The error.
    var underlying: any Error
    /// What stands in the way on this machine.
    var hints: [DisplayText]
}

/// What stands in the way on this machine, for commands that have failed.
enum LocalHints {
    /// Findings that say the same as the error that discovery is not available.
    private static let said: Set<Finding.Code> = [.avahiStopped, .avahiSilent, .busStopped]

    /// Runs `body`, and adds hints to its error if the other machine was not found or did not answer.
    static func adding(to body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw await hinted(error)
        }
    }

    /// What stands in the way of discovery.
    static func forDiscovery() async -> [DisplayText] {
        await Examination(application: .hikeshare, storePath: "").hintsForDiscovery().map(text)
    }

    /// Says what is missing if the machine has no usable network.
    static func noteNetwork(on console: Console) {
        for finding in Examination.hintsForConnecting() { console.note(text(finding)) }
    }

    private static func hinted(_ error: any Error) async -> any Error {
        var hints: [DisplayText]
        switch (error as? IncompleteReception)?.underlying ?? error {
        case let error as CommandError where error.code == .noPeerFound:
            hints = await forDiscovery()
        case let error as PeerError where error.code == .discoveryUnavailable:
            let examination = Examination(application: .hikeshare, storePath: "")
            hints = await examination.hintsForDiscovery().filter { !said.contains($0.code) }.map(text)
        case let error as PeerError where error.code == .cannotConnect:
            hints = Examination.hintsForConnecting().map(text)
        default:
            hints = []
        }
        return hints.isEmpty ? error : HintedError(underlying: error, hints: hints)
    }

    /// A finding as one line.
    static func text(_ finding: Finding) -> DisplayText {
        let words = [finding.message, finding.remedy].compactMap { $0 }.joined(separator: " ")
        guard let command = finding.command else { return DisplayText(escaping: words) }
        return "\(words)  \(command, .command)"
    }
}
