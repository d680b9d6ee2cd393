import PeerTestSupport
import Testing

/// The program in the language of the person who runs it.
///
/// No locale has to be installed.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct TerminalLanguageTests {
    @Test(arguments: ["ca", "de", "es", "fr", "it", "sl"])
    func peopleReadTheirLanguageAndProgramsReadEnglish(language: String) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let (english, other) = (
                ["LC_ALL": "C.UTF-8"], ["LC_ALL": nil, "LC_MESSAGES": nil, "LANG": "\(language)_XX.UTF-8"]
            )
            func ending(_ arguments: [String], _ environment: [String: String?]) async throws -> Ending {
                try await laptop.start(arguments, environment: environment) { await $0.ending() }
            }
            for arguments in [["show", "coma"], ["peers"]] {
                let (told, plain) = (try await ending(arguments, other), try await ending(arguments, english))
                #expect(told.code == plain.code)
                #expect(
                    told.output + told.errorOutput != plain.output + plain.errorOutput,
                    "\(arguments) in \(language)"
                )
                let json = arguments + ["--format", "json"]
                let (one, same) = (try await ending(json, other), try await ending(json, english))
                #expect(one.code == same.code && one.output == same.output && one.errorOutput == same.errorOutput)
            }
        }
    }
}
