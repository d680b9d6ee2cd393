import ArgumentParser
import FoundationEssentials
import Glibc
import PeerCore
import RegionStore

/// The name by which others see this machine.
struct OwnName: Hashable, ExpressibleByArgument {
    /// The maximum length in bytes, which is that of an instance name of DNS-SD.
    static let maximumLength = 63

    let text: String

    /// Reads a name, with single spaces between its words; nil if it is empty or too long.
    init?(argument: String) {
        text = argument.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength else { return nil }
    }

    /// The name of a machine whose person has chosen none: the full name of the login, or else the name of the host.
    static var usual: String {
        let process = ProcessInfo.processInfo
        // The first field of the entry in passwd(5) is the full name. That of root is no person's.
        let fullName = getuid() == 0 ? "" : process.fullUserName.prefix { $0 != "," }
        return [fullName, process.hostName.prefix { $0 != "." }]
            .compactMap { OwnName(argument: String($0).prefix(utf8Count: maximumLength))?.text }.first ?? "Hiker"
    }

    /// Asks a person for the name; nil at the end of the input.
    static func ask(_ console: Console) async throws -> OwnName? {
        let usual = usual
        let form = QuestionForm(text: "What should others call you?", usual: usual)
        while let line = try await console.ask("What should others call you? [Enter: \(usual)] ", form: form) {
            guard let name = OwnName(argument: line.allSatisfy(\.isWhitespace) ? usual : line) else {
                console.tell("That name is too long.")
                continue
            }
            // It may have been typed as the answer to another question.
            let isOdd = Answer.isYes(line) || !line.allSatisfy(\.isWhitespace) && Answer.isNo(line)
            let isMeant = isOdd ? try await console.confirm("Really \(DisplayText(quoting: name.text))?") : true
            if isMeant { return name }
        }
        return nil
    }
}

extension RegionStore {
    /// Returns the description of this machine, whose key is created on first use.
    ///
    /// - Parameter name: The name from now on; nil for the one that is kept, or else the usual one. The usual name is not kept, so
    ///   that a command in a terminal still asks for another one.
    /// - Returns: The description.
    /// - Throws: ``RegionStoreError`` or ``PeerError`` if the name or the key cannot be read or kept.
    func localPeer(name: OwnName? = nil) throws -> LocalPeer {
        let known = try displayName()
        if let name, name.text != known { try setDisplayName(name.text) }
        return LocalPeer(
            application: .hikeshare,
            identity: try PeerIdentity.load(orCreateAt: path + Self.identityFile, for: .hikeshare),
            displayName: name?.text ?? known ?? OwnName.usual,
            software: Software.description
        )
    }
}
