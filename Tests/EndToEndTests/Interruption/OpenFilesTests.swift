import Foundation
import NIOCore
import NIOPosix
import PeerTestSupport
import Testing

/// A system that lets the program have few files and connections open at once.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct OpenFilesTests {
    /// Runs the program with limits.
    private func start<Result>(
        soft: Int,
        hard: Int,
        _ arguments: [String],
        on laptop: Laptop,
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let command = ["--nofile=\(soft):\(hard)", Place.program] + arguments
        let environment = ["HIKESHARE_STORE": Optional(laptop.store), "SWIFT_BACKTRACE": "enable=no"]
        return try await ChildProcess.with("prlimit", command, environment: environment) { child in
            try await Laptop.impatiently(child) { try await body(child) }
        }
    }

    private func withLaptop(_ body: (Laptop, TemporaryDirectory) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await laptop.must("import", directory.path("n.mbtiles"))
            try await body(laptop, directory)
        }
    }

    /// Waits until the sender has closed all channels but those that it has places for.
    ///
    /// As long as it closes them, it may refuse others.
    private static func closed(_ channels: [any Channel], butFor places: Int) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        for channel in channels { channel.closeFuture.whenComplete { _ in end.yield() } }
        for await _ in ends.prefix(max(0, channels.count - places)) {}
    }

    private static func least() -> Int { 128 + 3 * Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))) + 32 }

    /// The soft limit is raised; where the hard one is low, too, fewer connections are held.
    @Test(arguments: [(64, 4096), (0, 0), (0, 60)])
    func aBurstOfConnectionsDoesNotEndTheSender(soft: Int, more: Int) async throws {
        let hard = soft == 0 ? Self.least() + more : more
        try await withLaptop { laptop, directory in
            let arguments = laptop.asInTests(["send", "Nordkette", "--yes", "--no-discovery", "--format", "json"])
            try await start(soft: soft == 0 ? hard : soft, hard: hard, arguments, on: laptop) { sender in
                let listening = try JSONValue(
                    parsing: try await sender.waitForOutput { $0.contains(#""type":"listening""#) }
                )
                let port = try #require(listening["port"]?.int)
                let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
                // From many addresses, so that each may have some, and more than the program may have files. But not more at once than
                // the queue of its listening socket holds: the kernel drops the rest, and tries again for minutes.
                let channels = try await withThrowingTaskGroup(of: (any Channel)?.self) { group in
                    var channels: [any Channel] = []
                    for index in 0..<600 {
                        if index >= 100, let channel = try await group.next() {
                            channels += [channel].compactMap { $0 }
                        }
                        group.addTask {
                            let own = try SocketAddress(ipAddress: "127.0.1.\(1 + index % 200)", port: 0)
                            return try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                                .connectTimeout(.seconds(300)).bind(to: own).connect(to: address).get()
                        }
                    }
                    return try await group.reduce(into: channels) { $0 += [$1].compactMap { $0 } }
                }
                #expect(!channels.isEmpty)
                await Self.closed(channels, butFor: soft == 0 ? 8 + more / 4 : 64)
                let receiver = Laptop(store: directory.path("receiver"))
                let received = try await receiver.start(
                    ["receive", "--yes", "--retries", "5", "--connect", "127.0.0.1:\(port)", "--format", "json"]
                ) { await $0.ending() }
                for channel in channels { try? await channel.close() }
                #expect(received.code == 0, "\(received)")
                sender.kill(SIGINT)
                let ending = await sender.ending()
                #expect(ending.code == 130, "\(ending)")
            }
        }
    }

    @Test func tooFewAreSaidAtTheStart() async throws {
        try await withLaptop { laptop, _ in
            for arguments in [["list"], ["send", "Nordkette", "--yes"]] {
                let ending = try await start(
                    soft: 64,
                    hard: 64,
                    arguments + ["--format", "json"],
                    on: laptop
                ) { await $0.ending() }
                #expect(ending.code == 1, "\(ending)")
                let problem = try ending.problem()
                #expect(problem["code"]?.string == "openFiles")
                #expect(problem["message"]?.string?.contains("open files is 64") == true)
                #expect(problem["remedy"]?.string?.contains("ulimit -n") == true)
            }
        }
    }
}
