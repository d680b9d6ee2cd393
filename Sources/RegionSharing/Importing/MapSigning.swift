import FoundationEssentials
package import PeerCore
package import RegionStore

/// Signs maps as the person who imports them.
package struct MapSigning: Sendable {
    private let local: LocalPeer?
    private let isFirst: Bool
    /// The id of this machine whose signatures the person does not want any more; nil for none.
    private let declined: PeerID?

    /// Prepares to sign, unless the person does not want that.
    ///
    /// - Parameters:
    ///   - choice: What the person says now, which counts from then on; nil for nothing.
    ///   - ownID: The id of this machine; nil if it has none yet.
    ///   - person: Who is asked if nothing was said before, and is told if this machine cannot sign. The maps are imported
    ///     nevertheless.
    ///   - localPeer: Returns this machine, by the name with which it signs.
    /// - Throws: `CancellationError` if the person stops the program.
    package init(
        _ choice: Bool?,
        in store: RegionStore,
        ownID: PeerID?,
        person: any Person,
        as localPeer: () async throws -> LocalPeer
    ) async throws {
        declined = choice == false ? ownID : nil
        do {
            let known = try store.signsMaps()
            let choice = choice == nil && known == nil ? try await person.ask(SigningQuestion()) : choice
            if let choice, choice != known { try store.setSignsMaps(choice) }
            local = choice ?? known ?? true ? try await localPeer() : nil
            isFirst = choice == nil && known == nil
        } catch let error as CancellationError {
            throw error
        } catch {
            person.tell(.problem(error))
            (local, isFirst) = (nil, false)
        }
    }

    /// Signs a map; nil if the person does not want that.
    package var sign: ((_ map: ContentDigest) throws -> MapSignature?)? {
        guard let local else { return nil }
        return { try MapSignature(of: $0, as: local.displayName) { try local.identity.sign($0) } }
    }

    /// The id with which maps are signed; nil if they are not.
    var signer: PeerID? { local?.id }

    /// Takes the signature of this machine from a map that has one already, if the person does not want it now.
    func withdraw(from regionID: UUID, in store: RegionStore) throws -> Bool {
        guard let declined else { return false }
        return try store.removeSignature(by: declined, from: regionID)
    }

    /// Tells once that others see the name, when the first map is signed.
    func tell(of maps: [RegionSummary], in store: RegionStore, _ person: any Person) throws {
        guard isFirst, let local, maps.contains(where: { $0.signature?.signer == local.id }) else { return }
        try store.setSignsMaps(true)
        person.tell(.importing(.signed(name: local.displayName)))
    }
}
