import Crypto
public import PeerProtocol

/// A share link that leads a receiver to a sender, identifies the sender, and admits the receiver without further questions.
///
/// `<APPLICATION>://<characters>`: the secret that admits anyone who has it, the start of the sender's id, the sender's own Wi-Fi
/// network if it has made one, the addresses of the sender, and characters that reveal a typing mistake. (Wire format, "Share
/// links".) A share link with few addresses has 80 characters, all of which a QR code stores compactly. Case does not matter. The
/// scheme is the name of the application's service type. The description of a share link hides the secret.
///
/// For example:
///
/// ```swift
/// let link = try ShareLink(for: application, addresses: addresses, id: local.id, token: .random())
/// print(link.text)
/// ```
public struct ShareLink: Hashable, Sendable {
    /// The longest share link, in bytes.
    package static let maximumLength = 1024
    /// The most addresses in a share link.
    package static let maximumAddressCount = 16
    /// The number of characters that reveal a typing mistake: 20 bits of a digest.
    private static let checkLength = 4
    /// The byte before a Wi-Fi network, at the place of the kind of an address.
    private static let networkKind: UInt8 = 4

    private let application: PeerServiceType

    /// The addresses of the sender, in the order in which to try them; 1 to 16.
    public let addresses: [PeerAddress]
    /// The start of the sender's id; a receiver accepts no other peer.
    public let sender: PeerIDPrefix
    /// The secret.
    public let token: ShareToken
    /// The Wi-Fi network that the sender has made, which a receiver must join first; nil for none.
    public let network: ShareLinkNetwork?

    /// Creates a share link.
    ///
    /// - Parameters:
    ///   - application: The application that sender and receiver run. Its default port is left out of the share link.
    ///   - addresses: The addresses of the sender, in the order in which to try them; 1 to 16.
    ///   - id: The id of the sender.
    ///   - token: The secret.
    ///   - network: The Wi-Fi network that the sender has made; nil for none.
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument`` if there is no address, there are too many, or one
    ///   of them cannot be written in a share link, such as one with a zone.
    public init(
        for application: PeerServiceType,
        addresses: [PeerAddress],
        id: PeerID,
        token: ShareToken,
        network: ShareLinkNetwork? = nil
    ) throws(PeerError) {
        guard !addresses.isEmpty else {
            throw PeerError(
                .invalidArgument,
                "This machine is in no network, so a share link would lead nowhere.",
                remedy: "Join a Wi-Fi network or plug in a cable, and make the share link then."
            )
        }
        let bytes = addresses.compactMap { $0.shareLinkBytes(defaultPort: application.defaultPort) }
        guard bytes.count == addresses.count,
            let read = Self.addresses(in: bytes.flatMap { $0 }[...], application)
        else {
            throw PeerError(
                .invalidArgument,
                "These addresses cannot be put into a share link.",
                remedy: "Use 1 to \(Self.maximumAddressCount) addresses without zones."
            )
        }
        self.application = application
        // These are the addresses as a receiver will read them, so the share link and its text are the same.
        self.addresses = read
        self.sender = PeerIDPrefix(of: id)
        self.token = token
        self.network = network
        guard text.utf8.count <= Self.maximumLength else {
            throw PeerError(.invalidArgument, "These addresses are too long for a share link.")
        }
    }

    /// Reads a share link.
    ///
    /// Case does not matter, and hyphens and spaces after the scheme are ignored, so that a person can type a share
    /// link. O is read as 0; I and L are read as 1.
    ///
    /// - Parameters:
    ///   - text: The share link.
    ///   - application: The application that the share link must belong to.
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument``. The message says what is wrong, and does not contain
    ///   the token.
    public init(parsing text: String, for application: PeerServiceType) throws(PeerError) {
        guard text.utf8.count <= Self.maximumLength, Self.isLink(text, of: application) else {
            throw PeerError(
                .invalidArgument,
                "This is not a share link of \(application.name).",
                remedy: "Copy the whole share link that the sender shows."
            )
        }
        let characters = Base32.normalized(text.utf8.dropFirst(Self.scheme(of: application).utf8.count))
        guard let payload = Base32.decode(characters.dropLast(Self.checkLength)),
            characters.suffix(Self.checkLength).elementsEqual(Self.check(payload, application).utf8)
        else {
            throw PeerError(
                .invalidArgument,
                "The share link has a typing mistake, or a part of it is missing.",
                remedy: "Compare it with the share link that the sender shows, or copy the whole share link."
            )
        }
        let (secret, rest) = (payload.prefix(ShareToken.byteCount), payload.dropFirst(ShareToken.byteCount))
        var places = rest.dropFirst(PeerIDPrefix.byteCount)
        let hasNetwork = places.first == Self.networkKind
        var network: ShareLinkNetwork?
        if hasNetwork {
            network = ShareLinkNetwork(bytes: places.dropFirst().prefix(ShareLinkNetwork.byteCount))
            places = places.dropFirst(1 + ShareLinkNetwork.byteCount)
        }
        guard let token = ShareToken(bytes: secret),
            let sender = PeerIDPrefix(bytes: rest.prefix(PeerIDPrefix.byteCount)),
            hasNetwork == (network != nil),
            let addresses = Self.addresses(in: places, application)
        else {
            throw PeerError(
                .invalidArgument,
                "The share link has a form that this version does not know.",
                remedy: "Update the program on both machines, or use an address of the sender."
            )
        }
        self.application = application
        self.addresses = addresses
        self.sender = sender
        self.token = token
        self.network = network
    }

    /// The share link as text.
    ///
    /// It contains the secret. Show it on the screen, but do not store or log it.
    public var text: String {
        var payload = token.bytes + sender.bytes
        if let network { payload += [Self.networkKind] + network.shareLinkBytes }
        for address in addresses { payload += address.shareLinkBytes(defaultPort: application.defaultPort) ?? [] }
        return Self.scheme(of: application) + Base32.encode(payload) + Self.check(payload, application)
    }

    /// Returns how the share links of an application begin.
    package static func scheme(of application: PeerServiceType) -> String { application.name.uppercased() + "://" }

    /// Returns whether a text begins like a share link of an application.
    package static func isLink(_ text: String, of application: PeerServiceType) -> Bool {
        let scheme = scheme(of: application)
        // Compared as bytes: the letters of other alphabets may have an upper case in this one.
        return text.utf8.prefix(scheme.utf8.count)
            .map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xDF : $0 }
            .elementsEqual(scheme.utf8)
    }

    private static func check(_ payload: [UInt8], _ application: PeerServiceType) -> String {
        let tag = Array("\(application.name) link\0".utf8)
        return String(Base32.encode(SHA256.hash(data: tag + payload)).prefix(checkLength))
    }

    private static func addresses(in bytes: ArraySlice<UInt8>, _ application: PeerServiceType) -> [PeerAddress]? {
        var rest = bytes
        var addresses: [PeerAddress] = []
        while !rest.isEmpty {
            guard addresses.count < maximumAddressCount,
                let address = PeerAddress(shareLinkBytes: &rest, defaultPort: application.defaultPort)
            else { return nil }
            addresses.append(address)
        }
        return addresses.isEmpty ? nil : addresses
    }
}

extension ShareLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The addresses and the start of the id, without the secrets.
    public var description: String {
        "share link of \(application.name) to \(addresses.map(\.text).joined(separator: ", ")) (\(sender.short))"
    }
    /// The addresses and the start of the id, without the secret.
    public var debugDescription: String { description }
    /// An empty mirror, so that a dump does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ShareToken {
    /// Creates a random token of 80 bits.
    public static func random() -> ShareToken {
        var generator = SystemRandomNumberGenerator()
        return ShareToken(using: &generator)
    }
}

extension PairingNonce {
    /// Creates a random nonce.
    package static func random() -> PairingNonce {
        var generator = SystemRandomNumberGenerator()
        return PairingNonce(using: &generator)
    }
}
