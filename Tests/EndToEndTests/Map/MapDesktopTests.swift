import Foundation
import PeerTestSupport
import Testing

/// How `map` opens the browser of the desktop; a script takes its place.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapDesktopTests {
    /// Runs `body` with a desktop, and the name of a file in which the opened address appears.
    private static func withDesktop(
        in directory: TemporaryDirectory,
        _ body: ([String: String?], String) async throws -> Void
    ) async throws {
        let (folder, pipe) = (directory.path("bin"), directory.path("opened"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Reading waits until the script has written.
        mkfifo(pipe, 0o600)
        try "#!/bin/sh\necho \"$@\" > '\(pipe)'\n".write(
            toFile: folder + "/xdg-open",
            atomically: true,
            encoding: .utf8
        )
        chmod(folder + "/xdg-open", 0o755)
        try await body(["PATH": "\(folder):/usr/bin:/bin", "DISPLAY": ":9", "WAYLAND_DISPLAY": nil], pipe)
    }

    @Test func theBrowserOpensWithTheAddress() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            try await Self.withDesktop(in: directory) { environment, pipe in
                try await laptop.map(Example.name, [], environment: environment) { _, url in
                    let opened = try await ChildProcess.with("cat", [pipe]) { await $0.ending() }
                    #expect(opened.output == [url])
                }
            }
        }
    }

    @Test func withoutADesktopTheAddressIsPrinted() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let none: [String: String?] = ["DISPLAY": nil, "WAYLAND_DISPLAY": nil]
            try await laptop.start(["map", Example.name], environment: none) { child in
                let line = try await child.waitForOutput { $0.contains("http://127.0.0.1:") }
                #expect(line.hasPrefix("The map of Coma Pedrosa is at  http://127.0.0.1:"))
                try await child.waitForErrorOutput { $0.contains("There is no desktop here.") }
                try await child.waitForErrorOutput { $0 == "Press Ctrl-C to stop." }
                child.kill(SIGINT)
                let ending = await child.ending()
                #expect(ending.code == 130 && ending.words.contains("the map is closed"), "\(ending)")
            }
        }
    }

    @Test func anUnknownRegionIsNotFound() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            try await Example.put(on: laptop)
            let ending = try await laptop.run("map", "Tatra", "--no-browser")
            #expect(ending.code == 3 && ending.output.isEmpty, "\(ending)")
        }
    }
}
