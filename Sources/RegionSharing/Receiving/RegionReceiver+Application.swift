public import Logging
public import PeerCore
public import RegionStore

/// What an application needs: usual settings, and simple ways to say from whom to receive.
extension RegionReceiver {
    /// Creates what receives everything that a sender offers.
    ///
    /// If the person is asked, the search for a sender has no time limit; if not, it takes ten seconds. The machines that the store
    /// trusts are trusted, and those with which the person compares digits are added to them.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - local: This machine, whose application is the service that is searched for.
    ///   - consent: Who decides.
    ///   - configuration: The limits and preferences.
    ///   - logger: Logs details for diagnosis.
    ///   - person: Who is told and asked.
    public init(
        into store: RegionStore,
        as local: LocalPeer,
        consent: Consent,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        logger: Logger = Logger(label: "RegionSharing.receiver"),
        person: any Person
    ) {
        self.init(
            store: store,
            local: local,
            configuration: configuration,
            consent: consent,
            retries: 10,
            timeout: consent.asks ? nil : .seconds(10),
            browser: PeerBrowser(serviceType: local.application, ownID: local.id, logger: logger),
            trust: ToldTrust(peers: store.trustedPeers, person: person),
            logger: logger,
            person: person
        )
        let causes = CauseFinder(for: local.application)
        lookForCause = { await causes.cause(of: $0, $1, at: $2) }
        let recorder = PeerRecorder(store: store, person: person)
        remember = { try await recorder.note($0, isNew: $1) }
    }

    /// Searches for a sender, and receives from it.
    ///
    /// If there are several senders, the person picks one.
    ///
    /// - Parameters:
    ///   - query: A name, the beginning of an id, or a region, which selects the sender; nil for any sender.
    ///   - control: Stops the reception.
    /// - Throws: ``FindingError`` if there is no such sender; ``ReceivingError`` if its offer is not taken;
    ///   ``IncompleteReception`` if received files are kept for the next time; `PeerError` or `RegionStoreError` if it failed.
    public func run(
        fromSenderMatching query: String? = nil,
        _ control: TransferControl = TransferControl()
    ) async throws {
        try await run(
            from: { refusing, limit in
                let search = SenderSearch(
                    query: query,
                    after: refusing,
                    trustedPeers: try store.trustedPeers.all(),
                    timeout: limit
                )
                return try await control.untilCancelled {
                    try await PeerPicker(
                        browser: browser,
                        for: search,
                        consent: consent,
                        person: person,
                        links: links,
                        advise: { _, _ in }
                    ).choose()
                }
            },
            control
        )
    }

    /// Receives from a sender that was discovered.
    ///
    /// - Parameters:
    ///   - peer: The sender.
    ///   - control: Stops the reception.
    /// - Throws: As ``run(fromSenderMatching:_:)``.
    public func run(from peer: DiscoveredPeer, _ control: TransferControl = TransferControl()) async throws {
        try await run(from: { _, _ in .peer(peer) }, control)
    }

    /// Receives from the sender of a share link.
    ///
    /// If the link names a Wi-Fi network of the sender, this machine must be in it.
    ///
    /// - Parameters:
    ///   - link: The share link.
    ///   - control: Stops the reception.
    /// - Throws: As ``run(fromSenderMatching:_:)``.
    public func run(by link: ShareLink, _ control: TransferControl = TransferControl()) async throws {
        try await run(from: { _, _ in .link(link) }, control)
    }
}
