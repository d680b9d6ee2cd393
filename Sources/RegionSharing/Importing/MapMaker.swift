import FoundationEssentials
import PeerCore
import RegionStore

/// The person who has imported a map and signed it, as this machine knows the key.
struct MapMaker: Hashable, Sendable {
    /// What is known of the key.
    enum Acquaintance: Hashable, Sendable {
        /// It is the key of this machine.
        case own
        /// It is that of a trusted machine, which has this name here.
        case trusted(name: String)
        /// It is not that of the trusted machine with this name, although the signature names it.
        case impostor(name: String)
        /// Nothing proves the name.
        case unknown
    }

    /// The signature, which was checked against the map.
    var signature: MapSignature

    var acquaintance: Acquaintance

    /// Who it is: `you`, `Anna`, or `“Anna” (not verified)`.
    var title: DisplayText {
        switch acquaintance {
        case .own: return "you"
        case .trusted(let name): return "\(name)"
        case .impostor(let friend):
            let warning: DisplayText = "\("NOT your trusted", .alarm) \(DisplayText(quoting: friend))"
            return "\(name) (\(warning): \(signature.signer.short))"
        case .unknown: return "\(name) (not verified)"
        }
    }

    private var name: DisplayText { DisplayText(quoting: signature.name, width: 63) }

    /// Who has made the map, and when: `made by Anna, 2026-08-24`.
    var words: DisplayText { "made by \(title), \(Wording.day(signature.date))" }

    /// The same in an offer: `made by Anna, 2026-08-24; from Ben`.
    func words(from sender: RemotePeer) -> DisplayText {
        guard signature.signer == sender.security.certifiedID else { return "\(words); from \(sender.name)" }
        guard acquaintance == .unknown else { return words }
        // The sender has proved that the key is its own.
        return "made by \(sender.name), \(Wording.day(signature.date))"
    }

    /// In JSON.
    var json: JSONObject {
        var trustedName: String?
        if case .trusted(let name) = acquaintance { trustedName = name }
        return [
            "id": signature.signer.hex,
            "name": signature.name,
            "date": signature.date,
            "trustedAs": trustedName,
            "isOwn": acquaintance == .own ? true : nil,
        ]
    }
}

extension MapSignature {
    /// In JSON.
    var json: JSONObject { ["id": signer.hex, "name": name, "date": date] }
}

extension RegionStore {
    /// Returns what this machine knows of the person who has signed a map; nil for no signature.
    ///
    /// - Parameters:
    ///   - signature: The signature, which was checked against the map.
    ///   - ownID: The id of this machine; nil if it has none yet.
    /// - Returns: Who it is.
    /// - Throws: `RegionStoreError` if the store cannot be read.
    func maker(of signature: MapSignature?, ownID: PeerID?) throws -> MapMaker? {
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

    /// The id of this machine; nil if it has none yet, or if it cannot be read.
    var ownID: PeerID? {
        // Reading a store creates nothing.
        guard FileManager.default.fileExists(atPath: path + Self.identityFile) else { return nil }
        return try? PeerIdentity.load(orCreateAt: path + Self.identityFile, for: .hikeshare).id
    }

    static let identityFile = "/identity.pem"
}
