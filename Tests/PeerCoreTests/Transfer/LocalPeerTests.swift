import Foundation
import Testing

@testable import PeerCore

@Suite struct LocalPeerTests {
    private func peer(platform: String? = nil) throws -> LocalPeer {
        LocalPeer(
            application: .hikeshare,
            identity: try .generate(for: .hikeshare),
            displayName: "Anna",
            software: "test 1",
            platform: platform
        )
    }

    @Test func thePlatformIsWhatTheSystemSays() throws {
        let system = try String(contentsOfFile: "/proc/sys/kernel/ostype", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        #expect(!system.isEmpty)
        #expect(try peer().platform == system)
        #expect(try peer().hello(ConnectionConfiguration(), as: .listener).platform == system)
    }

    @Test(arguments: ["Plan 9", ""]) func anApplicationMaySayAnother(platform: String) throws {
        #expect(try peer(platform: platform).platform == platform)
    }
}
