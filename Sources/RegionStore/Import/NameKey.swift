import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// The letters and digits of a name, by which names of files are compared with those of regions and waypoints.
package struct NameKey: Hashable, Sendable {
    private var folder = ""
    private let name: String

    /// Creates the key of a name.
    package init(_ text: String) { name = text.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Creates the key of a file: its folder, and its name without what follows the last dot, and without `.routing`.
    package init(ofFile path: String) {
        let file = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        self.init(String(stem.lowercased().hasSuffix(".routing") ? stem.dropLast(8) : stem))
        folder = String(path.dropLast(file.count))
    }

    /// The key of the name alone.
    var withoutFolder: NameKey { NameKey(name) }

    /// Whether the name has neither letters nor digits.
    var isEmpty: Bool { name.isEmpty }

    static func + (left: NameKey, right: NameKey) -> NameKey { NameKey(left.name + right.name) }
}
