package import PeerCore
package import RegionStore

/// The person who has imported a map and signed it, as this machine knows the key.
package struct MapMaker: Hashable, Sendable {
    /// What is known of the key.
    package enum Acquaintance: Hashable, Sendable {
        /// It is the key of this machine.
        case own
        case trusted(name: String)
        /// It is not that of the trusted machine with this name, although the signature names it.
        case impostor(name: String)
        /// Nothing proves the name.
        case unknown
    }

    /// The signature, which was checked against the map.
    package var signature: MapSignature
    /// What is known of the key.
    package var acquaintance: Acquaintance
}

extension RegionStore {
    /// Returns what this machine knows of the person who has signed a map; nil for no signature.
    package func maker(of signature: MapSignature?, ownID: PeerID?) throws -> MapMaker? {
        guard let signature else { return nil }
        guard signature.signer != ownID else { return MapMaker(signature: signature, acquaintance: .own) }
        let acquaintance: MapMaker.Acquaintance =
            switch try trustedPeers.knownTrust(of: signature.signer, callingItself: signature.name) {
            case .trusted(let name): .trusted(name: name)
            case .impostor(let name): .impostor(name: name)
            case .known, .unknown: .unknown
            }
        return MapMaker(signature: signature, acquaintance: acquaintance)
    }
}
