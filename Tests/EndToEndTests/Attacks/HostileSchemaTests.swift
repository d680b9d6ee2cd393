import Foundation
import PeerTestSupport
import Testing

/// Databases of a few kilobytes whose schemas compute without end: whatever a person or a peer does with them, nothing of them runs
/// but within the limits.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HostileSchemaTests {
    private static let name = "Nordkette"

    /// What is done with a map of the store, and measured.
    private static func uses(_ directory: TemporaryDirectory) -> [[String]] {
        [
            ["show", name],
            ["export", name, "--to", directory.path("files"), "--mbtiles", "--max-zoom", "12"],
            ["export", name, "--osmand", directory.path("map.sqlitedb")],
            ["export", name, "--html", directory.path("map.html")],
        ]
    }

    private static func expectSmall(_ memory: Int, _ what: [String]) {
        #expect(memory < Laptop.memoryBound, "\(memory) KiB: \(what.joined(separator: " "))")
    }

    /// The import of a map that is where it says, and of one whose rows are turned.
    @Test(arguments: HostileDatabase.allCases, HostileDatabase.Bounds.allCases)
    func anImportRunsNothingOfIt(hostile: HostileDatabase, bounds: HostileDatabase.Bounds) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try hostile.make(path, name: Self.name, bounds: bounds)
            let laptop = Laptop(store: directory.path("store"))
            let (ending, memory) = try await laptop.measuringMemory(["import", path, "--format", "json"])
            Self.expectSmall(memory, ["import"])
            // The last line is that of the measurement.
            let line = ending.output.first { $0.contains(#""type":"importedMap""#) }
            let turned = try line.map { try JSONValue(parsing: $0) }?["hasTurnedRows"]?.bool
            // What is refused is refused with words.
            #expect(turned == (ending.code == 0 ? bounds == .mirrored : nil), "\(ending)")
            #expect(ending.code == 0 || ending.code == 2, "\(ending)")
            let left = try FileManager.default.contentsOfDirectory(atPath: laptop.store + "/work")
            #expect(left.isEmpty, "\(left)")
        }
    }

    /// Everything that a laptop does with such a map that it has: uses, pages, transfers, sticks and updates.
    @Test(arguments: HostileDatabase.allCases) func noUseRunsAnythingOfIt(hostile: HostileDatabase) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.mbtiles")
            try hostile.make(path, name: Self.name, bounds: .right)
            let (laptop, friend) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let ending = try await laptop.run("import", path)
            guard ending.code == 0 else { return }
            for use in Self.uses(directory) {
                let (ending, memory) = try await laptop.measuringMemory(use)
                Self.expectSmall(memory, use)
                #expect(ending.code == 0, "\(ending)")
            }
            try await laptop.map(Self.name) { child, url in
                for page in ["region.json", "tiles/12/2176/1439"] {
                    _ = try await Curl.run(["--output", "/dev/null", url + page])
                }
                Self.expectSmall(try child.peakMemory(), ["map"])
            }
            try await laptop.sendQuietly(Self.name) { running in
                let command = ["receive", "--yes", "--retries", "0", "--connect", "127.0.0.1:\(running.port)"]
                let (ending, memory) = try await friend.measuringMemory(command)
                #expect(ending.code == 0, "\(ending)")
                Self.expectSmall(memory, command)
                Self.expectSmall(try running.child.peakMemory(), ["send"])
            }
            try await Self.exchangeByStick(from: laptop, to: Laptop(store: directory.path("c")), directory)
            let received = ["export", Self.name, "--osmand", directory.path("received.sqlitedb")]
            let (exported, memory) = try await friend.measuringMemory(received)
            #expect(exported.code == 0, "\(exported)")
            Self.expectSmall(memory, received)
        }
    }

    private static func exchangeByStick(
        from sender: Laptop,
        to receiver: Laptop,
        _ directory: TemporaryDirectory
    ) async throws {
        let stick = directory.path("stick")
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: false)
        try await receiver.must("receive", "--stick", stick)
        for (laptop, command) in [
            (sender, ["send", name, "--stick", stick, "--yes"]), (receiver, ["receive", "--stick", stick, "--yes"]),
        ] {
            let (ending, memory) = try await laptop.measuringMemory(command)
            #expect(ending.code == 0, "\(ending)")
            expectSmall(memory, command)
        }
    }

    /// Phones send them, and nobody has agreed to anything yet.
    @Test func anUploadRunsNothingOfIt() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await UploadTests.send(on: laptop) { terminal, url in
                for (number, hostile) in HostileDatabase.allCases.enumerated() {
                    for (index, bounds) in HostileDatabase.Bounds.allCases.enumerated() {
                        let path = directory.path("\(hostile)-\(bounds).mbtiles")
                        try hostile.make(path, name: Self.name, bounds: bounds)
                        let content = try Data(contentsOf: URL(fileURLWithPath: path))
                        let client = "127.0.0.\(10 + 2 * number + index)"
                        let phone = PhoneUpload(content, as: "\(hostile)", to: url, from: client)
                        try await phone.send(directory)
                        while try await phone.state()["state"]?.string == "waiting" {
                            if terminal.text.hasSuffix("[y/N] ") { try terminal.type("n\r") }
                            await Task.yield()
                        }
                    }
                }
                Self.expectSmall(try terminal.child.peakMemory(), ["send", "--web"])
            }
        }
    }

    /// A program was stopped while it changed them, so SQLite completes or undoes that in a copy.
    @Test(arguments: [true, false]) func mendingRunsNothingOfIt(isWAL: Bool) async throws {
        for hostile in HostileDatabase.allCases {
            try await TemporaryDirectory.with { directory in
                let path = directory.path("map.mbtiles")
                try hostile.make(path, name: Self.name, bounds: .mirrored)
                let folder = directory.path("stopped")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try HostileDatabase.stop(path, isWAL: isWAL, copyingTo: folder + "/map.mbtiles")
                let laptop = Laptop(store: directory.path("a"))
                let (ending, memory) = try await laptop.measuringMemory(["import", folder + "/map.mbtiles"])
                #expect(ending.code == 0 || ending.code == 2, "\(ending)")
                Self.expectSmall(memory, ["import"])
            }
        }
    }
}

extension ChildProcess {
    /// The most memory that the running program has had, in KiB.
    func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmHWM:\s*([0-9]+) kB/).flatMap { Int($0.1) })
    }
}
