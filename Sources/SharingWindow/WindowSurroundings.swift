package import FoundationEssentials
package import MapPages
package import PeerCore
package import RegionSharing
package import RegionStore
package import SharingReports

/// What the window needs of the program around it, and what this machine says of itself.
package struct WindowSurroundings: Sendable {
    /// Makes what phones get of what this machine sends from a store: a page, LocalSend or both.
    package typealias MakingCompanion =
        @Sendable (
            _ sent: [SentRegion], _ store: RegionStore, _ local: LocalPeer, _ person: any Person,
            _ ways: PhoneWaysChoice
        ) -> any SenderCompanion
    /// Lets phones that have LocalSend find this machine, and send to a store, while a body runs.
    ///
    /// The body can ask whether something of a phone comes, or waits for a decision.
    package typealias Listening =
        @Sendable (
            _ store: RegionStore, _ local: LocalPeer, _ person: any Person,
            _ body: @escaping @Sendable (_ isBusy: @escaping @Sendable () -> Bool) async throws -> Void
        ) async throws -> Void

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
    /// Examines this machine with a store, and the way to the machine at some addresses, or else to all that are found.
    package var examine: @Sendable (_ store: String, _ addresses: [PeerAddress]) async throws -> DoctorReport = {
        _,
        _ in
        DoctorReport(findings: [])
    }
    /// The name of the active firewall; nil for none.
    package var firewall: @Sendable () -> String? = { nil }
    /// Where sticks and other drives are mounted.
    package var drives = MountedDrives(below: [])
    /// Makes what phones get beside receivers.
    package var companion: MakingCompanion
    /// Lets phones find this machine; nil where that is not wished.
    package var listen: Listening?
    /// Draws sheets of paper.
    package var draw: ShareFiles.SheetDrawer = { _, _, _ in
        throw RegionStoreError(.invalidArgument, "This program cannot draw sheets of paper.")
    }
    /// Removes the copies for map programs of a region that was removed, or only those of its items.
    package var removeCopies: @Sendable (_ region: UUID, _ onlyItems: Bool) -> DesktopFolder.Removal = { _, _ in .none }

    /// Creates surroundings that say nothing.
    package init(
        configuration: ConnectionConfiguration,
        browser: @escaping @Sendable (_ ownID: PeerID, _ limit: Duration?) -> PeerBrowser,
        companion: @escaping MakingCompanion
    ) {
        (self.configuration, self.browser, self.companion) = (configuration, browser, companion)
    }
}
