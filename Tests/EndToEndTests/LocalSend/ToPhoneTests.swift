import Foundation
import PeerTestSupport
import Testing

/// What the laptop sends to phones that have LocalSend.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ToPhoneTests {
    @Test(arguments: [true, false]) func aPhoneGetsTheMapAfterItsYes(isEncrypted: Bool) async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone(isEncrypted: isEncrypted) { phone in
                async let sending = hosts.send(to: phone.name)
                let question = try await phone.answer(true)
                #expect(question["from"]?.string == hosts.laptop.name)
                #expect(question["fileCount"]?.int == 1)
                let name = try #require(question["files"]?.array.first?["fileName"]?.string)
                #expect(name == "Coma-Pedrosa.html")
                let result = try await phone.result()
                #expect(result["kind"]?.string == "received", "\(result)")
                let sent = try await sending
                #expect(sent.code == 0, "\(sent)")
                #expect(try phone.files == [name: question["totalBytes"]?.int ?? 0])
                let page = try String(contentsOfFile: phone.folder + "/" + name, encoding: .utf8)
                #expect(page.lowercased().hasPrefix("<!doctype html>") && page.contains(Example.name))
            }
        }
    }

    @Test(arguments: [
        ("osmand", "sqlitedb", "SQLite format 3"), ("mbtiles", "mbtiles", "SQLite format 3"), ("gpx", "gpx", "<?xml"),
        ("pdf", "pdf", "%PDF-"),
    ])
    func aPhoneGetsAnotherFile(_ kind: String, _ suffix: String, _ beginning: String) async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone { phone in
                async let sending = hosts.send(to: phone.name, "--as", kind)
                try await phone.answer(true)
                let sent = try await sending
                #expect(sent.code == 0, "\(sent)")
                #expect(try await phone.result()["kind"]?.string == "received")
                let file = try #require(try phone.files.first)
                #expect(file.key == "Coma-Pedrosa." + suffix)
                let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: phone.folder + "/" + file.key))
                #expect(try handle.read(upToCount: beginning.utf8.count) == Data(beginning.utf8))
            }
        }
    }

    /// Where announcements get lost in one direction, a request in the other one takes their place.
    @Test(arguments: ["input", "output"]) func aPhoneIsFoundByRegister(lost direction: String) async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.loseMulticast(on: hosts.phones[0], direction)
            try await hosts.phone { phone in
                async let sending = hosts.send(to: phone.name)
                try await phone.finds(hosts.laptop.name)
                try await phone.answer(true)
                let sent = try await sending
                #expect(sent.code == 0, "\(sent)")
            }
        }
    }

    @Test func aRightPINOpensThePhone() async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone(pin: "314159") { phone in
                async let sending = hosts.send(to: phone.name, "--phone-pin", "314159")
                try await phone.answer(true)
                let sent = try await sending
                #expect(sent.code == 0, "\(sent)")
                #expect(try phone.files.count == 1)
            }
        }
    }

    @Test(arguments: [["--phone-pin", "271828"], []]) func withoutTheRightPINThePhoneGetsNothing(
        _ options: [String]
    ) async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone(pin: "314159") { phone in
                let command = ["send", Example.name, "--phone", phone.name, "--once", "--yes", "--format", "json"]
                let sent = try await hosts.laptop.start(command + options) { await $0.ending() }
                #expect(sent.code != 0, "\(sent)")
                #expect(sent.lastWords.contains("PIN"), "\(sent)")
                #expect(!sent.description.contains("314159"))
                #expect(try phone.files.isEmpty)
                #expect(try await phone.state()["incoming"] == .null)
            }
        }
    }

    @Test func aNoOnThePhoneIsTold() async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.phone { phone in
                async let sending = hosts.send(to: phone.name)
                try await phone.answer(false)
                let sent = try await sending
                #expect(sent.code == 5, "\(sent)")
                #expect(try sent.outcome()["end"]?.string == "declined", "\(sent)")
                #expect(try phone.files.isEmpty)
            }
        }
    }

    @Test func aPhoneThatIsBusyIsTold() async throws {
        try await PhoneHosts.withOne { hosts in
            let other = try await LocalSendCommand(on: hosts.laptop.network, in: hosts.directory)
            let file = try hosts.file("a.gpx", Data(UploadTests.gpx.utf8))
            try await hosts.phone { phone in
                async let first = other.send([file], to: "10.77.0.2", port: 53317)
                let question = try await phone.question()
                let sent = try await hosts.send(to: phone.name)
                #expect(try sent.outcome()["end"]?.string == "busy", "\(sent)")
                #expect(sent.code != 0, "\(sent)")
                let moment = try await phone.moment()
                try await phone.answer(true, after: (question["seq"]?.int ?? moment) - 1)
                #expect(try await first.output.contains { $0.contains(#""sent""#) })
            }
        }
    }

    @Test func whatIsCancelledOnThePhoneEnds() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            try await hosts.addMap(megabytes: 8)
            try await hosts.phone { phone in
                async let sending = hosts.send("Nordkette", to: phone.name, "--as", "mbtiles")
                try await phone.answer(true)
                try await phone.passes(1_000_000)
                try await phone.command("cancel")
                let sent = try await sending
                #expect(sent.code != 0, "\(sent)")
                #expect(try sent.outcome()["end"]?.string == "cancelledThere", "\(sent)")
                #expect(try phone.files.isEmpty)
            }
        }
    }

    @Test func whatIsStoppedHereEndsOnThePhone() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            try await hosts.addMap(megabytes: 8)
            try await hosts.phone { phone in
                let command = ["send", "Nordkette", "--phone", phone.name, "--as", "mbtiles", "--yes"]
                try await hosts.laptop.start(command) { child in
                    try await phone.answer(true)
                    try await phone.passes(1_000_000)
                    child.kill(SIGINT)
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "recv_cancelled", "\(result)")
                    let ending = await child.ending()
                    #expect(ending.code == 130, "\(ending)")
                }
                #expect(try phone.files.isEmpty)
            }
        }
    }

    @Test func aCableThatIsPulledAndPutBackEndsNothing() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            try await hosts.addMap(megabytes: 8)
            try await hosts.phone { phone in
                async let sending = hosts.send("Nordkette", to: phone.name, "--as", "mbtiles")
                let question = try await phone.answer(true)
                try await phone.passes(1_000_000)
                try await hosts.cut()
                try await hosts.join()
                let sent = try await sending
                #expect(sent.code == 0, "\(sent)")
                #expect(try phone.files.values.first == question["totalBytes"]?.int)
            }
        }
    }

    @Test func aCableThatIsPulledIsNoticed() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            try await hosts.addMap(megabytes: 8)
            try await hosts.phone { phone in
                async let sending = hosts.send("Nordkette", to: phone.name, "--as", "mbtiles")
                try await phone.answer(true)
                try await phone.passes(1_000_000)
                try await hosts.cut()
                let sent = try await sending
                #expect([3, 4].contains(sent.code), "\(sent)")
                #expect(["lost", "unreachable"].contains(try sent.outcome()["end"]?.string), "\(sent)")
            }
        }
    }

    @Test func twoPhonesGetItAtOnce() async throws {
        try await PhoneHosts.with(2, rate: "50mbit") { hosts in
            try await hosts.addMap(megabytes: 8)
            try await hosts.phone("Anna", at: 0) { anna in
                try await hosts.phone("Ben", at: 1) { ben in
                    async let sending = hosts.send("Nordkette", to: "Anna", "--phone", "Ben", "--as", "mbtiles")
                    async let first = anna.answer(true)
                    async let second = ben.answer(true)
                    #expect(try await first["totalBytes"] == second["totalBytes"])
                    let sent = try await sending
                    #expect(sent.code == 0, "\(sent)")
                    #expect(try sent.lines("phoneTransfer").count { $0["state"]?.string == "complete" } == 2, "\(sent)")
                    #expect(try anna.files == ben.files)
                    #expect(try anna.files.count == 1)
                }
            }
        }
    }

    @Test func aPhoneWhoseDiskIsFullIsTold() async throws {
        try await PhoneHosts.withOne { hosts in
            try await hosts.addMap(megabytes: 8)
            try await hosts.phone { phone in
                try await hosts.phones[0].shell("mount -t tmpfs -o size=2m tmpfs '\(phone.folder)'")
                // The program sees the disk only if it has its mounts from before; the folder is the same.
                async let sending = hosts.send("Nordkette", to: phone.name, "--as", "mbtiles")
                try await phone.answer(true)
                let sent = try await sending
                #expect(sent.code != 0, "\(sent)")
                #expect(try sent.outcome()["end"]?.string == "failedThere", "\(sent)")
            }
        }
    }
}

extension Ending {
    /// The line that says what became of a file for a phone.
    func outcome() throws -> JSONValue {
        let line = try lines("phoneTransfer").last { ["complete", "ended"].contains($0["state"]?.string) }
        return try #require(line, "\(self)")
    }
}
