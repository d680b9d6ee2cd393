internal import Crypto
package import FoundationEssentials

/// The text that names a hike, route or waypoint in addresses of pages: the same at every server and in every file.
///
/// It is the start of a digest, so it does not tell the id by which stores know the item.
package enum ItemKey {
    /// Returns the text of an item.
    package static func text(of id: UUID) -> String {
        SHA256.hash(data: Data(id.uuidString.utf8)).prefix(6).map { byte in
            String(0x100 + Int(byte), radix: 16).dropFirst()
        }.joined()
    }
}
