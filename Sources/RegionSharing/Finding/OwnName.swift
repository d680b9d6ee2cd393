import FoundationEssentials
import Glibc
public import PeerCore
public import RegionStore

/// A name by which people know a machine.
public struct OwnName: Hashable, Sendable {
    /// The maximum length in bytes, which is that of an instance name of DNS-SD.
    private static let maximumLength = 63

    /// The name.
    public let text: String

    /// Reads a name, with single spaces between its words; nil if it is empty, would be seen as empty, or is too long.
    public init?(argument: String) {
        text = argument.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let scalars = text.unicodeScalars
        // A zero would end the name where it is kept.
        guard scalars.contains(where: { !$0.properties.isDefaultIgnorableCodePoint }),
            !scalars.contains(where: { $0.properties.generalCategory == .control }),
            text.utf8.count <= Self.maximumLength
        else { return nil }
    }

    /// The name of a machine whose person has chosen none: the full name of the login, or else the name of the host.
    public static var usual: String {
        let process = ProcessInfo.processInfo
        // The first field of the entry in passwd(5) is the full name. That of root is no person's.
        let fullName = getuid() == 0 ? "" : process.fullUserName.prefix { $0 != "," }
        return [fullName, process.hostName.prefix { $0 != "." }]
            .compactMap { OwnName(argument: String($0).prefix(utf8Count: maximumLength))?.text }.first ?? "Hiker"
    }
}

/// What others call this machine.
package struct OwnNameQuestion: Question {
    /// The name if the person gives no other one.
    package let usual = OwnName.usual

    package init() {}

    /// None, so that the question comes again.
    package var defaultAnswer: OwnName? { nil }
}

extension RegionStore {
    /// The file of the machine's key, in the folder of the store.
    package static let identityFile = "/identity.pem"

    /// Returns the description of this machine, whose key is created on first use.
    ///
    /// - Parameters:
    ///   - name: The name from now on; nil for the one that is kept, or else the usual one. The usual name is not kept, so that it is
    ///     still asked for.
    ///   - application: The application.
    ///   - software: The program and its version.
    /// - Returns: The description.
    /// - Throws: `RegionStoreError` or `PeerError` if the name or the key cannot be read or kept.
    public func localPeer(
        name: OwnName? = nil,
        for application: PeerServiceType,
        software: String
    ) throws -> LocalPeer {
        let known = try displayName()
        if let name, name.text != known { try setDisplayName(name.text) }
        return LocalPeer(
            application: application,
            identity: try PeerIdentity.load(orCreateAt: path + Self.identityFile, for: application),
            displayName: name?.text ?? known ?? OwnName.usual,
            software: software
        )
    }
}
