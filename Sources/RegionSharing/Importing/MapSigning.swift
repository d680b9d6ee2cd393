import FoundationEssentials
import PeerCore
import RegionStore

/// Signs maps as the person who imports them.
struct MapSigning: Sendable {
    private let local: LocalPeer?
    private let isFirst: Bool
    /// Whether the person says now that maps are not signed.
    private let isDeclined: Bool

    /// Prepares to sign, unless the person does not want that.
    ///
    /// - Parameters:
    ///   - choice: What the person says now, which counts from then on; nil for nothing.
    ///   - store: The store.
    ///   - console: Where the person is asked for the name if none was chosen, and where it is said if this machine cannot sign. The
    ///     maps are imported nevertheless.
    /// - Throws: `CancellationError` if the person stops the program.
    init(_ choice: Bool?, in store: RegionStore, _ console: Console) async throws {
        isDeclined = choice == false
        do {
            let known = try store.signsMaps()
            if let choice, choice != known { try store.setSignsMaps(choice) }
            if choice ?? known ?? true {
                let asks = try console.canAsk && store.displayName() == nil
                local = try store.localPeer(name: asks ? await OwnName.ask(console) : nil)
            } else {
                local = nil
            }
            isFirst = choice == nil && known == nil
        } catch let error as CancellationError {
            throw error
        } catch {
            console.warn(ProblemReport(error, severity: .warning))
            (local, isFirst) = (nil, false)
        }
    }

    /// Signs a map; nil if the person does not want that.
    var sign: ((_ map: ContentDigest) throws -> MapSignature?)? {
        guard let local else { return nil }
        return { try MapSignature(of: $0, as: local.displayName) { try local.identity.sign($0) } }
    }

    /// The id with which maps are signed; nil if they are not.
    var signer: PeerID? { local?.id }

    /// Takes the signature of this machine from a map that has one already, if the person does not want it now.
    ///
    /// - Returns: Whether the map had one.
    func withdraw(from regionID: UUID, in store: RegionStore) throws -> Bool {
        guard isDeclined, let id = store.ownID else { return false }
        return try store.removeSignature(by: id, from: regionID)
    }

    /// Says once that others see the name, when the first map is signed.
    func tell(of maps: [RegionSummary], in store: RegionStore, _ console: Console) throws {
        guard isFirst, let local, maps.contains(where: { $0.signature?.signer == local.id }) else { return }
        try store.setSignsMaps(true)
        console.note(Self.words(local.displayName))
    }

    /// What a person is told once.
    static func words(_ name: String) -> DisplayText {
        """
        Signed as \(name): everyone who gets this map sees the name and the day, from others, too. To leave them out:  \
        \("hikeshare import FILE --unsigned", .command)
        """
    }
}
