public import PeerProtocol

/// The list of trusted peers.
public protocol TrustStore: Sendable {
    /// Returns whether a peer is trusted.
    ///
    /// A session also asks about an id that no machine has, to find out whether a name belongs to a trusted peer.
    ///
    /// - Parameters:
    ///   - id: The peer's id. Its certificate proves the id; in plain text, the id is only claimed, and a claim of a trusted
    ///     id is refused.
    ///   - name: The display name that the peer has chosen.
    /// - Returns: ``PeerTrust/trusted(name:)`` if the id is pinned, whatever the name; ``PeerTrust/known(name:)`` if it is in the list and
    ///   nobody has confirmed it; ``PeerTrust/impostor(name:)`` if the name belongs to another pinned id; otherwise
    ///   ``PeerTrust/unknown``.
    /// - Throws: An error if the list cannot be read; the connection then ends.
    func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust

    /// Adds a peer to the list, after people on both sides have confirmed it.
    ///
    /// - Parameters:
    ///   - id: The peer's id.
    ///   - name: The display name that the peer has chosen.
    /// - Throws: An error if the list cannot be written; the connection then ends.
    func pin(_ id: PeerID, name: String) async throws
}

/// Whether a peer is trusted.
public enum PeerTrust: Hashable, Sendable {
    /// The peer is not trusted yet.
    case unknown
    /// A person has confirmed this peer, which has this name in the list.
    case trusted(name: String)
    /// The list has this peer under this name, but no person has confirmed it.
    ///
    /// Such a peer is admitted as a trusted one is, but is not shown as verified. A list of a group returns this for the peers that
    /// members have introduced, so that they are members after a restart, too.
    case known(name: String)
    /// The peer uses the name of a trusted peer, but has another key: it is another machine, or has a new identity.
    ///
    /// Such a peer is refused without asking a person.
    case impostor(name: String)

    /// The name under which the list has the peer; nil if it does not have it.
    package var listedName: String? {
        switch self {
        case .trusted(let name), .known(let name): name
        case .unknown, .impostor: nil
        }
    }

    /// Whether the list has the peer, so that no person is asked about it.
    package var isAdmitted: Bool { listedName != nil }
}

/// The comparison of the names of peers.
///
/// A ``TrustStore`` uses it to recognise a peer that takes the name of a trusted one.
public enum PeerName {
    /// Returns whether two names look the same to people.
    ///
    /// The comparison ignores case, white space, invisible characters, and the differences between Latin, Greek and Cyrillic
    /// letters that look alike (after Unicode's UTS 39, section 4, "skeleton").
    public static func areAlike(_ first: String, _ second: String) -> Bool {
        skeleton(first) == skeleton(second)
    }

    private static func skeleton(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.lowercased().unicodeScalars where isVisible(scalar) {
            scalars.append(lookAlikes[scalar] ?? unwidened(scalar))
        }
        return String(scalars).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .format
    }

    /// The ASCII character of which a scalar is the wide form (Unicode block "Halfwidth and Fullwidth Forms").
    private static func unwidened(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Lower-case letters, and the Latin letters that they or their capitals look like.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(String, String)] = [
            // Digits and strokes.
            ("01|lıɩ", "oiiiii"),
            // Cyrillic.
            ("авеёзікмнорстухјѕԁһԛԝү", "abee3ikmhopctyxjsdhqwy"),
            // Greek.
            ("αβεζηικμνορτυχγϲ", "abezhikmvoptuxyc"),
        ]
        return Dictionary(
            uniqueKeysWithValues: pairs.flatMap { Array(zip($0.unicodeScalars, $1.unicodeScalars)) }
        )
    }()
}
