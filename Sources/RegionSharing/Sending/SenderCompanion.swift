package import PeerCore

/// Something that is served beside the regions of a sender, in the same networks.
package protocol SenderCompanion: Sendable {
    /// The turns of receivers and of those that it serves.
    var turns: SendingTurns { get }

    /// Prepares itself before the sender listens, and asks what must be asked.
    ///
    /// - Parameter network: The Wi-Fi network that this machine has made; nil for none.
    /// - Throws: An error if it cannot be served.
    mutating func prepare(in network: OwnHotspot?) async throws

    /// Serves while `body` runs.
    ///
    /// The sender listens already, so that its port is not taken.
    ///
    /// - Throws: An error if it cannot be served; the error of `body`.
    func serve(during body: @escaping @Sendable () async throws -> Void) async throws
}
