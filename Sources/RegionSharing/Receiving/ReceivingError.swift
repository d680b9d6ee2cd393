public import RegionStore

/// Why a region, or a part of it, is not received.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ReceivingError: SharingError, Hashable {
    /// Files here differ, and the sender is not trusted.
    case untrustedSender(local: String, peer: String)
    /// Files here would be replaced by those of a different area.
    case anotherArea(region: String, local: String)
    /// The map here would be replaced by an older one, or by one of unknown age.
    case doubtfulAge(local: String, MapAges?)
    /// The map here would lose its signature.
    case losesSigner(local: String)
    /// The offer has none of the parts that are wanted.
    case nothingWanted(region: String, isLimited: Bool)
    /// The named route cannot come, because no routes are wanted.
    case noRoutes(name: String)
    /// The part and the map here have too many tiles together.
    case tooManyTiles(region: String)
    /// The region is new here, and its map is not wanted.
    case noMap(region: String, isForeign: Bool)
    /// The region changed here while a person was asked.
    case changed(region: String)
    /// The only region of the sender is not the one that is wanted.
    case anotherRegion(offered: String, wanted: String)
    /// What takes the place of the sender has another map than the accepted one.
    case anotherMap
    /// Nothing in the list of the sender is new for this machine.
    case nothingNew(peer: String)
    /// The list of the sender has no region of the name, or several.
    case notListed(name: String, peer: String)
    /// The sender uses the name of a trusted machine, and has a different key.
    case impostor(friend: String, peer: String)
    /// The sender is not trusted, and there is no person to ask.
    case stranger(peer: String)
    /// The person declined one of several regions, or everything.
    case declined(region: String?)
    /// The rule for trusted machines took nothing.
    case nothingTaken
    /// A person has stopped the reception after some of several regions had arrived.
    case someReceived
    /// Another sender had only the region that was being received, and not all that was picked.
    case senderLeft

    /// Whether nothing went wrong: the offer was declined, by a person or by a rule.
    public var isRefusal: Bool {
        switch self {
        case .anotherArea, .doubtfulAge, .losesSigner, .anotherMap, .declined, .nothingTaken: true
        default: false
        }
    }

    /// Whether the offer does not have what is wanted of it.
    var isUnfulfillable: Bool {
        switch self {
        case .nothingWanted, .noRoutes, .noMap, .anotherRegion, .notListed: true
        default: false
        }
    }

    /// Whether what was decided about has changed.
    var isChange: Bool { if case .changed = self { true } else { false } }

    /// Whether the reason may pass, so that it makes sense to ask for the same offer again.
    public var mayPass: Bool {
        switch self {
        case .changed, .tooManyTiles, .someReceived, .senderLeft: true
        default: false
        }
    }
}
