import PeerCore
import RegionStore

/// What several attempts to receive from one sender have in common: what was picked, and what was agreed to.
struct Reception: Sendable {
    let picked = PickedOffers()
    private let receiver: RegionReceiver
    private let control: TransferControl
    private let deadline: ContinuousClock.Instant
    private let offers: OfferDecider
    private let transfers: TransferReceiver

    private var store: RegionStore { receiver.store }

    init(by receiver: RegionReceiver, _ control: TransferControl, until deadline: ContinuousClock.Instant) {
        (self.receiver, self.control, self.deadline) = (receiver, control, deadline)
        offers = OfferDecider(
            store: receiver.store,
            kinds: receiver.kinds,
            routes: receiver.routes,
            asksForPart: receiver.request != nil,
            wish: receiver.wish,
            rule: receiver.rule,
            picked: picked,
            consent: receiver.consent,
            ownID: receiver.local.id,
            person: receiver.person
        )
        var transfers = TransferReceiver(
            local: receiver.local,
            configuration: receiver.configuration,
            trust: receiver.trust,
            logger: receiver.logger
        )
        let catalogue = CatalogueDecider(store: receiver.store, offers: offers)
        transfers.picking = OfferPicking(decide: catalogue.decide) { [picked, offers] result in
            picked.received(result.offer)
            Self.tell(result, receiver, offers, isLast: false)
        } refused: { [picked] id, error in
            picked.declined(id)
            receiver.person.tell(.problem(error))
        }
        self.transfers = transfers
    }

    /// Receives, tells what was received, and remembers the sender.
    func attempt(at location: SenderLocation) async throws {
        let result = try await transfer(from: location)
        picked.received(result.offer ?? offers.offeredRegion?.id)
        Self.tell(result, receiver, offers, isLast: true)
        guard let peer = result.peer else { return }
        try await receiver.remember(peer, offers.hasCompared(peer.security.certifiedID))
    }

    private func transfer(from location: SenderLocation) async throws -> TransferReceiver.Result {
        let (updates, continuation) = TransferUpdates.makeStream()
        var sink = store.sink(wanting: receiver.kinds, routes: receiver.routes, replacesItems: offers.mayReplace)
        sink.keepsOwnEdits = { [offers] in offers.keepsOwnEdits(of: $0, $1) }
        sink.isAsAgreed = offers.isAsAgreed
        if let remedy = receiver.spaceRemedy { sink.spaceRemedy = remedy }
        sink.noteMapChange = offers.note
        sink.forecasts = offers.forecasts
        let addresses = try await control.untilCancelled { try await location.addresses() }
        // The sender of the accepted offer is expected from then on, or one that has announced the same map.
        let isOther = OtherSenders.isOther(location, agreed: offers.agreedPeer)
        let expected = try (isOther ? nil : offers.agreedPeer) ?? expectedPeer(at: location)
        let isFirst = !offers.hasAgreed
        return try await withThrowingTaskGroup(of: Void.self) { [sink] group in
            group.addTask { await receiver.follow(updates, receiver.visit) }
            defer { continuation.finish() }
            return try await Self.namingStore {
                try await transfers.receive(
                    from: addresses,
                    expecting: expected,
                    by: location.link,
                    connectingWithin: isFirst ? location.connectingTime(until: deadline, at: .now) : nil,
                    lookingAgain: location.lookAgain,
                    into: sink,
                    context: receiver.request?.context,
                    control: control,
                    updates: continuation,
                    showsEstimate: offers.asks(about:),
                    decide: offers.decide
                )
            }
        }
    }

    /// Throws the errors of the store as they are; a transfer says only that its sink has failed.
    private static func namingStore<Result>(_ receive: () async throws -> Result) async throws -> Result {
        do {
            return try await receive()
        } catch let error as PeerError where error.code == .localStorage {
            let ofStore: (any Error)? = error.cause as? RegionStoreError
            throw ofStore ?? error
        }
    }

    /// Only an encrypted connection proves who a peer is, so a trusted peer must be authenticated.
    ///
    /// A share link names its sender itself.
    private func expectedPeer(at location: SenderLocation) throws -> PeerID? {
        guard case .peer(let peer) = location else { return nil }
        let trustedPeers = try store.trustedPeers.all()
        let isTrusted = trustedPeers.contains { $0.id == peer.peerID }
        if !isTrusted, let friend = trustedPeers.first(where: { PeerName.areAlike($0.name, peer.displayName) }) {
            throw ReceivingError.impostor(friend: friend.name, peer: peer.displayName)
        }
        return receiver.configuration.encryption == .required || isTrusted ? peer.peerID : nil
    }

    private static func tell(
        _ result: TransferReceiver.Result,
        _ receiver: RegionReceiver,
        _ offers: OfferDecider,
        isLast: Bool
    ) {
        guard let region = offers.offeredRegion else { return }
        let change = offers.takeMapChange(of: region.id)
        let received = ReceivedRegion(region, in: receiver.store, change: change, result: result)
        guard receiver.rule != nil else {
            return receiver.person.tell(.receiving(.received(received, isLast: isLast)))
        }
        if !result.receipt.imported.isEmpty { receiver.person.tell(.keeping(.received(received))) }
    }

    /// What is known after an attempt that failed.
    func knowledge(storedBefore before: UInt64) -> ReceivingStateMachine.Knowledge {
        var known = ReceivingStateMachine.Knowledge()
        (known.hasAgreed, known.agreedPeer, known.refusal) = (offers.hasAgreed, offers.agreedPeer, offers.refusal)
        known.map = mapOfOthers
        known.trusted = (try? store.trustedPeers.all()) ?? []
        (known.picked, known.stored) = (picked.count, (before, keptByteCount))
        known.isStopped = control.isCancelled
        return known
    }

    /// The accepted map, if another sender may take the place of the one whose offer was accepted; nil if not.
    ///
    /// In plain text, nothing proves who a sender is.
    private var mapOfOthers: ContentDigest? {
        guard receiver.configuration.encryption == .required, offers.agreedPeer != nil else { return nil }
        if let region = offers.offeredRegion {
            // What is left of the list is something else.
            if picked.isSettled(region.id) { return nil }
            // The sender is visited again, for all that is left.
            if receiver.rule != nil, picked.contains(region.id) { return nil }
        }
        return offers.agreedMap
    }

    /// The partial files of the offered region.
    private var keptFiles: [IncomingFile] {
        guard let region = offers.offeredRegion else { return [] }
        return (try? store.incomingFiles().filter { $0.regionID == region.id && !$0.isArriving }) ?? []
    }

    /// The number of bytes of the offered region that are kept for the next attempt.
    var keptByteCount: UInt64 { keptFiles.reduce(0) { $0 + $1.byteCount } }

    /// Returns the error to report, with the part that is kept for the next attempt.
    func incomplete(_ error: any Error, isStopped: Bool) -> any Error {
        let kept = KeptFiles(files: keptFiles)
        guard !kept.files.isEmpty else {
            return isStopped && picked.count.received > 0 ? ReceivingError.someReceived : error
        }
        receiver.person.tell(.receiving(.kept(kept)))
        return IncompleteReception(underlying: error, kept: kept)
    }
}
