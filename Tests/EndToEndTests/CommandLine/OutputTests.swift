import Foundation
import PeerTestSupport
import Testing

/// Results that cannot be written.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct OutputTests {
    /// Runs the program with its output led elsewhere by a shell.
    private func run(_ arguments: [String], _ redirection: String, on laptop: Laptop) async throws -> Ending {
        let command = ["-c", #""$0" "$@" "# + redirection, Place.program] + arguments
        let environment = ["HIKESHARE_STORE": Optional(laptop.store), "SWIFT_BACKTRACE": "enable=no"]
        return try await ChildProcess.with("bash", command, environment: environment) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }

    private func withLaptop(_ body: (Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await laptop.must("import", directory.path("n.mbtiles"))
            try await body(laptop)
        }
    }

    @Test(arguments: [
        ["list"], ["list", "--format", "json"], ["peers"], ["show", "Nordkette"],
        ["--help"], ["send", "--help"], ["--version"], ["remove", "Nordkette", "--yes"],
    ])
    func aFullDiskIsAnError(arguments: [String]) async throws {
        try await withLaptop { laptop in
            let ending = try await run(arguments, ">/dev/full", on: laptop)
            #expect(ending.code == 7, "\(ending)")
            #expect(ending.words.contains("The results cannot be written: the disk is full."), "\(ending)")
        }
    }

    @Test func anOutputThatIsClosedIsAnError() async throws {
        try await withLaptop { laptop in
            let ending = try await run(["list", "--format", "json"], ">&-", on: laptop)
            #expect(ending.code == 7, "\(ending)")
            #expect(try ending.problem()["code"]?.string == "output")
        }
    }

    @Test func aReaderThatHasReadEnoughIsNoError() async throws {
        try await withLaptop { laptop in
            let ending = try await run(["list"], "| true; exit ${PIPESTATUS[0]}", on: laptop)
            #expect(ending.code == 0, "\(ending)")
            #expect(ending.words.isEmpty, "\(ending)")
        }
    }
}
