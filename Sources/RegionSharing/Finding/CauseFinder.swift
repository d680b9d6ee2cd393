package import Diagnosis
package import PeerCore

/// Looks for why machines do not meet, and asks the one judgement of all faces.
package struct CauseFinder: Sendable {
    private let examination: Examination

    /// Creates a finder of causes.
    package init(for application: PeerServiceType) {
        examination = Examination(application: application, ownNetwork: OwnNetworkCheck.run)
    }

    /// Says why this machine is on no network; nil if it is on one.
    package static func missingNetwork() -> Finding? {
        let facts = Examination.here()
        return facts.machine.usableInterfaces.isEmpty ? Judgement.findings(of: facts).first : nil
    }

    /// Says what on this machine keeps it apart from others; sends nothing.
    package static func here() -> [Finding] { standing(in: Judgement.findings(of: Examination.here())) }

    /// Says within a second whether discovery works on this machine, without a search for senders.
    package func discovery() async -> [Finding] {
        if let absence = Self.missingNetwork() { return [absence] }
        return Self.standing(in: Judgement.findings(of: await examination.discovery()))
    }

    /// Says why no address of a sender has led to it, the cause first.
    package func connection(after unanswered: UnansweredConnection, _ source: PeerFacts.Source) async -> [Finding] {
        let facts = await examination.connection(after: unanswered, to: "the sender", source)
        return Self.standing(in: Judgement.findings(of: facts))
    }

    /// Looks for what keeps the machines apart after an error of a reception; nil if nothing is known.
    package func cause(
        of error: any Error,
        _ look: NetworkCause.Look,
        at location: SenderLocation
    ) async -> NetworkCause? {
        guard let unanswered = (error as? PeerError)?.cause as? UnansweredConnection, !unanswered.isAtHome else {
            return nil
        }
        let finding: Finding? =
            switch look {
            case .network: Self.missingNetwork()
            case .machine: Self.here().first { $0.severity == .problem }
            case .everything: await connection(after: unanswered, location.source).first { $0.severity == .problem }
            }
        return finding.map { NetworkCause(finding: $0) }
    }

    /// Returns what stands in the way: the problems, or else the warnings.
    private static func standing(in findings: [Finding]) -> [Finding] {
        let problems = findings.filter { $0.severity == .problem }
        return problems.isEmpty ? findings.filter { $0.severity == .warning } : problems
    }
}

extension SenderLocation {
    /// How this machine knows of the sender.
    package var source: PeerFacts.Source {
        switch self {
        case .peer: .announced
        case .link: .linked
        case .address: .named
        }
    }
}
