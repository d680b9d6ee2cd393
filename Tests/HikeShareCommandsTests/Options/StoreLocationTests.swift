import Testing

@testable import HikeShareCommands

@Suite struct StoreLocationTests {
    @Test(
        arguments: [
            ("/given", ["HIKESHARE_STORE": "/env", "HOME": "/h"], "/given"),
            ("", ["HIKESHARE_STORE": "/env", "HOME": "/h"], "/env"),
            ("", ["XDG_DATA_HOME": "/data", "HOME": "/h"], "/data/hikeshare"),
            ("", ["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/hikeshare"),
            ("", ["HIKESHARE_STORE": "", "HOME": "/h"], "/h/.local/share/hikeshare"),
        ] as [(String, [String: String], String)]
    )
    func findsTheStore(given: String, environment: [String: String], path: String) throws {
        #expect(try StoreLocation.path(given: given.isEmpty ? nil : given, environment: environment) == path)
    }

    @Test func saysWhenThereIsNoPlace() {
        #expect(throws: CommandError.self) { try StoreLocation.path(given: nil, environment: [:]) }
    }

    @Test(
        arguments: [
            (["list", "-q"], ["list", "-q"]),
            (["-q", "list"], ["list", "-q"]),
            (["--store", "/s", "send", "x"], ["send", "--store", "/s", "x"]),
            (["--store=/s", "-v", "send", "x"], ["send", "--store=/s", "-v", "x"]),
            (["--version"], ["--version"]),
            (["-q"], ["-q"]),
            (["--store"], ["--store"]),
            ([], []),
        ] as [([String], [String])]
    )
    func movesGlobalOptionsBehindTheCommand(arguments: [String], moved: [String]) {
        #expect(CommandArguments.globalOptionsLast(arguments) == moved)
    }

    @Test(
        arguments: [
            (["list", "--format", "json"], .json), (["list", "--format=json"], .json), (["list"], .text),
            (["list", "--format"], .text), (["import", "--", "--format=json"], .text),
        ] as [([String], OutputFormat)]
    )
    func tellsTheFormatForErrorsOfTheParser(arguments: [String], format: OutputFormat) {
        #expect(CommandArguments.format(arguments) == format)
    }
}
