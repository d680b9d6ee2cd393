public import NIOCore
public import PeerProtocol

/// What a sender shows so that others find it, recognise it and are let in without further questions.
///
/// `hikeshare://host:port[,host:port...]/<id>#<token>`: where the sender may be, the whole of its id, and the secret that
/// admits whoever has it. (Wire format, "Links".) Its description hides the secret.
public struct PeerLink: Hashable, Sendable {
    /// The longest link, in bytes.
    public static let maximumLength = 1024
    /// The most addresses in a link.
    public static let maximumAddressCount = 16

    private static let scheme = "hikeshare://"

    /// Where the sender may be, in the order in which to try.
    public let addresses: [PeerAddress]
    /// The only peer that is accepted there.
    public let id: PeerID
    /// The secret.
    public let token: LinkToken

    /// Creates a link.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument`` if there is no address, there are too many, or one
    ///   cannot stand in a link.
    public init(addresses: [PeerAddress], id: PeerID, token: LinkToken) throws(PeerError) {
        self.addresses = addresses
        self.id = id
        self.token = token
        guard (1...Self.maximumAddressCount).contains(addresses.count),
            addresses.allSatisfy({ PeerAddress(linkText: $0.linkText) == $0 }), text.utf8.count <= Self.maximumLength
        else {
            throw PeerError(.invalidArgument, "These addresses cannot be put into a link.")
        }
    }

    /// Reads a link.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument``, saying what is wrong and never the token.
    public init(parsing text: String) throws(PeerError) {
        guard text.utf8.count <= Self.maximumLength else { throw Self.wrong("it is too long") }
        guard text.hasPrefix(Self.scheme) else { throw Self.wrong("it does not begin with \(Self.scheme)") }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, let token = LinkToken(text: parts[1]) else {
            throw Self.wrong("the secret after # is missing or damaged")
        }
        let place = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard place.count == 2, place[1].utf8.count == 2 * ContentDigest.byteCount, let id = PeerID(hex: place[1]),
            id.hex == place[1]
        else {
            throw Self.wrong("the sender's id is missing or damaged")
        }
        let hosts = place[0].split(separator: ",", omittingEmptySubsequences: false)
        guard hosts.count <= Self.maximumAddressCount else { throw Self.wrong("it has too many addresses") }
        var addresses: [PeerAddress] = []
        for host in hosts {
            guard let address = PeerAddress(linkText: String(host)) else {
                throw Self.wrong("an address in it cannot be read")
            }
            addresses.append(address)
        }
        self.addresses = addresses
        self.id = id
        self.token = token
    }

    /// The link.
    ///
    /// Secret: it belongs on the sender's screen, and nowhere where it stays.
    public var text: String { place + "#" + token.text }

    /// Looks all addresses up; those that are not known are left out.
    ///
    /// A link-local address stands for itself on every network of this machine: the zone in a link is the sender's name for
    /// its own interface and means nothing here.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if none is left.
    public func resolve() async throws -> [SocketAddress] {
        var found: [SocketAddress] = []
        var failure: (any Error)?
        for address in addresses {
            do {
                for resolved in try await address.resolveOnEveryNetwork() where !found.contains(resolved) {
                    found.append(resolved)
                }
            } catch {
                failure = error
            }
        }
        guard found.isEmpty else { return found }
        throw failure ?? PeerError(.cannotConnect, "No address of the link can be reached from here.")
    }

    private var place: String {
        Self.scheme + addresses.map(\.linkText).joined(separator: ",") + "/" + id.hex
    }

    private static func wrong(_ reason: String) -> PeerError {
        PeerError(
            .invalidArgument,
            "This is no link to a sender: \(reason).",
            remedy: "Take the whole link that 'hikeshare send' shows, with:  hikeshare receive -"
        )
    }
}

extension PeerLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The link without its secret.
    public var description: String { place + "#…" }
    /// The link without its secret.
    public var debugDescription: String { description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
