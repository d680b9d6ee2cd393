public import PeerCore
public import RegionStore

/// What an application needs: usual settings.
extension RegionSender {
    /// Creates a sender of regions, as they are in the store now; receivers pick if there are several.
    ///
    /// Blocks while it reads what is offered, which may take seconds for a large map. The machines that the store trusts are trusted,
    /// and those with which the person compares digits are added to them.
    ///
    /// - Parameters:
    ///   - regions: The regions.
    ///   - wish: What to send of them.
    ///   - store: The store.
    ///   - local: This machine.
    ///   - consent: Who decides.
    ///   - configuration: The limits and preferences.
    ///   - person: Who is told and asked.
    /// - Throws: `RegionStoreError` if there is no region, or one that cannot be sent so;
    ///   ``SendingError/tooManyRegions(maximum:)``.
    public init(
        sending regions: [RegionSummary],
        _ wish: SendingWish = SendingWish(),
        of store: RegionStore,
        as local: LocalPeer,
        consent: Consent,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        person: any Person
    ) throws {
        try self.init(
            try wish.offer(regions, of: store, for: person),
            of: store,
            local: local,
            configuration: configuration,
            consent: consent,
            person: person
        )
    }
}
