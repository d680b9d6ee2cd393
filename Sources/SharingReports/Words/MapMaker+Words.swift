import FoundationEssentials
package import PeerCore
package import RegionSharing
package import RegionStore

extension MapMaker {
    /// Who it is: `you`, `Anna`, or `“Anna” (not verified)`.
    package var title: DisplayText {
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
    package var words: DisplayText { "made by \(title), \(Wording.day(signature.date))" }

    /// The same in an offer: `made by Anna, 2026-08-24; from Ben`.
    package func words(from sender: RemotePeer) -> DisplayText {
        guard signature.signer == sender.security.certifiedID else { return "\(words); from \(sender.name)" }
        guard acquaintance == .unknown else { return words }
        // The sender has proved that the key is its own.
        return "made by \(sender.name), \(Wording.day(signature.date))"
    }

    package var json: JSONObject {
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
    package var json: JSONObject { ["id": signer.hex, "name": name, "date": date] }
}

extension RegionStore {
    /// The id of this machine; nil if it has none yet, or if it cannot be read.
    package var ownID: PeerID? {
        // Reading a store creates nothing.
        guard FileManager.default.fileExists(atPath: path + Self.identityFile) else { return nil }
        return try? PeerIdentity.load(orCreateAt: path + Self.identityFile, for: .hikeshare).id
    }
}
