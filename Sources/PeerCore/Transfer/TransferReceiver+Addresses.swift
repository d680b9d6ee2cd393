public import FoundationEssentials
import NIOCore

extension TransferReceiver {
    /// Receives one transfer.
    ///
    /// With `EncryptionPreference.optional`, the receiver tries plain text only after the peer has reported that it does not
    /// encrypt.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the sender, in the order in which to try them: those of a ``DiscoveredPeer`` or a
    ///     ``ShareLink``, or what people type. Names of hosts are looked up.
    ///   - expected: The id of the only acceptable sender; nil for any. Requires encryption.
    ///   - link: The share link that names the only acceptable sender; nil for none. Requires encryption. Its token is
    ///     sent only to that sender, and inside TLS.
    ///   - connectingTime: The maximum time for connecting; nil for 10 seconds.
    ///   - sink: The storage of the resources.
    ///   - context: Data for the application on the other side; nil for none.
    ///   - control: Stops the transfer.
    ///   - updates: Receives the updates; nil for none.
    ///   - showsEstimate: Whether a person will see ``TransferOffer/estimate``. If not, digests are requested only after the
    ///     answer, which saves round trips.
    ///   - decide: Answers the offer. Nothing is written before it returns. It must return when its task is cancelled,
    ///     because the transfer cannot end earlier.
    /// - Returns: The result.
    /// - Throws: ``PeerError``, with ``PeerError/Code/busy`` if ``ConnectionConfiguration/maximumReceptions`` transfers
    ///   are running, with ``PeerError/Code/cannotConnect`` if no address can be found or answers, and with ``PeerError/Code/localStorage`` if `sink` fails, whose error is the ``PeerError/cause``; the error
    ///   of `decide`.
    public func receive(
        from addresses: [PeerAddress],
        expecting expected: PeerID? = nil,
        by link: ShareLink? = nil,
        connectingWithin connectingTime: Duration? = nil,
        into sink: any ResourceSink,
        context: Data? = nil,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        showsEstimate: @escaping @Sendable (Manifest) -> Bool = { _ in true },
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer
    ) async throws -> Result {
        var lookAgain: (@Sendable () -> [SocketAddress])?
        // This machine may join a network while it connects.
        if let link, Self.isOfLink(addresses, link) { lookAgain = { link.addressesOnEveryNetwork() } }
        let found = try await control.untilCancelled { try await Self.resolve(addresses, of: link) }
        return try await receive(
            from: found,
            expecting: expected,
            by: link,
            connectingWithin: connectingTime,
            lookingAgain: lookAgain,
            into: sink,
            context: context,
            control: control,
            updates: updates,
            showsEstimate: showsEstimate,
            decide: decide
        )
    }

    private static func isOfLink(_ addresses: [PeerAddress], _ link: ShareLink) -> Bool {
        Set(addresses).isSubset(of: link.addresses)
    }

    /// Looks the hosts up; throws the first error if none is found.
    static func resolve(_ addresses: [PeerAddress], of link: ShareLink?) async throws -> [SocketAddress] {
        if let link, isOfLink(addresses, link) { return try await link.resolve() }
        var (found, failure): ([SocketAddress], (any Error)?) = ([], nil)
        for address in addresses {
            do {
                found += try await address.resolve()
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        if found.isEmpty, let failure { throw failure }
        return found
    }
}
