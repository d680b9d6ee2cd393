import Foundation
import PeerTestSupport
import Testing

/// Command lines that are wrong, ask for help, or need a terminal that is not there.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct CommandLineTests {
    @Test func theProgramAloneSaysWhatToType() async throws {
        let nothing = try await Laptop(store: "/nonexistent").start([]) { await $0.ending() }
        #expect(nothing.code == 0 && nothing.output.contains("You have no maps yet."), "\(nothing)")
        try await BadInputTests.withLaptop { laptop, _ in
            let ending = try await laptop.start([]) { await $0.ending() }
            #expect(ending.code == 0 && ending.output.count <= 12, "\(ending)")
            #expect(ending.output.contains { $0.contains("hikeshare send \(Example.name)") }, "\(ending)")
        }
    }

    /// Commands take the only region, and suggest one for a misspelt name.
    @Test func aRegionNeedsNoName() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let shown = try await laptop.must("show")
            #expect(try shown.lines("region").first?["name"]?.string == Example.name)
            let misspelt = try await laptop.run("show", "Coma", "Pedrsa")
            #expect(try misspelt.problem()["remedy"]?.string?.contains("Did you mean “\(Example.name)”?") == true)
            try MapMaker.make(directory.path("other.mbtiles"))
            try await laptop.must("import", directory.path("other.mbtiles"))
            let several = try await laptop.tell("show")
            #expect(several.code == 64 && several.words.contains("Which region?"), "\(several)")
            #expect(several.words.contains(Example.name) && several.words.contains("Nordkette"), "\(several)")
        }
    }

    @Test(arguments: [["waypoint"]])
    func aCommandThatGroupsOthersShowsItsHelp(arguments: [String]) async throws {
        let laptop = Laptop(store: "/nonexistent")
        let ending = try await laptop.start(arguments) { await $0.ending() }
        #expect(ending.code == 0, "\(ending)")
        let usage = (["USAGE: hikeshare"] + arguments + ["<subcommand>"]).joined(separator: " ")
        #expect(ending.output.contains(usage), "\(ending)")
        #expect(ending.output.contains("SUBCOMMANDS:"), "\(ending)")
    }

    @Test(arguments: [
        ["frobnicate"], ["import"], ["send", "x", "--port", "70000"], ["send", "x", "--encryption", "maybe"],
        ["receive", "--connect", "fe80::1"], ["receive", "Anna", "--connect", "127.0.0.1:1"],
        ["receive", "--timeout", "0"], ["receive", "--only", "everything"], ["list", "--format", "xml"],
        ["export", "x"],
    ])
    func aCommandLineThatMakesNoSenseIsUsage(arguments: [String]) async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            let ending = try await laptop.start(arguments) { await $0.ending() }
            #expect(ending.code == 64, "\(ending)")
            #expect(ending.output.isEmpty)
            #expect(ending.words.hasPrefix("hikeshare: ") && !ending.words.contains("Error:"), "\(ending)")
        }
    }

    @Test func whatIsNotFoundSaysHowToListWhatIsThere() async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            let lines = [
                (["show", "Tatra"], "'hikeshare list'"), (["remove", "Coma"], "'hikeshare list'"),
                (["import", Example.map, "--update", "Tatra"], "'hikeshare list'"),
                (["peers", "forget", "Anna"], "'hikeshare peers'"),
                (["peers", "rename", "Anna", "Ben"], "'hikeshare peers'"),
            ]
            for (arguments, command) in lines {
                let ending = try await laptop.start(arguments) { await $0.ending() }
                #expect(ending.code == 3 || ending.code == 2, "\(ending)")
                #expect(ending.words.contains(command), "\(ending)")
            }
        }
    }

    @Test func helpAndVersionAreResults() async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            for arguments in [["--help"], ["--version"], ["receive", "--help"]] {
                let ending = try await laptop.start(arguments) { await $0.ending() }
                #expect(ending.code == 0, "\(ending)")
                #expect(!ending.output.isEmpty)
                #expect(ending.errorOutput.isEmpty)
            }
        }
    }

    @Test(arguments: [["receive"], ["send", Example.name, "--encryption", "none"], ["remove", Example.name]])
    func withoutATerminalNothingIsAsked(arguments: [String]) async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            let ending = try await laptop.start(arguments + ["--format", "json"]) { await $0.ending() }
            #expect(ending.code == 64, "\(ending)")
            let problem = try ending.problem()
            #expect(problem["code"]?.string == "noTerminal")
            #expect(problem["message"]?.string?.contains("terminal") == true)
            #expect(problem["remedy"]?.string?.contains("--yes") == true)
        }
    }
}
