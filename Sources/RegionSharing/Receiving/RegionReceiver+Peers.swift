import PeerCore
import RegionStore

/// Who may send.
extension RegionReceiver {
    /// Only an encrypted connection proves who a peer is, so a trusted peer must be authenticated.
    ///
    /// A share link names its sender itself.
    func expectedPeer(at location: SenderLocation) throws -> PeerID? {
        switch location {
        case .address, .link: return nil
        case .peer(let peer):
            let trustedPeers = try store.trustedPeers.all()
            let isTrusted = trustedPeers.contains { $0.id == peer.peerID }
            if !isTrusted, let friend = trustedPeers.first(where: { PeerName.areAlike($0.name, peer.displayName) }) {
                throw CommandError(
                    .notTrusted,
                    "This is not the “\(friend.name)” that you trust: it has a different key. It is another "
                        + "“\(peer.displayName)”, or someone who pretends to be yours.",
                    remedy: ProgramRemedy.impostor(called: friend.name)
                )
            }
            return configuration.encryption == .required || isTrusted ? peer.peerID : nil
        }
    }

    /// Finds another sender of the accepted map when the person there has stopped the first one; nil if there is none.
    func substitute(
        for location: SenderLocation,
        _ substitutes: SenderTracker.Substitutes,
        _ prompt: OfferPrompt,
        _ tracker: SenderTracker,
        _ control: TransferControl
    ) async -> SenderLocation? {
        var substitutes = substitutes
        // What a laptop announces outlives its program for a moment.
        substitutes.isPreferred = true
        let next = await tracker.nextLocation(
            after: location,
            within: Self.lookingTime,
            or: substitutes,
            isSearch: true,
            control
        )
        guard let next, OtherSenders.isOther(next, agreed: prompt.agreedPeer) else { return nil }
        tellOfSubstitute(next, prompt)
        return next
    }

    /// Says that another sender has the same map, if it is another one.
    func tellOfSubstitute(_ location: SenderLocation, _ prompt: OfferPrompt) {
        guard case .peer(let other) = location, OtherSenders.isOther(location, agreed: prompt.agreedPeer) else {
            return
        }
        console.note("\(other.title(among: (try? store.trustedPeers.all()) ?? [])) has the same map.")
    }

    /// Which senders may take the place of the one whose offer was accepted.
    ///
    /// In plain text, nothing proves who a sender is.
    func substitutes(in others: OtherSenders, _ prompt: OfferPrompt) -> SenderTracker.Substitutes? {
        guard configuration.encryption == .required, prompt.agreedPeer != nil, let map = prompt.agreedMap else {
            return nil
        }
        if let region = prompt.offeredRegion {
            // What is left of the list is something else.
            if prompt.picked.isSettled(region.id) { return nil }
            // The sender is visited again, for all that is left.
            if rule != nil, prompt.picked.contains(region.id) { return nil }
        }
        let trusted = Set(((try? store.trustedPeers.all()) ?? []).map(\.id))
        return others.substitutes(of: map, trusted: trusted, takesAny: asks || acceptsAll)
    }
}
