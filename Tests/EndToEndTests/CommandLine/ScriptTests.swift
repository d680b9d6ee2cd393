import Foundation
import PeerTestSupport
import Testing

/// What a script depends on: nothing is taken for what it did not mean, one fact has one exit code, and nothing hangs.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ScriptTests {
    /// A variable that is not set must not stand for the default store, the only region or the only machine.
    @Test(arguments: [
        ["remove", Example.name, "--with-routes", "--yes", "--store", ""], ["remove", "", "--with-routes", "--yes"],
        ["remove", Example.name, "--with-routes", "--yes", "--store="], ["list", "--store", ""],
        ["--store", "", "list"],
        ["--store", ""], ["export", Example.name, "--to", ""], ["export", "", "--to", "/nonexistent/x"],
        ["remove", Example.name, "--yes", "--export", ""], ["send", "", "--once"], ["receive", ""], ["import", ""],
        ["receive", "--region", "", "--yes"], ["receive", "--stick", ""], ["import", Example.map, "--update", ""],
        ["peers", "forget", ""], ["peers", "rename", "", "x"], ["peers", "name", ""], ["discard", ""],
        ["rename", "", "Other"], ["rename", Example.name, ""], ["map", ""], ["show", ""],
        ["waypoint", "add", Example.name, "42.59,1.44", ""], ["send", Example.name, "--along", ""],
    ])
    func anEmptyArgumentIsRefused(arguments: [String]) async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            let ending = try await laptop.start(arguments) { await $0.ending() }
            #expect(ending.code == 64 && ending.output.isEmpty, "\(ending)")
            #expect(ending.words.contains("is empty."), "\(ending)")
        }
    }

    @Test func anEmptyNoteIsNoNote() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            try await laptop.must("waypoint", "add", Example.name, "42.59,1.44", "Here", "--note", "")
            let shown = try await laptop.must("show").lines("waypoint")
            let here = try #require(shown.first { $0["label"]?.string == "Here" })
            #expect(here["note"] == nil && here["number"]?.int != nil)
            // The number is the one that commands take.
            let number = String(try #require(here["number"]?.int))
            let removed = try await laptop.must("remove", Example.name, "--waypoint", number, "--yes")
            #expect(try removed.lines("removedItem").first?["name"]?.string == "Here")
        }
    }

    @Test(arguments: [
        ["import", "-"], ["export", Example.name, "--html", "-"], ["export", Example.name, "--to", "-"],
        ["remove", Example.name, "--export", "-", "--yes"],
    ])
    func aHyphenIsNoFile(arguments: [String]) async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            let ending = try await laptop.start(arguments) { await $0.ending() }
            #expect(ending.code == 64 && ending.words.contains("./-"), "\(ending)")
            #expect(!FileManager.default.fileExists(atPath: "-"))
        }
    }

    @Test func globalOptionsNeedNoCommand() async throws {
        try await BadInputTests.withLaptop { laptop, _ in
            let other = Laptop(store: "/nonexistent/other")
            let overview = try await other.tell("--store", laptop.store, "-q")
            #expect(overview.code == 0 && overview.output.contains { $0.contains(Example.name) }, "\(overview)")
            let json = try await other.tell("--format", "json", "--store", laptop.store)
            #expect(try json.lines("region").first?["name"]?.string == Example.name, "\(json)")
            let missing = try await laptop.tell("--store", "/nonexistent/other")
            #expect(missing.code == 3 && missing.words.contains("/nonexistent/other"), "\(missing)")
            for arguments in [["help", "list"], ["--help"], ["--version"]] {
                let help = try await laptop.start(["--store", laptop.store] + arguments) { await $0.ending() }
                #expect(help.code == 0 && !help.output.isEmpty, "\(help)")
            }
        }
    }

    @Test(arguments: [
        (["help", "nosuch"], "There is no command “nosuch”."),
        (["help", "peers", "nope"], "There is no command “peers nope”."),
        (["help", "recieve"], "Did you mean “receive”?"),
        (["receive", "--timeout", "-1"], "--timeout must be 1 to 86400"),
        (["send", "x", "--timeout", "-1"], "--timeout must be 1 to 86400"),
        (["send", "x", "--port", "-1"], "--port must be 0"),
        (["--format", "xml"], "'hikeshare help list'"), (["--generate-completion-script", "tcsh"], "tcsh"),
    ])
    func aMistakeIsCalledWhatItIs(arguments: [String], words: String) async throws {
        let ending = try await Laptop(store: "/nonexistent").start(arguments) { await $0.ending() }
        #expect(ending.code == 64 && ending.output.isEmpty, "\(ending)")
        #expect(ending.words.contains(words), "\(ending)")
    }

    /// What is not there is not found, what cannot be read is a matter of storage, and what is no file is a bad one.
    @Test func oneFactHasOneExitCode() async throws {
        try await BadInputTests.withLaptop { laptop, directory in
            let missing = directory.path("missing.gpx")
            let (dangling, pipe) = (directory.path("link.gpx"), directory.path("pipe.gpx"))
            let (secret, plain) = (directory.path("secret.gpx"), directory.path("plain.txt"))
            try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: missing)
            #expect(mkfifo(pipe, 0o600) == 0)
            try Data("<gpx/>".utf8).write(to: URL(fileURLWithPath: secret))
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: secret)
            try Data("words".utf8).write(to: URL(fileURLWithPath: plain))
            var hiker = laptop
            hiker.hasPrivileges = false
            for (arguments, code, word) in [
                (["import", missing], 3, "notFound"), (["import", dangling], 3, "notFound"),
                (["import", missing, dangling], 3, "notFound"), (["import", pipe], 2, "invalidFile"),
                (["import", secret], 7, "storage"), (["import", missing, plain], 2, nil),
                (["import", missing, plain, secret], 7, nil),
                (["import", Example.map, "--routing", missing], 3, "notFound"),
                (["send", Example.name, "--along", missing], 3, "notFound"),
                (["send", Example.name, "--stick", directory.path("nowhere")], 3, "notFound"),
                (["receive", "--stick", directory.path("nowhere")], 3, "notFound"),
            ] as [([String], Int32, String?)] {
                let ending = try await hiker.start(arguments + ["--format", "json"]) { await $0.ending() }
                #expect(ending.code == code, "\(arguments): \(ending)")
                if let word { #expect(try ending.problem()["code"]?.string == word, "\(arguments): \(ending)") }
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        }
    }

    /// Commands that only read create no store that was named, and say which one is missing.
    @Test func aMissingStoreIsNamed() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for arguments in [
                ["peers", "forget", "x"], ["peers", "rename", "x", "y"], ["list"], ["send"], ["discard", "x"],
                ["map", "--no-browser"],
            ] {
                let ending = try await laptop.start(arguments) { await $0.ending() }
                #expect(ending.code == 3 && ending.words.contains(laptop.store), "\(ending)")
            }
            let unnamed = ["HIKESHARE_STORE": Optional(""), "HOME": directory.path("home")]
            let forgotten = try await laptop.tell("peers", "forget", "x", environment: unnamed)
            #expect(forgotten.code == 3 && forgotten.words.contains("trust no other machine"), "\(forgotten)")
            #expect(!FileManager.default.fileExists(atPath: directory.path("home")))
        }
    }

    @Test func aSenderEndsIfNobodyComes() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let command = ["send", Example.name, "--yes", "--no-discovery", "--timeout", "1", "--format", "json"]
            let alone = try await laptop.start(command) { await $0.ending() }
            #expect(alone.code == 3, "\(alone)")
            #expect(try alone.problem()["code"]?.string == "noPeerFound")
            // A sender that has sent something has done its work.
            let receiver = Laptop(store: directory.path("receiver"))
            let patient = command.map { $0 == "1" ? "20" : $0 }
            try await laptop.start(patient) { child in
                let line = try JSONValue(parsing: try await child.waitForOutput { $0.contains(#""type":"listening""#) })
                let received = try await receiver.receive(from: try #require(line["port"]?.int))
                #expect(received.code == 0, "\(received)")
                let ending = await child.ending()
                #expect(ending.code == 0, "\(ending)")
                #expect(try ending.lines("sent").first?["regionName"]?.string == Example.name)
            }
        }
    }

    @Test func aSenderWhoseResultsNothingReadsEnds() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let script =
                #""$0" send --yes --no-discovery --port 0 --show-loopback --format json | head -1; exit ${PIPESTATUS[0]}"#
            let environment = ["HIKESHARE_STORE": Optional(laptop.store), "SWIFT_BACKTRACE": "enable=no"]
            let ending = try await ChildProcess.with("bash", ["-c", script, Place.program], environment: environment) {
                child in try await Laptop.impatiently(child) { await child.ending() }
            }
            #expect(ending.code == 7, "\(ending)")
            #expect(try ending.problem()["code"]?.string == "output")
            #expect(try ending.lines("listening").first?["link"]?.string != nil)
        }
    }

    /// A program that tests the way to a sender is no receiver that failed.
    @Test func aConnectionWithoutAWordIsNoTransfer() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            let ending = try await laptop.sendQuietly(Example.name, ["--once"]) { running in
                let probe = #"exec 3<>/dev/tcp/127.0.0.1/$0"#
                for _ in 0..<3 {
                    let ended = try await ChildProcess.with("bash", ["-c", probe, "\(running.port)"]) {
                        await $0.ending()
                    }
                    #expect(ended.code == 0, "\(ended)")
                }
                let received = try await Laptop(store: directory.path("receiver")).receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                return await running.child.ending()
            }
            #expect(try ending.lines("notSent").isEmpty && ending.lines("sent").count == 1, "\(ending)")
        }
    }
}
