/// A command that changes the firewall of this machine.
package struct FirewallCommand: Hashable, Sendable {
    /// The name of the program, without its folder.
    package var program: String
    package var arguments: [String]

    package init(_ program: String, _ arguments: [String]) {
        (self.program, self.arguments) = (program, arguments)
    }

    /// The command as a person types it in a shell.
    package var text: String {
        ([program] + arguments).map { word in
            let isPlain = !word.isEmpty && word.utf8.allSatisfy(Self.plain.contains)
            return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
        }
        .joined(separator: " ")
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+".utf8)
}
