import Foundation
import PeerTestSupport
import Testing

/// What a shell is offered when a person presses the Tab key.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct CompletionTests {
    private static let id = String(repeating: "ab", count: 32)

    /// Completes a command line in Bash, as the installed script does.
    private func complete(
        _ words: [String],
        for laptop: Laptop,
        in directory: TemporaryDirectory
    ) async throws -> [String] {
        let script = try await laptop.tell("--generate-completion-script", "bash")
        #expect(script.code == 0, "\(script)")
        try script.output.joined(separator: "\n").write(
            toFile: directory.path("script"),
            atomically: true,
            encoding: .utf8
        )
        let driver = """
            source ./script
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            COMP_LINE="$*"
            COMP_POINT=${#COMP_LINE}
            _hikeshare "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try await ChildProcess.with(
            "bash",
            ["--norc", "-c", driver, "bash", Place.program] + words,
            environment: ["HIKESHARE_STORE": laptop.store],
            directory: directory.path
        ) { child in
            let ending = await child.ending()
            #expect(ending.errorOutput.isEmpty, "\(ending)")
            return ending.output.filter { !$0.isEmpty }
        }
    }

    @Test func bashOffersRegionsPeersKindsAndFiles() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            try await laptop.must("peers", "trust", Self.id, "--name", "Anna d'Or")
            for name in ["a.mbtiles", "b.gpx", "c.txt", "d.db"] {
                try Data().write(to: URL(fileURLWithPath: directory.path(name)))
            }
            for command in ["send", "show", "export", "remove"] {
                #expect(try await complete([command, ""], for: laptop, in: directory) == [Example.name], "\(command)")
            }
            #expect(try await complete(["send", #"Coma\ P"#], for: laptop, in: directory) == [Example.name])
            #expect(try await complete(["send", "X"], for: laptop, in: directory).isEmpty)
            #expect(try await complete(["receive", ""], for: laptop, in: directory) == ["Anna d'Or"])
            #expect(try await complete(["peers", "forget", "An"], for: laptop, in: directory) == ["Anna d'Or"])
            #expect(
                try await complete(["send", "x", "--only", "map,w"], for: laptop, in: directory) == ["map,waypoints"]
            )
            let hike = "Arinsal - Pla de l'Estany - Estany Forcat"
            let planned = "Arinsal - Pic de Comapedrosa"
            let routes = try await complete(["send", "coma", "--route", ""], for: laptop, in: directory)
            #expect(Set(routes) == [hike, planned], "\(routes)")
            for command in ["rename", "remove"] {
                #expect(try await complete([command, "coma", "--hike", ""], for: laptop, in: directory) == [hike])
                #expect(
                    try await complete([command, "coma", "--planned", ""], for: laptop, in: directory) == [planned]
                )
                let places = try await complete([command, "coma", "--waypoint", "Refugi"], for: laptop, in: directory)
                #expect(places.contains("Refugi de l'Angonella") && !places.contains("Parking"), "\(places)")
            }
            let files = try await complete(["import", ""], for: laptop, in: directory)
            #expect(Set(files) == ["a.mbtiles", "b.gpx", "store"])
            #expect(
                try await complete(["import", "a.mbtiles", "--routing", "d"], for: laptop, in: directory) == ["d.db"]
            )
            #expect(try await complete(["export", "x", "--to", ""], for: laptop, in: directory) == ["store"])
            #expect(try await complete(["list", "--format", ""], for: laptop, in: directory) == ["text", "json"])
        }
    }

    @Test func aNameIsNeverRun() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await laptop.must("import", Example.map, "--name", "$(touch pwned)`touch pwned`")
            let offered = try await complete(["send", ""], for: laptop, in: directory)
            #expect(offered.count == 1)
            #expect(offered.first?.count == 8)
            #expect(!FileManager.default.fileExists(atPath: directory.path("pwned")))
        }
    }

    @Test func errorsAreSilentAndNoStoreIsCreated() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for arguments in [
                ["send", "--", "positional@0", "2", "0", "hikeshare", "send", ""], ["send", "--", "positional@7"],
                ["nonsense"], [],
            ] {
                let ending = try await laptop.start(["---completion"] + arguments) { await $0.ending() }
                #expect(ending.output.isEmpty && ending.errorOutput.isEmpty, "\(ending)")
            }
            #expect(!FileManager.default.fileExists(atPath: laptop.store))
        }
    }
}
