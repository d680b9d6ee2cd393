import Foundation
import PeerTestSupport
import Testing

/// Command lines that are wrong, ask for help, or need a terminal that is not there.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct CommandLineTests {
    @Test(arguments: [[], ["waypoint"]])
    func aCommandThatGroupsOthersShowsItsHelp(arguments: [String]) async throws {
        let laptop = Laptop(store: "/nonexistent")
        let ending = try await laptop.start(arguments) { await $0.ending() }
        #expect(ending.code == 0, "\(ending)")
        let usage = (["USAGE: hikeshare"] + arguments + ["<subcommand>"]).joined(separator: " ")
        #expect(ending.output.contains(usage), "\(ending)")
        #expect(ending.output.contains("SUBCOMMANDS:"), "\(ending)")
    }

    @Test(arguments: [
        ["frobnicate"], ["import"], ["send"], ["send", "x", "--port", "70000"], ["send", "x", "--encryption", "maybe"],
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
