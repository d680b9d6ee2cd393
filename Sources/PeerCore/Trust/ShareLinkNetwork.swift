import PeerProtocol

/// A Wi-Fi network that a sender has made for its receivers, as a share link names it: its name and its password.
///
/// Both are made of 80 random bits, 20 for the name and 60 for the password, so that they take little room in a share link, and no
/// share link can name any other network. (Wire format, "Share links".) The descriptions hide the password.
///
/// For example:
///
/// ```swift
/// let network = ShareLinkNetwork.random()
/// print(network.name(for: application), network.password)    // hikeshare-7K3M mk4t-9rwb-x7hq
/// ```
public struct ShareLinkNetwork: Sendable {
    /// The number of bytes in a share link.
    package static let byteCount = 10
    /// The number of characters of the name that are random.
    private static let nameLength = 4
    /// The number of characters of the password, without hyphens.
    private static let passwordLength = 12

    private let bytes: [UInt8]

    /// Creates a network from exactly 10 bytes; nil for any other number.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads a network from its name and its password as a person types them; nil if it is no such network.
    ///
    /// Case does not matter, nor do hyphens and spaces.
    ///
    /// - Parameters:
    ///   - name: The name of the Wi-Fi network.
    ///   - password: The password.
    ///   - application: The application whose networks are meant.
    public init?(named name: String, password: String, for application: PeerServiceType) {
        guard Self.isName(name, for: application) else { return nil }
        let characters = Array(name.utf8.suffix(Self.nameLength)) + Base32.normalized(password.utf8)
        guard let bytes = Base32.decode(characters) else { return nil }
        self.init(bytes: bytes)
    }

    /// Creates a network with a new name and a new password, from the system's secure random numbers.
    public static func random() -> ShareLinkNetwork {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Creates a network from an unpredictable source of random numbers.
    package static func random(using generator: inout some RandomNumberGenerator) -> ShareLinkNetwork {
        ShareLinkNetwork((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes in a share link, which are secret.
    package var shareLinkBytes: [UInt8] { bytes }

    /// Returns the name of the network (SSID): the name of the application, a hyphen, and four characters.
    public func name(for application: PeerServiceType) -> String {
        application.name + "-" + Base32.encode(bytes).prefix(Self.nameLength)
    }

    /// The password: three groups of four lower-case letters and digits with hyphens between them, 14 characters.
    ///
    /// It contains none of the letters i, l, o and u. Show it on the screen, but do not store or log it.
    public var password: String {
        let characters = Base32.encode(bytes).lowercased().dropFirst(Self.nameLength)
        let groups = stride(from: 0, to: Self.passwordLength, by: 4).map { characters.dropFirst($0).prefix(4) }
        return groups.joined(separator: "-")
    }

    /// Returns whether a Wi-Fi network has a name of the form that these networks have.
    public static func isName(_ name: String, for application: PeerServiceType) -> Bool {
        let start = application.name + "-"
        let rest = name.utf8.dropFirst(start.utf8.count)
        return name.hasPrefix(start) && rest.count == nameLength
            && Base32.decode(Array(rest) + Array(repeating: UInt8(ascii: "0"), count: passwordLength)) != nil
    }
}

extension ShareLinkNetwork: Hashable {}

extension ShareLinkNetwork: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The random characters of the name, without the password.
    public var description: String { "Wi-Fi network …-\(Base32.encode(bytes).prefix(Self.nameLength))" }
    /// The random characters of the name, without the password.
    public var debugDescription: String { description }
    /// An empty mirror, so that a dump does not show the password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
