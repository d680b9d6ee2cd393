/// The prefixes of GPX, and of our own extension, in a file.
///
/// A file may bind several prefixes to the namespace of GPX, or none at all.
struct GPXNamespaces {
    private static let names = ["http://www.topografix.com/GPX/1/0", "http://www.topografix.com/GPX/1/1"]

    /// The namespace of the root; nil if it has none.
    private let namespace: String?
    /// The prefixes of GPX, each with its colon; the default namespace is an empty one.
    private var prefixes: Set<String>
    /// The prefixes of our own extension, each with its colon.
    let identity: Set<String>

    /// Reads the root of a file.
    init(root: String, _ attributes: [String: String]) {
        let prefix = root.xmlPrefix
        namespace = attributes[Self.declaration(prefix)]
        prefixes = [prefix]
        identity = GPXIdentity.prefixes(in: attributes)
        guard let namespace else { return }
        for (key, value) in attributes where value == namespace {
            if key == "xmlns" { prefixes.insert("") }
            if key.hasPrefix("xmlns:") { prefixes.insert(key.dropFirst(6) + ":") }
        }
    }

    /// Returns the name of an element of GPX without its prefix; nil if it is in another namespace.
    func own(_ name: String, _ attributes: [String: String]) -> Substring? {
        let prefix = name.xmlPrefix
        if !attributes.isEmpty, let other = attributes[Self.declaration(prefix)] {
            guard other == namespace || Self.names.contains(other) else { return nil }
        } else if !prefixes.contains(prefix) {
            return nil
        }
        return name.dropFirst(prefix.count)
    }

    /// Returns the name of the attribute that binds a prefix.
    static func declaration(_ prefix: String) -> String {
        prefix.isEmpty ? "xmlns" : "xmlns:" + prefix.dropLast()
    }
}
