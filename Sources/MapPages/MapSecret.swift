internal import WebServer

/// The secret in the addresses of pages: random letters and digits, new for each server.
///
/// Its descriptions hide it, so that it does not get into logs.
package struct MapSecret: Sendable {
    /// A length for addresses that people may have to type: 80 random bits.
    package static let shortLength = 16
    /// The 32 letters and digits that are not mistaken for others.
    private static let digits = Array("23456789abcdefghijkmnpqrstuvwxyz")
    package let text: String

    /// Creates an unpredictable secret.
    ///
    /// - Parameter length: The number of characters, each of which has 5 random bits.
    package init(length: Int = 26) {
        var generator = SystemRandomNumberGenerator()
        text = String((0..<length).compactMap { _ in Self.digits.randomElement(using: &generator) })
    }

    /// Returns what follows the secret in a path; nil if the path does not begin with it.
    func rest(of path: WebPath) -> [String]? {
        guard let first = path.components.first, matches(first) else { return nil }
        return Array(path.components.dropFirst())
    }

    /// Compares a text with the secret, in a time that does not depend on how much of it is right.
    private func matches(_ other: String) -> Bool {
        other.utf8.count == text.utf8.count && zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension MapSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<map secret>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
