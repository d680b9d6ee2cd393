import Foundation
import PeerTestSupport
import Testing

@testable import HostNetwork

@Suite struct SystemFileTests {
    @Test(arguments: [0, 1, 4095, 4096, 4097, 10_000]) func readsAtMostTheMaximum(length: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.url.appending(path: "list").path
            let text = String(repeating: "route\n", count: 2000)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(SystemFile.text(path, upTo: length) == String(text.prefix(length)))
            #expect(SystemFile.text(path) == text)
            #expect(SystemFile.word(path) == "route")
            #expect(SystemFile.names(in: directory.url.path) == ["list"])
        }
    }

    @Test func whatIsMissingIsNotRead() {
        #expect(SystemFile.text("/nowhere/list") == nil)
        #expect(SystemFile.word("/nowhere/list") == nil)
        #expect(SystemFile.names(in: "/nowhere").isEmpty)
    }
}
