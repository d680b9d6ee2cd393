public import FoundationEssentials
import NIOConcurrencyHelpers

extension TransferReceiver {
    /// What several attempts at a transfer have in common.
    private struct Attempts {
        var accepted: (peer: PeerID, manifest: ContentDigest, kinds: Set<ResourceKind>)?
        var hasAccepted = false
        /// The most bytes that this machine had during an attempt.
        var byteCount: UInt64 = 0
    }

    /// Receives one transfer, and resumes it when its connection is lost.
    ///
    /// The connection is lost if it breaks, or if the sender does not answer any more. What has arrived is not transferred again,
    /// if `sink` keeps it. The transfer ends for good if one of the two sides declines or stops it, if it fails for another reason,
    /// or after `retries` attempts in a row that bring no data.
    ///
    /// ```swift
    /// let result = try await TransferReceiver(local: local).receive(retrying: 10, from: peer.addresses, into: sink) { offer in
    ///     .accept(Set(offer.manifest.entries.map(\.kind)))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - retries: The maximum number of attempts in a row that bring no data. Before the offer is accepted, two at most.
    ///   - delay: The time before a further attempt.
    ///   - addresses: The addresses of the sender, in the order in which to try them.
    ///   - expected: The id of the only acceptable sender; nil for any. Once an offer is accepted, its sender is the only one.
    ///   - link: The share link that names the only acceptable sender; nil for none.
    ///   - sink: The storage of the resources.
    ///   - context: Data for the application on the other side; nil for none.
    ///   - control: Stops the transfer, or the wait for the next attempt.
    ///   - updates: Receives the updates of all attempts; nil for none.
    ///   - decide: Answers the offer. It is asked again only if the offer has changed, or if the connection is not encrypted, so
    ///     that nothing proves who makes the offer.
    /// - Returns: The result of the last attempt.
    /// - Throws: The error of the last attempt, as
    ///   ``receive(from:expecting:by:connectingWithin:into:context:control:updates:showsEstimate:decide:)``.
    public func receive(
        retrying retries: Int,
        after delay: Duration = .seconds(5),
        from addresses: [PeerAddress],
        expecting expected: PeerID? = nil,
        by link: ShareLink? = nil,
        into sink: any ResourceSink,
        context: Data? = nil,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer
    ) async throws -> Result {
        let attempts = NIOLockedValueBox(Attempts())
        let observed = TransferUpdates.Continuation(to: updates) { update in
            guard case .transfer(.transferring(let progress)) = update.event else { return }
            attempts.withLockedValue { $0.byteCount = max($0.byteCount, progress.bytes) }
        }
        var policy = RetryPolicy()
        while true {
            let before = attempts.withLockedValue(\.self)
            do {
                return try await receive(
                    from: addresses,
                    expecting: before.accepted?.peer ?? expected,
                    by: link,
                    into: sink,
                    context: context,
                    control: control,
                    updates: observed
                ) { offer in
                    let (peer, manifest) = (offer.peer.security.certifiedID, offer.manifest.digest)
                    if let accepted = before.accepted, accepted.peer == peer, accepted.manifest == manifest {
                        return .accept(accepted.kinds)
                    }
                    let answer = try await decide(offer)
                    attempts.withLockedValue { attempts in
                        attempts.hasAccepted = answer.kinds != nil
                        attempts.accepted = answer.kinds.flatMap { kinds in peer.map { ($0, manifest, kinds) } }
                    }
                    return answer
                }
            } catch {
                let now = attempts.withLockedValue(\.self)
                let limit = RetryPolicy.maximumAttempts(
                    after: error,
                    wasDiscovered: false,
                    hasAgreed: now.hasAccepted,
                    retries
                )
                guard
                    policy.triesAgain(atMost: limit, storedBefore: before.byteCount, storedNow: now.byteCount),
                    !control.isCancelled
                else { throw RetryPolicy.conclusion(error, hasAgreed: now.hasAccepted) }
                try await control.untilCancelled { try await Task.sleep(for: delay) }
            }
        }
    }
}
