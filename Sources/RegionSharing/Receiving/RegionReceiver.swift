public import Logging
public import PeerCore
public import RegionStore

/// Receives regions from one sender into a store.
///
/// ```swift
/// let store = try RegionStore(path: "/home/anna/maps")
/// let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "maps 1")
/// let receiver = RegionReceiver(into: store, as: local, consent: .knownMachines, person: person)
/// try await receiver.run(fromSenderMatching: "Ben")
/// ```
public struct RegionReceiver: Sendable {
    /// The store.
    public var store: RegionStore
    /// This machine.
    public var local: LocalPeer
    /// The limits and preferences.
    public var configuration: ConnectionConfiguration
    /// The kinds that are wanted; nil for all.
    public var kinds: Set<ResourceKind>?
    /// The hikes and planned routes that are wanted.
    package var routes = RouteSelection.all
    /// The part of the map to ask for; nil for the whole map.
    package var request: CutRequest?
    /// What is wanted of a sender with several regions.
    public var wish = CatalogueWish.usual
    /// What is taken without a person; nil if a person decides.
    public var rule: KeepRule?
    /// Who decides.
    public var consent: Consent
    /// How often to connect again after attempts that brought nothing.
    public var retries: Int
    /// The time before a further attempt.
    package var retryDelay = RetryPolicy.delay
    /// The time for finding the sender and connecting to it, without the time for the person's answer; nil for a search
    /// without an end.
    public var timeout: Duration?
    /// The browser that finds a sender at a new address.
    package var browser: PeerBrowser
    /// The trusted peers, to which those that pair are added.
    public var trust: any TrustStore
    /// Logs details for diagnosis.
    public var logger: Logger
    /// Who is told and asked.
    public var person: any Person
    /// Follows the updates of a transfer, which has the number of its visit; nil if there is one sender alone.
    public var follow: @Sendable (_ updates: TransferUpdates, _ visit: Int?) async -> Void = { updates, _ in
        for await _ in updates {}
    }
    /// Records a sender from which something was received, and with whom a person has just compared digits if it is new.
    package var remember: @Sendable (_ peer: RemotePeer, _ isNew: Bool) async throws -> Void = { _, _ in }
    /// Returns an error of a sender in the words that the person reads.
    package var explain: @Sendable (any Error, _ sender: SenderLocation) -> any Error = { error, _ in error }
    /// Looks for why a sender did not answer.
    package var lookForCause: @Sendable (any Error, NetworkCause.Look, SenderLocation) async -> NetworkCause? = {
        _,
        _,
        _ in nil
    }
    /// What the person can do if the disk has too little room; nil for the usual words.
    package var spaceRemedy: String?
    /// The share links that come while it looks for a sender.
    package var links = ArrivingLinks()
    /// The number of the visit to one of several senders; nil if there is one alone.
    var visit: Int?

    /// Creates what receives everything that a sender offers.
    package init(
        store: RegionStore,
        local: LocalPeer,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        consent: Consent,
        retries: Int,
        timeout: Duration? = nil,
        browser: PeerBrowser,
        trust: any TrustStore,
        logger: Logger,
        person: any Person
    ) {
        (self.store, self.local, self.configuration, self.consent) = (store, local, configuration, consent)
        (self.retries, self.timeout, self.browser, self.trust) = (retries, timeout, browser, trust)
        (self.logger, self.person) = (logger, person)
    }

    /// The time for connecting to a sender if the search has no time limit.
    private static let connectingTime: Duration = .seconds(10)

    /// Whether a person decides on offers.
    public var asks: Bool { consent.asks && rule == nil }

    /// Finds a sender: not the one that was found before and refuses connections, if there is another one; within a time limit, or
    /// without one.
    package typealias Locating =
        @Sendable (_ refusing: DiscoveredPeer?, _ limit: Duration?) async throws -> SenderLocation

    /// Finds the sender, connects, asks, and receives.
    package func run(from locate: @escaping Locating, _ control: TransferControl) async throws {
        let start = ContinuousClock.now
        let location = try await locate(nil, timeout)
        let end = deadline(searchingSince: start, foundAt: .now)
        try await receive(from: location, control, until: end) { refusing in
            try await locate(refusing, timeout.map { _ in max(.zero, end - .now) })
        }
    }

    /// Returns when the connection to the sender must be open.
    ///
    /// The time limit is not for the person who picks a sender.
    func deadline(
        searchingSince start: ContinuousClock.Instant,
        foundAt now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        (asks || timeout == nil ? now : start) + (timeout ?? Self.connectingTime)
    }

    /// Receives from a sender, and performs what the ``ReceivingStateMachine`` decides.
    func receive(
        from location: SenderLocation,
        _ control: TransferControl,
        until deadline: ContinuousClock.Instant,
        searchingAgain search: ((DiscoveredPeer) async throws -> SenderLocation)? = nil
    ) async throws {
        let reception = Reception(by: self, control, until: deadline)
        let tracker = SenderTracker(browser: browser)
        var limits = ReceivingStateMachine.Limits(retries: retries, deadline: deadline)
        (limits.delay, limits.canSearch, limits.isVisitedAgain) = (retryDelay, search != nil, rule != nil)
        limits.takesAny = asks || consent == .everything
        var machine = ReceivingStateMachine(at: location, within: limits)
        var decision = machine.start
        while true {
            for happening in decision.told { person.tell(happening) }
            switch decision.action {
            case .attempt(let location, let passingOver):
                if passingOver { reception.picked.passOver() }
                let before = reception.keptByteCount
                do {
                    try await reception.attempt(at: location)
                    decision = machine.succeeded(isSettled: reception.picked.isSettled)
                } catch {
                    decision = machine.failed(explain(error, location), reception.knowledge(storedBefore: before))
                }
            case .look(let location, let time, let substitutes, let isSearch):
                let next = await tracker.nextLocation(
                    after: location,
                    within: time,
                    or: substitutes,
                    isSearch: isSearch,
                    control
                )
                decision = machine.found(next, isStopped: control.isCancelled)
            case .search(let refusing):
                decision = machine.found(try await search?(refusing), isStopped: control.isCancelled)
            case .examine(let error, let look, let location):
                let cause = try? await control.untilCancelled { await lookForCause(error, look, location) }
                decision = machine.examined(cause ?? nil, isStopped: control.isCancelled, at: .now)
            case .end(.received): return
            case .end(.refused(let error)): throw error
            case .end(.incomplete(let error, let isStopped)): throw reception.incomplete(error, isStopped: isStopped)
            }
        }
    }
}
