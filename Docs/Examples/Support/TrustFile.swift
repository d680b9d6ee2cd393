import Foundation
package import NearbyPeers

/// The peers with which a person has compared digits, in a JSON file.
package actor TrustFile: TrustStore {
    private let file: URL
    private var names: [String: String]

    /// Reads the file; if there is none, no peer is trusted yet.
    ///
    /// - Throws: An error if the file is not a list of peers: it is not replaced by an empty list.
    package init(at path: String) throws {
        file = URL(fileURLWithPath: path)
        names = [:]
        guard FileManager.default.fileExists(atPath: path) else { return }
        names = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    }

    /// Looks a peer up by its id.
    ///
    /// A name that looks like that of another id is an impostor's.
    package func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust {
        if let known = names[id.hex] { return .trusted(name: known) }
        let taken = names.values.sorted().first { PeerName.areAlike($0, name) }
        return taken.map { .impostor(name: $0) } ?? .unknown
    }

    /// Adds a peer, and writes the file.
    package func pin(_ id: PeerID, name: String) async throws {
        guard names[id.hex] == nil else { return }
        var changed = names
        changed[id.hex] = name
        try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        names = changed
        show("\(name) is trusted from now on")
    }
}
