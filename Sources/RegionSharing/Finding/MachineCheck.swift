package import Diagnosis
import HostNetwork
package import PeerCore

/// Examines this machine, and the ways to others.
package struct MachineCheck: Sendable {
    /// The application.
    private let application: PeerServiceType
    /// The folder of the store.
    private let storePath: String

    package init(for application: PeerServiceType, store path: String) {
        (self.application, storePath) = (application, path)
    }

    /// Examines everything, for a few seconds.
    ///
    /// - Parameter addresses: Those of the only machine to look at; empty for all that are found.
    package func examine(wayTo addresses: [PeerAddress] = []) async throws -> [Finding] {
        let examination = Examination(application: application, ownNetwork: OwnNetworkCheck.run)
        var further: [Finding] = []
        async let phones = Examination.phones()
        var facts: NetworkFacts
        do {
            facts = await examination.everything(to: try await Self.resolve(addresses))
            if !addresses.isEmpty, let own = facts.peers.first?.ways.lazy.compactMap(\.source).first {
                further.append(Finding(.otherDirection(own: own.description), .note))
            }
        } catch let error as PeerError {
            facts = await examination.everything()
            further.append(Finding(.unknownHost(addresses.first?.host ?? error.message), .problem))
        }
        try Task.checkCancellation()
        let machine = [
            Judgement.firewall(facts.machine.firewall, port: application.defaultPort ?? 0),
            Judgement.clock(ClockFacts(reading: storePath)), Judgement.storage(StoreFacts(reading: storePath)),
        ]
        return Judgement.findings(of: facts) + Judgement.phones(await phones) + machine.compactMap { $0 } + further
    }

    private static func resolve(_ addresses: [PeerAddress]) async throws -> Examination.Destination? {
        guard let first = addresses.first else { return nil }
        var resolved = try await first.resolve()
        // The others are those of the same machine.
        for address in addresses.dropFirst() { resolved += (try? await address.resolve()) ?? [] }
        return Examination.Destination(name: first.host, addresses: resolved)
    }
}
