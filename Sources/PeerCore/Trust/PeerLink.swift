public import NIOCore
public import PeerProtocol

/// A link that leads a receiver to a sender, identifies the sender, and admits the receiver without further questions.
///
/// `<application>://host:port[,host:port...]/<id>#<token>`: the addresses of the sender, its id, and the secret that
/// admits anyone who has it. (Wire format, "Links".) The scheme is the name of the application's service type. The
/// description of a link hides the secret.
public struct PeerLink: Hashable, Sendable {
    /// The longest link, in bytes.
    package static let maximumLength = 1024
    /// The most addresses in a link.
    package static let maximumAddressCount = 16

    private let scheme: String

    /// The addresses of the sender, in the order in which to try them; 1 to 16.
    public let addresses: [PeerAddress]
    /// The id of the sender; a receiver accepts no other peer.
    public let id: PeerID
    /// The secret.
    public let token: LinkToken

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - application: The application that sender and receiver run.
    ///   - addresses: The addresses of the sender, in the order in which to try them; 1 to 16.
    ///   - id: The id of the sender.
    ///   - token: The secret.
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument`` if there is no address, there are too many, or one
    ///   of them cannot be written in a link.
    public init(
        for application: PeerServiceType,
        addresses: [PeerAddress],
        id: PeerID,
        token: LinkToken
    ) throws(PeerError) {
        self.scheme = Self.scheme(of: application)
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
    /// - Parameters:
    ///   - text: The link.
    ///   - application: The application that the link must belong to.
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument``. The message says what is wrong, and does not contain
    ///   the token.
    public init(parsing text: String, for application: PeerServiceType) throws(PeerError) {
        let scheme = Self.scheme(of: application)
        guard text.utf8.count <= Self.maximumLength else { throw Self.wrong("it is too long") }
        guard text.hasPrefix(scheme) else { throw Self.wrong("it does not begin with \(scheme)") }
        let parts = text.dropFirst(scheme.count).split(separator: "#", omittingEmptySubsequences: false)
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
        self.scheme = scheme
        self.addresses = addresses
        self.id = id
        self.token = token
    }

    /// The link as text.
    ///
    /// It contains the secret. Show it on the screen, but do not store or log it.
    public var text: String { place + "#" + token.text }

    /// Looks up all addresses.
    ///
    /// Those that cannot be resolved are left out.
    ///
    /// A link-local address is used on every network of this machine, because the zone in a link is the name of an interface
    /// of the sender. If this machine has no network yet, the call waits up to three seconds for one.
    ///
    /// - Returns: The addresses, the most promising first; at least one.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotConnect`` if no address can be resolved; `CancellationError` as
    ///   soon as the task is cancelled.
    public func resolve() async throws -> [SocketAddress] {
        let deadline = ContinuousClock.now + ConnectionRace.repetitionTime
        while ContinuousClock.now < deadline, addressesOnEveryNetwork().isEmpty,
            addresses.allSatisfy({ $0.onEveryNetwork() != nil })
        {
            try await Task.sleep(for: ConnectionRace.repetitionDelay)
        }
        return try await resolve(namesWithin: Self.nameTime)
    }

    /// Returns the link-local addresses of the link on every current network of this machine, without a lookup.
    ///
    /// The result grows when this machine joins a network after ``resolve()``.
    package func addressesOnEveryNetwork() -> [SocketAddress] {
        let found = addresses.compactMap { $0.onEveryNetwork() }.joined().sorted { $0.rank < $1.rank }
        return found.map(\.address)
    }

    /// The time after which the lookup of names stops if another address is known.
    private static let nameTime: Duration = .seconds(1)

    private typealias Found = (position: Int, result: Result<[(SocketAddress, InterfaceRank)], any Error>)

    func resolve(namesWithin nameTime: Duration, _ lookup: NameLookup = NameLookup()) async throws -> [SocketAddress] {
        let found = await withTaskGroup(of: Found?.self) { group in
            for (position, address) in addresses.enumerated() {
                group.addTask {
                    do {
                        return (position, .success(try await Self.resolve(address, lookup)))
                    } catch {
                        return (position, .failure(error))
                    }
                }
            }
            group.addTask {
                try? await Task.sleep(for: nameTime)
                return nil
            }
            defer { group.cancelAll() }
            var found: [Found] = []
            var isLate = false
            while found.count < addresses.count,
                !(isLate && found.contains { (try? $0.result.get())?.isEmpty == false })
            {
                guard let next = await group.next() else { break }
                if let next { found.append(next) } else { isLate = true }
            }
            return found
        }
        try Task.checkCancellation()
        return try Self.ranked(found)
    }

    private static func resolve(
        _ address: PeerAddress,
        _ lookup: NameLookup
    ) async throws -> [(SocketAddress, InterfaceRank)] {
        if let everywhere = address.onEveryNetwork() { return everywhere.map { ($0.address, $0.rank) } }
        // The interface to this address is unknown. The sender has listed the best address first.
        return try await lookup.addresses(of: address.host, port: address.port).map { ($0, .hardware) }
    }

    /// Sorts by interface, and keeps the order of the sender on each interface.
    private static func ranked(_ found: [Found]) throws -> [SocketAddress] {
        let inOrder = found.sorted { $0.position < $1.position }
        let all = inOrder.flatMap { (try? $0.result.get()) ?? [] }
        let ranked = all.enumerated().sorted { ($0.element.1.rawValue, $0.offset) < ($1.element.1.rawValue, $1.offset) }
        var addresses: [SocketAddress] = []
        for (_, (address, _)) in ranked where !addresses.contains(address) { addresses.append(address) }
        guard addresses.isEmpty else { return addresses }
        throw PeerError(
            .cannotConnect,
            "This machine is not on a network that reaches an address of the link.",
            remedy: "Join the same network, or plug in the cable, and try again."
        )
    }

    private var place: String {
        scheme + addresses.map(\.linkText).joined(separator: ",") + "/" + id.hex
    }

    /// Returns how the links of an application begin.
    package static func scheme(of application: PeerServiceType) -> String { application.name + "://" }

    private static func wrong(_ reason: String) -> PeerError {
        PeerError(
            .invalidArgument,
            "This is not a valid link: \(reason).",
            remedy: "Copy the whole link that the sender shows."
        )
    }
}

extension PeerLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The link without its secret.
    public var description: String { place + "#…" }
    /// The link without its secret.
    public var debugDescription: String { description }
    /// An empty mirror, so that a dump does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
