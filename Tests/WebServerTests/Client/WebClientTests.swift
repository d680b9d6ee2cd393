import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import Testing

@testable import WebServer

/// The client with the server of this module.
@Suite(.timeLimit(.minutes(10))) struct WebClientTests {
    private static func address(_ port: Int, host: String = "127.0.0.1") throws -> WebAddress {
        try #require(WebAddress(host: host, port: port, isSecure: false))
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1:80"), ("::1", "[::1]:80"), ("fe80::1%wlan0", "[fe80::1]:80"),
            ("fe80::1%2", "[fe80::1]:80"),
        ]
    )
    func addressesAreThoseOfMachines(host: String, field: String) {
        #expect(WebAddress(host: host, port: 80, isSecure: false)?.field == field)
    }

    @Test(arguments: [
        "", "localhost", "evil.example", "127.0.0.1%lo", "[::1]", "::1%", "fe80::1%interface-too-long", "1.2.3",
    ])
    func namesAreNotLookedUp(host: String) {
        #expect(WebAddress(host: host, port: 80, isSecure: false) == nil)
        #expect(WebAddress(host: "::1", port: 0, isSecure: false) == nil)
        #expect(WebAddress(host: "::1", port: 65_536, isSecure: false) == nil)
    }

    @Test(arguments: [("::1", "::1"), ("::", "::1"), ("::", "127.0.0.1")])
    func bothVersionsOfTheProtocolAreSpoken(own: String, host: String) async throws {
        let site = RecordingSite()
        try await TestServer.with(site: site) {
            $0.address = own
            $0.isForOwnUser = false
        } _: { port in
            let server = try Self.address(port, host: host)
            let answer = try await WebClient.post(to: server, "/", content: .bytes([], type: nil))
            #expect(answer.status == 200 && answer.certificate == nil)
            #expect(site.noted.value.requests.map(\.client) == [host])
        }
    }

    @Test func theQueryAndTheTypeArrive() async throws {
        let site = RecordingSite()
        try await TestServer.with(site: site) { port in
            let content = WebClient.Content.bytes(Array("{}".utf8), type: "application/json")
            _ = try await WebClient.post(
                to: try Self.address(port),
                "/a/b",
                query: ["a": "Ä &=?", "b": ""],
                content: content
            )
            let request = try #require(site.noted.value.requests.first)
            #expect(request.path == WebPath("/a/b") && request.query == ["a": "Ä &=?", "b": ""])
            #expect(request.contentType == "application/json" && request.contentLength == 2)
            #expect(!request.isFromOwnPage && !request.isFromOtherPage)
        }
    }

    /// Notes the steps for which it waits.
    private final class Pace: WebFile.Pace {
        let steps = Locked<[(bytes: Int, left: UInt64)]>([])
        let ends = Locked(0)
        let stepLimit = 100_000

        func wait(_ bytes: Int, left: UInt64) async { steps.withLock { $0.append((bytes, left)) } }
        func leave() { ends.withLock { $0 += 1 } }
    }

    @Test func aPartOfAFileIsSentAtItsPace() async throws {
        var generator = SeededGenerator(seed: 7)
        let bytes = generator.bytes(500_000)
        let (received, sent) = (Locked<[UInt8]>([]), Locked<[UInt64]>([]))
        let site = RecordingSite(write: { bytes in received.withLock { $0 += bytes } })
        try await TemporaryDirectory.with { directory in
            let path = directory.path("f")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try await TestServer.with(site: site) { port in
                let (file, pace) = (try OpenFile(path, O_RDONLY), Pace())
                var options = WebClient.Options()
                (options.pace, options.progress) = (pace, { position in sent.withLock { $0.append(position) } })
                let content = WebClient.Content.file(file, 1000..<251_000, type: "x/y")
                _ = try await WebClient.post(to: try Self.address(port), "/", content: content, options: options)
                let isSame = received.value == Array(bytes[1000..<251_000])
                #expect(isSame && sent.value == [100_000, 200_000, 250_000])
                #expect(pace.steps.withLock { $0.map(\.bytes) } == [100_000, 100_000, 50_000])
                #expect(pace.steps.withLock { $0.map(\.left) } == [250_000, 150_000, 50_000])
                #expect(pace.ends.value == 1)
                // An empty part is content, too.
                let empty = WebClient.Content.file(file, 5..<5, type: "x/y")
                #expect(try await WebClient.post(to: try Self.address(port), "/", content: empty).status == 200)
            }
        }
    }

    /// The file has become shorter, so the request cannot be completed.
    @Test func aFileThatIsCutEndsTheRequest() async throws {
        let site = RecordingSite()
        try await TestServer.with(site: site) {
            $0.isForOwnUser = false
        } _: { port in
            let content = WebClient.Content.file(try OpenFile("/dev/null", O_RDONLY), 0..<5_000_000, type: "x/y")
            await #expect(throws: WebClient.Failure.unreadable) {
                try await WebClient.post(to: try Self.address(port), "/", content: content)
            }
            await site.waitForReleases(1)
            #expect(site.noted.value.requests.isEmpty)
        }
    }

    @Test func redirectsAreNotFollowed() async throws {
        let site = RecordingSite(answer: { _ in .redirect(to: "/other") })
        try await TestServer.with(site: site) { port in
            let answer = try await WebClient.post(to: try Self.address(port), "/", content: .bytes([1], type: nil))
            #expect(answer.status == 301 && site.noted.value.requests.count == 1)
        }
    }

    @Test func proxiesOfTheEnvironmentAreNotUsed() async {
        await #expect(processExitsWith: .success) {
            let site = RecordingSite()
            let closed = try RawServer.unusedPort()
            for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:\(closed)", 1)
            }
            try await TestServer.with(site: site) { port in
                let server = try #require(WebAddress(host: "127.0.0.1", port: port, isSecure: false))
                let answer = try await WebClient.post(to: server, "/", content: .bytes([1], type: nil))
                #expect(answer.status == 200)
            }
        }
    }

    @Test func aCancelledTaskConnectsToNobody() async throws {
        let site = RecordingSite()
        try await TestServer.with(site: site) { port in
            let server = try Self.address(port)
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await WebClient.post(to: server, "/", content: .bytes([1], type: nil))
                    }
                }
            }
            #expect(site.noted.value.requests.isEmpty)
        }
    }
}
