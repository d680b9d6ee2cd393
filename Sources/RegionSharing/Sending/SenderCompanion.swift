package import PeerCore

/// Something that is served beside the regions of a sender, in the same networks.
package protocol SenderCompanion: Sendable {
    /// The turns of receivers and of those that it serves.
    var turns: SendingTurns { get }

    /// Whether a network of this machine's own must be one that phones can use.
    var needsPhones: Bool { get }

    /// What it gives to others besides the regions.
    var activity: CompanionActivity { get }

    /// Prepares itself before the sender listens in its own network or in others, and asks what must be asked.
    mutating func prepare(in network: OwnHotspot?) async throws

    /// Serves while `body` runs; the sender listens already, so that its port is not taken.
    func serve(during body: @escaping @Sendable () async throws -> Void) async throws
}

extension SenderCompanion {
    package var needsPhones: Bool { true }
    package var activity: CompanionActivity { CompanionActivity() }
}
