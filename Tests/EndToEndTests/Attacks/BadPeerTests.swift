import Foundation
import PeerTestSupport
import Testing

/// Peers that speak another language, or nothing.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct BadPeerTests {
    /// How a peer behaves that is not hikeshare.
    enum Stranger: String, CaseIterable, Sendable {
        case answersHTTP
        case sendsRandomBytes
        case sendsGarbageAsTLS
        case closesAtOnce
        case echoes

        func serve(_ connection: RawConnection) {
            switch self {
            case .answersHTTP:
                _ = connection.read()
                connection.write(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
                connection.readToEnd()
            case .sendsRandomBytes:
                var generator = SeededGenerator(seed: 7)
                connection.write(generator.bytes(5000))
                connection.readToEnd()
            case .sendsGarbageAsTLS:
                var generator = SeededGenerator(seed: 8)
                // A handshake record that holds nonsense.
                connection.write([0x16, 0x03, 0x03, 0x04, 0x00] + generator.bytes(1024))
                connection.readToEnd()
            case .closesAtOnce:
                break
            case .echoes:
                while case let bytes = connection.read(), !bytes.isEmpty, connection.write(bytes) {}
            }
        }
    }

    /// A laptop that has a region already, which must stay as it is.
    private func withLaptop(_ body: (Laptop, TemporaryDirectory) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await laptop.must("import", directory.path("n.mbtiles"))
            let before = try StoreContents(of: laptop.store)
            try await body(laptop, directory)
            try await laptop.must("list")
            #expect(try StoreContents(of: laptop.store) == before)
        }
    }

    @Test(arguments: Stranger.allCases, ["required", "none"])
    func aReceiverSaysThatTheOtherSideIsNoHikeshare(stranger: Stranger, encryption: String) async throws {
        try await withLaptop { laptop, _ in
            try await RawServer.with(serve: stranger.serve) { server in
                let ending = try await laptop.receive(from: server.port, "--encryption", encryption)
                let problem = try ending.problem()
                let words = problem["message"]?.string ?? ""
                switch (stranger, encryption) {
                case (.closesAtOnce, _):
                    #expect(ending.code == 4, "\(ending)")
                case (_, "required"):
                    #expect(ending.code == 5 || ending.code == 6, "\(ending)")
                    #expect(words.contains("hikeshare") || words.contains("encrypt"), "\(ending)")
                default:
                    #expect(ending.code == 6, "\(ending)")
                }
                #expect(!words.isEmpty && !words.contains("Error"), "\(ending)")
                #expect(problem["exitCode"]?.int.map(Int32.init) == ending.code)
            }
        }
    }

    @Test(arguments: ["required", "none"])
    func aReceiverGivesUpOnSilence(encryption: String) async throws {
        try await withLaptop { laptop, _ in
            try await RawServer.with { connection in
                connection.readToEnd()
            } _: { server in
                let ending = try await laptop.receive(from: server.port, "--encryption", encryption)
                #expect(ending.code == 4, "\(ending)")
                let words = try ending.problem()["message"]?.string ?? ""
                #expect(words.contains("in time") || words.contains("lost"), "\(ending)")
            }
        }
    }

    @Test func whereNobodyListensNobodyIsFound() async throws {
        try await withLaptop { laptop, _ in
            let ending = try await laptop.receive(from: try RawServer.unusedPort())
            #expect(ending.code == 3, "\(ending)")
            let problem = try ending.problem()
            #expect(problem["code"]?.string == "cannotConnect")
            #expect(problem["message"]?.string == "The sender's laptop is there, but sends nothing now.", "\(ending)")
            let unknown = try await laptop.run("receive", "--yes", "--connect", "no-such-host.invalid:4711")
            #expect(unknown.code == 3, "\(unknown)")
            #expect(try unknown.problem()["message"]?.string?.contains("no-such-host.invalid") == true)
        }
    }

    static let plainTextPeers: [(String, [UInt8], String)] = [
        ("a version of the future", frame(0x01, hello(versions: "[99]")), "pdate"),
        ("an oversized frame", [0x01, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], ""),
        ("an unknown type", [0x31, 0, 0, 0, 0, 0, 0, 0], ""),
        ("flags that are not 0", [0x01, 1, 0, 0, 0, 0, 0, 0], ""),
        ("a hello that is no JSON", frame(0x01, "{{{{"), ""),
        ("data before anything else", [0x24, 0, 0, 0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12), ""),
    ]

    @Test(arguments: plainTextPeers)
    func whoBreaksTheProtocolIsNotBelieved(name: String, bytes: [UInt8], words: String) async throws {
        try await withLaptop { laptop, _ in
            try await RawServer.with { connection in
                connection.write(Self.preface + bytes)
                connection.readToEnd()
            } _: { server in
                let ending = try await laptop.receive(from: server.port, "--encryption", "none")
                #expect(ending.code == 6, "\(name): \(ending)")
                let message = try ending.problem()["message"]?.string ?? ""
                #expect(words.isEmpty || message.contains(words), "\(name): \(ending)")
                #expect(!message.isEmpty, "\(name): \(ending)")
            }
        }
    }

    @Test func aSenderServesHonestReceiversWhateverStrangersSay() async throws {
        try await withLaptop { laptop, directory in
            try await laptop.sendQuietly("Nordkette", ["--encryption", "optional"]) { running in
                var generator = SeededGenerator(seed: 9)
                let greetings: [[UInt8]] = [
                    Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
                    generator.bytes(5000),
                    [0x16, 0x03, 0x01, 0x02, 0x00] + generator.bytes(512),
                    Self.preface + generator.bytes(500),
                    Self.preface + [0x01, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
                    Self.preface + Self.frame(0x01, Self.hello(versions: "[99]")),
                    [],
                ]
                // One who says nothing stays all the time.
                let silent = try RawConnection(toPort: running.port)
                for greeting in greetings {
                    let connection = try RawConnection(toPort: running.port)
                    connection.write(greeting)
                    if greeting.isEmpty { connection.finishWriting() }
                    connection.readToEnd()
                }
                let received = try await Laptop(store: directory.path("b")).receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                // Whoever has said nothing at all is no news.
                var told: [JSONValue] = []
                for await line in running.child.outputs() where line.contains(#""type":"notSent""#) {
                    told.append(try JSONValue(parsing: line))
                    if told.count == greetings.count - 1 { break }
                }
                #expect(told.allSatisfy { $0["message"]?.string?.isEmpty == false }, "\(told)")
                silent.end()
                let sent = await running.interrupt()
                #expect(sent.code == 130, "\(sent)")
                #expect(try sent.lines("sent").count == 1)
                #expect(try sent.lines("notSent").count >= told.count, "\(sent)")
            }
        }
    }

    static let preface: [UInt8] = Array("HIKESHA\n".utf8)

    static func frame(_ type: UInt8, _ text: String) -> [UInt8] {
        let length = UInt32(text.utf8.count)
        return [type, 0, 0, 0] + withUnsafeBytes(of: length.bigEndian, Array.init) + Array(text.utf8)
    }

    static func hello(versions: String) -> String {
        """
        {"versions":\(versions),"peerID":"\(String(repeating: "ab", count: 32))","displayName":"Future","platform":"Linux",\
        "software":"hikeshare 99","encryption":"none","maximumResourceSize":1000000000,"features":[],\
        "application":"hikeshare","role":"listener"}
        """
    }
}
