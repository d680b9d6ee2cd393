import Foundation
import PeerTestSupport
import Testing

/// What phones send to the laptop with LocalSend.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct FromPhoneTests {
    /// Ways in which the laptop is in the lists of phones.
    enum Way: String, CaseIterable {
        case send
        case receive
        case keep

        var command: [String] {
            switch self {
            case .send: ["send", Example.name]
            case .receive: ["receive"]
            case .keep: ["receive", "--keep"]
            }
        }
    }

    private static func gpx(_ name: String) -> Data { Data(UploadTests.gpx.replacing("From a phone", with: name).utf8) }

    /// Runs the laptop in a terminal, until a phone has found it.
    private static func share(
        _ way: Way,
        _ hosts: PhoneHosts,
        _ phone: LocalSendPhone,
        _ body: (TestTerminal) async throws -> Void
    ) async throws {
        if way == .keep {
            // It is only for those who trust somebody.
            let friend = Laptop(store: hosts.directory.path("friend"))
            try await hosts.laptop.must("peers", "trust", try await friend.id(), "--name", "Ben")
        }
        try await hosts.laptop.inTerminal(way.command, columns: 200, rows: 60) { terminal in
            try await phone.finds(hosts.laptop.name)
            try await body(terminal)
        }
    }

    /// Waits for a question with words, and answers it.
    private static func answer(_ terminal: TestTerminal, _ answer: String, to words: String...) async throws {
        try await terminal.wait { text in
            let question = text.components(separatedBy: "[y/N] ").dropLast().last ?? ""
            return text.hasSuffix("[y/N] ") && words.allSatisfy { question.contains($0) }
        }
        try terminal.type(answer + "\r")
    }

    private static func labels(_ hosts: PhoneHosts) async throws -> [String] {
        try await hosts.laptop.must("show", Example.name).lines("waypoint").compactMap { $0["label"]?.string }
    }

    @Test(arguments: Way.allCases, [true, false])
    func aTrackIsAddedAfterAYes(_ way: Way, isEncrypted: Bool) async throws {
        try await PhoneHosts.withOne { hosts in
            let file = try hosts.file("hut.gpx", Self.gpx("From Anna"))
            try await hosts.phone(isEncrypted: isEncrypted) { phone in
                try await Self.share(way, hosts, phone) { terminal in
                    try await phone.send([file], to: hosts.laptop.name)
                    try await Self.answer(terminal, "y", to: phone.name, "hut.gpx")
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "sent", "\(result)")
                    try await Self.answer(terminal, "y", to: "Add")
                    try await terminal.wait(for: "To \(Example.name): ")
                }
            }
            #expect(try await Self.labels(hosts).contains("From Anna"))
        }
    }

    @Test func aNoSendsNothing() async throws {
        try await PhoneHosts.withOne { hosts in
            let file = try hosts.file("hut.gpx", Self.gpx("From Anna"))
            try await hosts.phone { phone in
                try await Self.share(.send, hosts, phone) { terminal in
                    try await phone.send([file], to: hosts.laptop.name)
                    try await Self.answer(terminal, "n", to: phone.name)
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "declined", "\(result)")
                }
            }
            #expect(try await !Self.labels(hosts).contains("From Anna"))
        }
    }

    @Test func threeHundredTracksAreOneQuestion() async throws {
        try await PhoneHosts.withOne { hosts in
            let files = try (0..<300).map { try hosts.file("\($0).gpx", Self.gpx("Point \($0)")) }
            try await hosts.phone { phone in
                try await Self.share(.send, hosts, phone) { terminal in
                    try await phone.send(files, to: hosts.laptop.name)
                    try await Self.answer(terminal, "y", to: phone.name, "300")
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "sent", "\(result)")
                    try await Self.answer(terminal, "y", to: "300")
                    // It asks for a name when all is done.
                    try await terminal.wait(for: "Its name [")
                    #expect(terminal.text.components(separatedBy: "[y/N] ").count <= 4, "\(terminal.text)")
                }
            }
            let labels = Set(try await Self.labels(hosts))
            #expect((0..<300).allSatisfy { labels.contains("Point \($0)") })
        }
    }

    @Test func anEmptyFileIsLeftOut() async throws {
        try await PhoneHosts.withOne { hosts in
            let files = [try hosts.file("empty.gpx", Data()), try hosts.file("hut.gpx", Self.gpx("From Anna"))]
            try await hosts.phone { phone in
                try await Self.share(.send, hosts, phone) { terminal in
                    try await phone.send(files, to: hosts.laptop.name)
                    try await Self.answer(terminal, "y", to: phone.name)
                    try await Self.answer(terminal, "y", to: "Add")
                    try await terminal.wait(for: "empty.gpx is empty")
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "sent", "\(result)")
                }
            }
            #expect(try await Self.labels(hosts).contains("From Anna"))
        }
    }

    @Test func aLargeMapBecomesARegion() async throws {
        try await PhoneHosts.withOne { hosts in
            let path = hosts.directory.path("large.mbtiles")
            try MapMaker.make(path, name: "Great Traverse", tiles: 60, tileLength: 5_000_000)
            try await hosts.phone { phone in
                try await Self.share(.keep, hosts, phone) { terminal in
                    try await phone.send([path], to: hosts.laptop.name)
                    try await Self.answer(terminal, "y", to: phone.name, "large.mbtiles")
                    let result = try await phone.result()
                    #expect(result["kind"]?.string == "sent", "\(result)")
                    try await Self.answer(terminal, "y", to: "Great Traverse")
                    try await terminal.wait(for: "Imported Great Traverse")
                }
            }
            try await hosts.laptop.must("export", "Great Traverse", "--to", hosts.directory.path(""))
            let exported = hosts.directory.path("Great-Traverse.mbtiles")
            #expect(FileManager.default.contentsEqual(atPath: exported, andPath: path))
        }
    }

    @Test func whatIsCancelledOnThePhoneLeavesNothing() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            let path = hosts.directory.path("map.mbtiles")
            try MapMaker.make(path, tiles: 8, tileLength: 1_000_000)
            try await hosts.phone { phone in
                try await Self.share(.send, hosts, phone) { terminal in
                    // To another form of the address, the phone would not send that it has stopped.
                    try await phone.send([path], to: "10.77.0.1")
                    try await Self.answer(terminal, "y", to: phone.name)
                    try await phone.passes(1_000_000)
                    try await phone.command("cancel")
                    try await terminal.wait { $0.contains("stopped") || $0.contains("cancelled") }
                    #expect(try Self.rests(hosts).isEmpty)
                }
            }
            #expect(try await hosts.laptop.must("list").lines("region").count == 1)
        }
    }

    @Test func whatIsStoppedHereEndsOnThePhone() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            let path = hosts.directory.path("map.mbtiles")
            try MapMaker.make(path, tiles: 8, tileLength: 1_000_000)
            try await hosts.phone { phone in
                try await Self.share(.keep, hosts, phone) { terminal in
                    try await phone.send([path], to: hosts.laptop.name)
                    try await Self.answer(terminal, "y", to: phone.name)
                    try await phone.passes(1_000_000)
                    try terminal.type("\u{3}")
                    let result = try await phone.result()
                    #expect(["remote_cancelled", "unreachable"].contains(result["kind"]?.string), "\(result)")
                    _ = try await terminal.complete()
                }
            }
            #expect(try Self.rests(hosts).isEmpty)
        }
    }

    @Test func aCableThatIsPulledAndPutBackEndsNothing() async throws {
        try await PhoneHosts.withOne(rate: "20mbit") { hosts in
            let path = hosts.directory.path("map.mbtiles")
            try MapMaker.make(path, tiles: 8, tileLength: 1_000_000)
            try await hosts.phone { phone in
                try await Self.share(.keep, hosts, phone) { terminal in
                    try await phone.send([path], to: hosts.laptop.name)
                    try await Self.answer(terminal, "y", to: phone.name)
                    try await phone.passes(1_000_000)
                    try await hosts.cut()
                    try await hosts.join()
                    #expect(try await phone.result()["kind"]?.string == "sent")
                    try await Self.answer(terminal, "y", to: "Nordkette")
                    try await terminal.wait(for: "Imported Nordkette")
                }
            }
        }
    }

    @Test func twoPhonesSendAtOnce() async throws {
        try await PhoneHosts.with(2, rate: "50mbit") { hosts in
            let files = try ["Anna", "Ben"].map { try hosts.file($0 + ".gpx", Self.gpx("From " + $0)) }
            try await hosts.phone("Anna", at: 0) { anna in
                try await hosts.phone("Ben", at: 1) { ben in
                    try await Self.share(.send, hosts, anna) { terminal in
                        try await ben.finds(hosts.laptop.name)
                        try await anna.send([files[0]], to: hosts.laptop.name)
                        try await ben.send([files[1]], to: hosts.laptop.name)
                        for count in 1...4 {
                            try await terminal.wait {
                                $0.components(separatedBy: "[y/N] y").count >= count && $0.hasSuffix("[y/N] ")
                            }
                            try terminal.type("y\r")
                        }
                        #expect(try await anna.result()["kind"]?.string == "sent")
                        #expect(try await ben.result()["kind"]?.string == "sent")
                        try await terminal.wait { $0.components(separatedBy: "To \(Example.name): ").count >= 3 }
                    }
                }
            }
            let labels = try await Self.labels(hosts)
            #expect(labels.contains("From Anna") && labels.contains("From Ben"))
        }
    }

    /// The files of phones that are on the disk.
    private static func rests(_ hosts: PhoneHosts) throws -> [String] {
        let work = hosts.laptop.store + "/work"
        guard FileManager.default.fileExists(atPath: work) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: work).filter { $0.contains("upload") }
    }
}
