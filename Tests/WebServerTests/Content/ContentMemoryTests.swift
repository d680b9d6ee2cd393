import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import WebServer

/// What content needs of the memory, in processes of their own.
@Suite(.timeLimit(.minutes(10))) struct ContentMemoryTests {
    @Test func muchContentStaysSmall() async {
        await #expect(processExitsWith: .success) {
            try await MemoryMeasurement.send(1 << 30, isSecure: false, growsLessThan: 24 << 20)
        }
    }

    @Test func muchEncryptedContentStaysSmall() async {
        await #expect(processExitsWith: .success) {
            try await MemoryMeasurement.send(512 << 20, isSecure: true, growsLessThan: 24 << 20)
        }
    }
}

/// Sends zeros to a server of this process, and compares the highest memory before and after.
private enum MemoryMeasurement {
    static func send(_ length: UInt64, isSecure: Bool, growsLessThan limit: Int) async throws {
        let (site, identity) = (RecordingSite(), try Identities.new())
        try await TestServer.with(site: site) {
            if isSecure { $0.security = WebServerSecurity(identity, asksForCertificate: true) }
        } _: { port in
            let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: isSecure))
            try await TemporaryDirectory.with { directory in
                let path = directory.path("zeros")
                try Data().write(to: URL(fileURLWithPath: path))
                try #require(truncate(path, Int(length)) == 0)
                let file = try OpenFile(path, O_RDONLY)
                // The first one fills the buffers.
                try await post(.file(file, 0..<(64 << 20), type: "x/y"), to: server)
                let before = try highest()
                try await post(.file(file, 0..<length, type: "x/y"), to: server)
                let growth = try highest() - before
                #expect(growth < limit, "\(growth)")
                #expect(site.noted.value.length == Int(length) + (64 << 20))
            }
        }
    }

    private static func post(_ content: WebClient.Content, to server: WebAddress) async throws {
        var options = WebClient.Options()
        (options.idleTime, options.answerTime) = (.patience, .patience)
        let answer = try await WebClient.post(to: server, "/", content: content, options: options)
        #expect(answer.status == 200)
    }

    /// The highest memory of this process so far, in bytes.
    private static func highest() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}
