import FoundationEssentials
import Logging
import MapPages
import PeerCore
import RegionSharing
import RegionStore
import Synchronization

/// Receives regions from one sender into a store.
struct RegionReceiver: Sendable {
    /// A person has stopped the program after some of several regions were received.
    struct SomeReceived: Error {}

    var store: RegionStore
    var local: LocalPeer
    var configuration: ConnectionConfiguration
    var kinds: Set<ResourceKind>?
    var routes: RouteSelection
    /// The part of the map to ask for; nil for the whole map.
    var request: PartRequest?
    /// What is wanted of a sender with several regions.
    var wish = CatalogueWish.usual
    /// What is taken without a person; nil if a person decides.
    var rule: KeepRule?
    var acceptsAll: Bool
    var retries: Int
    /// The time before a further attempt.
    var retryDelay = RetryPolicy.delay
    /// The time for finding the sender and connecting to it, without the time for the person's answer; nil for a search
    /// without an end.
    var timeout: Duration?
    /// The browser that finds a sender at a new address; nil for the network.
    var browser: PeerBrowser?
    var console: Console
    /// The number of the transfer, and the progress of those that go on beside it; nil if there is one at a time.
    var place: (number: Int, progress: ProgressDisplay)?

    /// The time for connecting to a sender if the search has no time limit.
    private static let connectingTime: Duration = .seconds(10)
    /// How long to look for a sender whose share link leads nowhere; discovery usually takes a second.
    static let lookingTime: Duration = .seconds(3)

    /// Another sender had only the region that was being received.
    private static let notAll = CommandError(
        .noPeerFound,
        "Not everything that you picked is here: its sender has left, and the other one had only this.",
        remedy: "Receive again when the sender is back."
    )

    var asks: Bool { !acceptsAll && rule == nil && console.canAsk }

    /// Finds a sender: not the one that was found before and refuses connections, if there is another one; within a time limit, or
    /// without one.
    typealias Locating = @Sendable (_ refusing: DiscoveredPeer?, _ limit: Duration?) async throws -> SenderLocation

    /// Finds the sender, connects, asks, and receives.
    ///
    /// - Throws: ``CommandError`` if a person declined or stopped the transfer; or the error of the transfer.
    func run(from locate: @escaping Locating) async throws {
        let control = TransferControl()
        let hasConnected = Atomic(false)
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            // Without a transfer, there is no peer to notify.
            return hasConnected.load(ordering: .sequentiallyConsistent)
        } isSaying: {
            control.openTransferCount > 0
        } isAnswer: {
            // After the transfer, only the name of the peer is asked for.
            hasConnected.load(ordering: .sequentiallyConsistent) && control.openTransferCount == 0 && console.refuse()
        } conclude: { error in
            if error is SomeReceived {
                return CommandError(.interrupted, "Interrupted; what was received before is here, the rest is not.")
            }
            guard let kept = (error as? IncompleteReception)?.kept else {
                return CommandError(.interrupted, "Interrupted; nothing was received.")
            }
            let interruption = CommandError(.interrupted, "Interrupted; the region is not complete.")
            return IncompleteReception(underlying: interruption, kept: kept)
        } _: {
            let start = ContinuousClock.now
            let location = try await locate(nil, timeout)
            hasConnected.store(true, ordering: .sequentiallyConsistent)
            let end = deadline(searchingSince: start, foundAt: .now)
            try await receive(from: location, control, until: end) { refusing in
                hasConnected.store(false, ordering: .sequentiallyConsistent)
                defer { hasConnected.store(true, ordering: .sequentiallyConsistent) }
                return try await locate(refusing, timeout.map { _ in max(.zero, end - .now) })
            }
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

    func receive(
        from location: SenderLocation,
        _ control: TransferControl,
        until deadline: ContinuousClock.Instant,
        searchingAgain search: ((DiscoveredPeer) async throws -> SenderLocation)? = nil
    ) async throws {
        let picked = PickedOffers()
        let prompt = OfferPrompt(
            store: store,
            kinds: kinds,
            routes: routes,
            asksForPart: request != nil,
            wish: wish,
            rule: rule,
            picked: picked,
            acceptsAll: acceptsAll,
            ownID: local.id,
            console: console
        )
        var receiver = TransferReceiver(
            local: local,
            configuration: configuration,
            trust: ToldTrust(peers: store.trustedPeers, person: TerminalPerson(console)),
            logger: Software.logger("receiver")
        )
        let catalogue = CataloguePrompt(
            store: store,
            wish: wish,
            acceptsAll: acceptsAll,
            rule: rule,
            picked: picked,
            offers: prompt,
            console: console
        )
        receiver.picking = OfferPicking(decide: catalogue.decide) { result in
            picked.received(result.offer)
            show(result, prompt)
        } refused: { [console] id, error in
            picked.declined(id)
            console.warn(ProblemReport(error, severity: .warning))
        }
        let tracker = SenderTracker(browser: browser ?? .nearby(except: local.id))
        var policy = RetryPolicy()
        var location = location
        var others = OtherSenders(first: location)
        var told: DisplayText?
        while true {
            let kept = keptByteCount(prompt)
            do {
                let result = try await transfer(from: location, with: receiver, control, prompt, until: deadline)
                picked.received(result.offer ?? prompt.offeredRegion?.id)
                try await report(result, prompt)
                guard picked.isSettled else { return console.warn(ProblemReport(Self.notAll, severity: .warning)) }
                return
            } catch {
                // After a broken connection, what follows in the list is still wanted.
                if let refusal = prompt.refusal, picked.isSettled {
                    // The others are here.
                    if picked.receivedCount > 0 { return }
                    throw refusal
                }
                let cause = Self.worded(error)
                // What fails at the sender with one region is no reason to leave out the others.
                if (cause as? PeerError)?.code == .peerFailed, let name = picked.passOver() {
                    if picked.isSettled, picked.receivedCount == 0 { throw cause }
                    console.warn(ProblemReport(Self.leftOut(name, cause), severity: .warning))
                    if picked.isSettled {
                        // The reason may pass, so the visit counts as one that failed.
                        if rule != nil { throw cause }
                        return
                    }
                    continue
                }
                let storedNow = keptByteCount(prompt)
                let failed = others.failed(
                    location.explained(cause),
                    at: location,
                    agreed: prompt.agreedPeer,
                    broughtData: storedNow > kept
                )
                let error = failed.error
                location = failed.location
                if !prompt.hasAgreed, !control.isCancelled, location.mayHaveMoved(after: error) {
                    tell(LookingReport(error: error, wanted: .sender))
                    if let next = await tracker.nextLocation(
                        after: location,
                        within: Self.lookingTime,
                        isSearch: true,
                        control
                    ), next.isDiscovered {
                        location = next
                        continue
                    }
                }
                if prompt.hasAgreed, (error as? PeerError)?.code == .peerCancelled, !control.isCancelled,
                    let substitutes = substitutes(in: others, prompt)
                {
                    // Not again when another sender, tried meanwhile, was of no use.
                    if (cause as? PeerError)?.code == .peerCancelled {
                        tell(LookingReport(error: error, wanted: .otherSender))
                    }
                    if let other = await substitute(for: location, substitutes, prompt, tracker, control) {
                        location = other
                        continue
                    }
                }
                let absence = LocalHints.absence(after: error)
                let limit = RetryPolicy.maximumAttempts(
                    after: error,
                    wasDiscovered: location.isDiscovered,
                    hasAgreed: prompt.hasAgreed,
                    retries
                )
                // A sender that accepts connections need not be found again in time.
                let patience = RetryPolicy.patience(
                    hasAgreed: prompt.hasAgreed || RetryPolicy.isLostOnTheWay(error),
                    until: deadline,
                    at: .now,
                    atMost: retryDelay
                )
                guard !control.isCancelled, let patience,
                    policy.triesAgain(
                        atMost: limit,
                        storedBefore: kept,
                        storedNow: storedNow,
                        isOffline: absence != nil
                    )
                else {
                    let conclusion = RetryPolicy.conclusion(error, hasAgreed: prompt.hasAgreed)
                    throw incomplete(conclusion, prompt, isStopped: control.isCancelled)
                }
                let report = RetryReport(
                    attempt: policy.attempts,
                    maximumAttempts: limit,
                    delay: patience,
                    error: error,
                    absence: absence
                )
                console.emitForPrograms(report)
                // Without a network, every attempt says the same.
                if report.text != told { console.note(report.text) }
                told = report.text
                // What is announced may have ended, and what is meant may be found now.
                if !prompt.hasAgreed, (error as? PeerError)?.code == .cannotConnect,
                    case .peer(let refusing) = location, let search
                {
                    location = try await search(refusing)
                    continue
                }
                let substitutes = substitutes(in: others, prompt)
                guard let next = await tracker.nextLocation(after: location, within: patience, or: substitutes, control)
                else { throw incomplete(error, prompt, isStopped: control.isCancelled) }
                tellOfSubstitute(next, prompt)
                location = next
            }
        }
    }

    private func transfer(
        from location: SenderLocation,
        with receiver: TransferReceiver,
        _ control: TransferControl,
        _ prompt: OfferPrompt,
        until deadline: ContinuousClock.Instant
    ) async throws -> TransferReceiver.Result {
        let (updates, continuation) = TransferUpdates.makeStream()
        let sink = sink(for: prompt)
        let addresses = try await control.untilCancelled { try await location.addresses() }
        // The sender of the accepted offer is expected from then on, or one that has announced the same map.
        let isOther = OtherSenders.isOther(location, agreed: prompt.agreedPeer)
        let expected = try (isOther ? nil : prompt.agreedPeer) ?? expectedPeer(at: location)
        let isFirst = !prompt.hasAgreed
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [asks, asksForPart = request != nil] in
                let display = ReceiverDisplay(on: console, asks: asks, asksForPart: asksForPart, beside: place)
                await display.follow(updates)
            }
            defer { continuation.finish() }
            return try await receiver.receive(
                from: addresses,
                expecting: expected,
                by: location.link,
                connectingWithin: isFirst ? location.connectingTime(until: deadline, at: .now) : nil,
                lookingAgain: location.lookAgain,
                into: sink,
                context: request?.context,
                control: control,
                updates: continuation,
                showsEstimate: prompt.asks(about:),
                decide: prompt.decide
            )
        }
    }

    private func sink(for prompt: OfferPrompt) -> RegionSink {
        var sink = store.sink(wanting: kinds, routes: routes, replacesItems: prompt.mayReplace)
        sink.keepsOwnEdits = { prompt.keepsOwnEdits(of: $0, $1) }
        sink.noteMapChange = prompt.note
        sink.forecasts = prompt.forecasts
        return sink
    }
}
