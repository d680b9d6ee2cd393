import Diagnosis
import HostNetwork
import PeerCore
import RegionSharing
import SharingReports

/// Examines this machine for the command `hikeshare doctor`.
struct Doctor: Sendable {
    /// The folder of the store.
    var storePath: String
    /// The only machine to look at; nil for all that are found.
    var destination: PeerAddress?

    /// Examines everything, for a few seconds.
    ///
    /// - Returns: The report.
    /// - Throws: `CancellationError`.
    func examine() async throws -> DoctorReport {
        let examination = Examination(application: .hikeshare, ownNetwork: OwnNetworkCheck.run)
        var further: [Finding] = []
        var facts: NetworkFacts
        do {
            facts = await examination.everything(to: try await resolve())
            if destination != nil, let own = facts.peers.first?.ways.lazy.compactMap(\.source).first {
                further.append(Finding(.otherDirection(own: own.description), .note))
            }
        } catch let error as PeerError {
            facts = await examination.everything()
            further.append(Finding(.unknownHost(destination?.host ?? error.message), .problem))
        }
        try Task.checkCancellation()
        let machine = [
            Judgement.firewall(facts.machine.firewall, port: PeerServiceType.hikeshare.defaultPort ?? 0),
            Judgement.clock(ClockFacts(reading: storePath)), Judgement.storage(StoreFacts(reading: storePath)),
        ]
        return DoctorReport(findings: Judgement.findings(of: facts) + machine.compactMap { $0 } + further)
    }

    private func resolve() async throws -> Examination.Destination? {
        guard let destination else { return nil }
        return Examination.Destination(name: destination.host, addresses: try await destination.resolve())
    }
}
