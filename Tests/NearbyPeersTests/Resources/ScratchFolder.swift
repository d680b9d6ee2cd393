import Foundation
import PeerTestSupport

/// A folder of a test.
struct ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "resources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

extension Data {
    /// Random bytes, the same each time.
    static func pattern(_ count: Int) -> Data {
        var generator = SeededGenerator(seed: 7)
        return Data(generator.bytes(count))
    }
}
