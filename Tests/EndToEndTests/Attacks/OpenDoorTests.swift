import Foundation
import PeerTestSupport
import Testing

/// What the running program can be reached by: the port of the transfer, and nothing else.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct OpenDoorTests {
    @Test func aSenderListensOnItsPortOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await laptop.must("import", directory.path("n.mbtiles"))
            try await laptop.sendQuietly("Nordkette") { sender in
                let doors = try Doors(of: sender.child.processID)
                #expect(!doors.ports.isEmpty)
                #expect(Set(doors.ports) == [sender.port])
                #expect(doors.datagramSockets == 0)
                #expect(doors.listeningLocalSockets == 0)
            }
        }
    }

    @Test func aReceiverListensNowhere() async throws {
        try await TemporaryDirectory.with { directory in
            let store = directory.path("b")
            let (seen, continuation) = AsyncStream.makeStream(of: Result<Doors, any Error>.self)
            try await RawServer.with { connection in
                // Looked at from here, at once: before long the receiver gives up on somebody who says nothing.
                continuation.yield(Result { try Doors(of: try #require(Self.process(with: store))) })
                connection.readToEnd()
            } _: { server in
                let arguments = ["receive", "--yes", "--connect", "127.0.0.1:\(server.port)"]
                try await Laptop(store: store).start(arguments) { child in
                    let doors = try #require(await seen.first { _ in true }).get()
                    #expect(doors.connections > 0)
                    #expect(doors.ports.isEmpty)
                    #expect(doors.datagramSockets == 0)
                    #expect(doors.listeningLocalSockets == 0)
                    child.kill(SIGINT)
                    _ = await child.waitForExit()
                }
            }
        }
    }

    /// Returns the process in whose environment a text stands.
    private static func process(with text: String) -> Int32? {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        return processes.first { process in
            let environment = FileHandle(forReadingAtPath: "/proc/\(process)/environ")
            defer { try? environment?.close() }
            return (try? environment?.readToEnd())?.range(of: Data(text.utf8)) != nil
        }
    }
}

/// The sockets of a process by which others can reach it, as the kernel lists them.
struct Doors {
    /// The ports on which it takes TCP connections.
    var ports: [Int] = []
    /// Its TCP connections.
    var connections = 0
    /// Its UDP sockets.
    var datagramSockets = 0
    /// The Unix sockets on which it takes connections.
    var listeningLocalSockets = 0

    /// Looks at a process that runs.
    init(of process: Int32) throws {
        let folder = "/proc/\(process)/fd"
        let sockets = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name -> String? in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
                guard let target, target.hasPrefix("socket:[") else { return nil }
                return String(target.dropFirst(8).dropLast())
            }
        )
        for table in ["tcp", "tcp6"] {
            for row in try Self.rows(process, table) where row.count > 9 && sockets.contains(row[9]) {
                // 0A is the kernel's number of the state in which connections are taken.
                guard row[3] == "0A" else {
                    connections += 1
                    continue
                }
                let port = row[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
                ports.append(try #require(port))
            }
        }
        for table in ["udp", "udp6"] {
            datagramSockets += try Self.rows(process, table).count { $0.count > 9 && sockets.contains($0[9]) }
        }
        // The flag that says that connections are taken is the only one that is set in a listening socket.
        listeningLocalSockets = try Self.rows(process, "unix").count { row in
            row.count > 6 && sockets.contains(row[6]) && row[3] == "00010000"
        }
    }

    private static func rows(_ process: Int32, _ table: String) throws -> [[String]] {
        // To its end, of which the kernel gives no size.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/net/\(table)"))
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            .split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ").map(String.init) }
    }
}
