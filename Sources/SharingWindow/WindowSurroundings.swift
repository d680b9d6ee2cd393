package import PeerCore
package import RegionSharing
package import RegionStore
package import SharingReports

/// What the window needs of the program around it, and what this machine says of itself.
package struct WindowSurroundings: Sendable {
    /// Makes a page for phones of what is sent from a store, with the id of this machine.
    package typealias MakingPage =
        @Sendable (_ sent: [SentRegion], _ store: RegionStore, _ ownID: PeerID, _ person: any Person) ->
        any SenderCompanion

    /// The limits and preferences of transfers.
    package var configuration = ConnectionConfiguration()
    /// Creates what finds senders: not the machine with this id, and within a time limit, or without one.
    package var browser: @Sendable (_ ownID: PeerID, _ limit: Duration?) -> PeerBrowser
    /// What to check if no sender is found.
    package var whatToCheck: @Sendable () async -> [Hint] = { [] }
    /// What is missing if this machine has no usable network.
    package var networkHints: @Sendable () -> [Hint] = { [] }
    /// Looks for why a sender did not answer.
    package var lookForCause: @Sendable (any Error, NetworkCause.Look, SenderLocation) async -> NetworkCause? = {
        _,
        _,
        _ in nil
    }
    /// Looks for the cause of an error of a reception, from a share link or not; nil if it has nothing to do with the network.
    package var explaining: @Sendable (any Error, _ hasLink: Bool) -> (@Sendable () async -> any Error)? = { _, _ in nil
    }
    /// The name of the active firewall; nil for none.
    package var firewall: @Sendable () -> String? = { nil }
    /// Makes the page for phones.
    package var page: MakingPage

    /// Creates surroundings that say nothing.
    package init(
        configuration: ConnectionConfiguration,
        browser: @escaping @Sendable (_ ownID: PeerID, _ limit: Duration?) -> PeerBrowser,
        page: @escaping MakingPage
    ) {
        (self.configuration, self.browser, self.page) = (configuration, browser, page)
    }
}
