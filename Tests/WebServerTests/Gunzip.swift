import Foundation
import PeerTestSupport
import Testing

/// Another implementation of gzip.
enum Gunzip {
    /// Returns what bytes are when they are not compressed.
    static func bytes(of compressed: [UInt8]) async throws -> [UInt8] {
        try await TemporaryDirectory.with { directory in
            let (from, to) = (directory.path("from"), directory.path("to"))
            try Data(compressed).write(to: URL(fileURLWithPath: from))
            let code = try await ChildProcess.with("sh", ["-c", "gzip -dc < \"$0\" > \"$1\"", from, to]) {
                await $0.waitForExit()
            }
            #expect(code == .exited(0))
            return Array(try Data(contentsOf: URL(fileURLWithPath: to)))
        }
    }
}
