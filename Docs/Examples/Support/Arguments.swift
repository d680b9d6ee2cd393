import Foundation
import Logging
package import NearbyPeers

/// The command line of an example: `NAME KEY-FILE [OPTION...]`.
package struct Arguments: Sendable {
    /// The name that other people see.
    package var name: String
    /// The file of this machine's key; created if it does not exist.
    ///
    /// The trusted peers are kept beside it.
    package var keyFile: String
    /// The options, such as `--everyone`.
    package var options: Set<String>

    /// Reads the command line of this process.
    ///
    /// - Parameter allowed: The options of the program, beside `--everyone`.
    /// - Returns: The arguments; nil if they are wrong, which is shown.
    package static func read(options allowed: Set<String> = []) -> Arguments? {
        let words = CommandLine.arguments.dropFirst()
        let options = Set(words.filter { $0.hasPrefix("--") })
        let others = words.filter { !$0.hasPrefix("--") }
        let known = allowed.union(["--everyone"])
        guard others.count == 2, let name = others.first, let keyFile = others.last, options.isSubset(of: known) else {
            show("Usage: NAME KEY-FILE " + known.sorted().map { "[\($0)]" }.joined(separator: " "))
            return nil
        }
        return Arguments(name: name, keyFile: keyFile, options: options)
    }

    /// Makes the settings of a session that asks `person` about peers that it does not know.
    ///
    /// With `--everyone`, the program does not ask: any machine nearby can connect, under any name. For demonstrations only.
    ///
    /// - Throws: ``PeerError`` if the service is no name of a service or the key cannot be read; an error of the trust file.
    package func configuration(
        service: String,
        software: String,
        asking person: Person
    ) throws -> PeerSession.Configuration {
        let application = try PeerServiceType(validating: service)
        let local = LocalPeer(
            application: application,
            identity: try .load(orCreateAt: keyFile, for: application),
            displayName: name,
            software: software
        )
        var configuration = PeerSession.Configuration(local: local)
        // States are shown by the program itself.
        configuration.logger.logLevel = .warning
        if options.contains("--everyone") {
            configuration.admission = .everyone
            return configuration
        }
        configuration.trust = try TrustFile(at: keyFile + ".trusted")
        configuration.admission = .trusted { peer, digits in
            await person.compares(digits, with: peer.displayName) ? .same : .different
        }
        return configuration
    }
}

extension Person {
    /// Asks whether the digits are the same on both screens.
    package func compares(_ digits: PairingDigits, with name: String) async -> Bool {
        await says("\(name): \(digits.text). Are these digits on the other screen?", about: name)
    }

    /// Asks about each invitation of a peer that is not known, until the session ends.
    package func answer(_ invitations: IncomingInvitations) async {
        await withDiscardingTaskGroup { group in
            for await invitation in invitations {
                group.addTask { await self.answer(invitation) }
            }
        }
    }

    private func answer(_ invitation: IncomingInvitation) async {
        let name = invitation.peer.displayName
        let isWelcome =
            if let digits = invitation.digits {
                await compares(digits, with: name)
            } else {
                await says("\(name) wants to connect. Is that all right?", about: name)
            }
        guard isWelcome else { return await invitation.decline("The person there said no.") }
        do {
            try await invitation.accept(.same)
        } catch {
            show("\(name) is not connected: \(error.message)")
        }
    }
}

extension PeerSession {
    /// Announces this machine until the task is cancelled; an error is shown, and ends nothing else.
    package func announce(info: [String: String] = [:]) async {
        do {
            try await advertise(info: info)
        } catch let error where error.code != .cancelled {
            show("others cannot find this machine: \(error.message)")
        } catch {}
    }
}
