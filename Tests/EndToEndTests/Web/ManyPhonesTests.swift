import Foundation
import PeerTestSupport
import Testing

/// Many phones at once on the page of `send --web`.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ManyPhonesTests {
    /// How browsers, download managers and old programs ask for a file.
    private static let ways = [[], ["--header", "Connection: close"], ["--http1.0"]]

    /// Thirty phones download, and one keeps more connections open than it may have.
    @Test func thirtyPhonesGetEveryByte() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await laptop.sendWithPage(Example.name) { page in
                let held = try (0..<20).map { _ in
                    let connection = try RawConnection(toPort: page.port)
                    connection.write(
                        Array("GET /\(page.secret)/ HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n".utf8)
                    )
                    try #require(String(decoding: connection.read(atMost: 15), as: UTF8.self) == "HTTP/1.1 200 OK")
                    return connection
                }
                try await withThrowingTaskGroup(of: (phone: Int, ending: Ending).self) { group in
                    for phone in 1...30 {
                        let command = [
                            "--fail", "--interface", "127.0.1.\(phone)", "--output", directory.path("\(phone)"),
                            page.file("mbtiles"),
                        ]
                        group.addTask { (phone, try await Curl.run(command + Self.ways[phone % Self.ways.count])) }
                    }
                    for try await (phone, ending) in group {
                        #expect(ending.code == 0, "\(ending)")
                        let isSame = FileManager.default.contentsEqual(
                            atPath: directory.path("\(phone)"),
                            andPath: Example.map
                        )
                        #expect(isSame, "\(phone)")
                    }
                }
                for connection in held { connection.end() }
            }
        }
    }
}
