import Foundation
import PeerTestSupport
import Testing

/// Devices that speak LocalSend and mean harm, against the running program: it asks about nothing that is no list, keeps nothing of
/// what was not agreed to, and stays small.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HostilePhoneTests {
    /// The most that the program may take of its own, in KiB.
    private static let bound = 64 << 10

    /// Shares a region in a terminal, with a hostile phone on another host, which is in the laptop's list.
    private static func share(
        _ body: (TestTerminal, HostilePhone, PhoneHosts) async throws -> Void
    ) async throws {
        try await PhoneHosts.withOne { hosts in
            let phone = try await HostilePhone(on: hosts.phones[0], in: hosts.directory)
            let command = ["send", Example.name, "--name", "Laptop"]
            try await hosts.laptop.inTerminal(command, columns: 200, rows: 60) { terminal in
                // It answers when it listens.
                while try await phone.statuses("claims")["info"] != 200 { await Task.yield() }
                try await body(terminal, phone, hosts)
                #expect(try await phone.statuses("claims")["info"] == 200, "it still answers")
                let memory = try terminal.child.memory()
                #expect(memory < Self.bound, "\(memory) KiB")
            }
        }
    }

    /// Says yes to everything that is asked, until the task is cancelled.
    private static func sayYes(_ terminal: TestTerminal) async throws {
        var answered = 0
        while !Task.isCancelled {
            let text = terminal.text
            let asked = text.components(separatedBy: "[y/N] ").count
            if asked > answered, text.hasSuffix("[y/N] ") {
                answered = asked
                try terminal.type("y\r")
            }
            await Task.yield()
        }
    }

    /// Performs a step, while a person says yes to everything.
    private static func agreeing<Result: Sendable>(
        _ terminal: TestTerminal,
        _ step: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await step() }
            group.addTask {
                try await sayYes(terminal)
                return nil
            }
            defer { group.cancelAll() }
            return try #require(try await group.next() ?? nil)
        }
    }

    @Test func aNameNeverBecomesAPath() async throws {
        try await Self.share { terminal, phone, hosts in
            let statuses = try await Self.agreeing(terminal) { try await phone.statuses("names", "--how", "together") }
            #expect(statuses["parent"] == 200)
            #expect(statuses["sent emoji"] == 200, "\(statuses)")
            let found = try FileManager.default.subpathsOfDirectory(atPath: hosts.directory.path(""))
            #expect(found.filter { $0.contains("escaped") || $0.contains("bashrc") } == [])
            #expect(!FileManager.default.fileExists(atPath: "/tmp/escaped.gpx"))
            #expect(!terminal.text.contains("\u{1B}]0;"))
            #expect(!terminal.text.contains("\u{202E}"))
        }
    }

    @Test func sizesThatLieAreRefused() async throws {
        try await Self.share { terminal, phone, _ in
            let statuses = try await Self.agreeing(terminal) { try await phone.statuses("sizes") }
            #expect(statuses["as announced"] == 200, "\(statuses)")
            for lie in ["longer than announced", "shorter than announced", "negative", "not a number", "two lengths"] {
                #expect(statuses[lie] != 200, "\(lie): \(statuses)")
            }
        }
    }

    @Test func otherBytesThanThoseOfTheDigestAreRefused() async throws {
        try await Self.share { terminal, phone, _ in
            let statuses = try await Self.agreeing(terminal) { try await phone.statuses("digests") }
            #expect(statuses["wrong 0"] == 422, "\(statuses)")
            #expect((0..<5).allSatisfy { statuses["wrong \($0)"] != 200 }, "\(statuses)")
            #expect(statuses["right"] == 200, "\(statuses)")
        }
    }

    @Test func aTokenIsForOneFileAndOnce() async throws {
        try await Self.share { terminal, phone, _ in
            let statuses = try await Self.agreeing(terminal) { try await phone.statuses("tokens") }
            #expect(statuses["right"] == 200 && statuses["the other"] == 200, "\(statuses)")
            for wrong in ["none", "of another file", "of no file", "after the end"] {
                #expect(statuses[wrong] == 403, "\(wrong): \(statuses)")
            }
        }
    }

    @Test func aSessionBelongsToOneDevice() async throws {
        try await Self.share { terminal, phone, _ in
            let statuses = try await Self.agreeing(terminal) { try await phone.statuses("foreign") }
            #expect(statuses["upload"] == 403, "\(statuses)")
            #expect(statuses["the owner"] == 200, "\(statuses)")
        }
    }

    @Test func aFingerprintThatTheCertificateDoesNotHaveIsRefused() async throws {
        try await Self.share { terminal, phone, _ in
            let statuses = try await phone.statuses("claims")
            #expect(statuses["fingerprint of another"] == 403, "\(statuses)")
            #expect(statuses["upload without session"] != 200 && statuses["no such path"] == 404, "\(statuses)")
            // It has an answer, and is in no list: nothing proves the name.
            #expect(statuses["register as another"] == 200, "\(statuses)")
            #expect(!terminal.text.contains("[y/N]") && !terminal.text.contains("Mallory"), "\(terminal.text)")
        }
    }

    @Test func whatIsNoListIsNotAskedAbout() async throws {
        try await Self.share { terminal, phone, _ in
            let asking = ["many files", "same key", "long key"]
            let statuses = try await Self.agreeing(terminal) { try await phone.statuses("bombs") }
            for (name, status) in statuses where !asking.contains(name) {
                #expect([400, 413, 204].contains(status), "\(name): \(status ?? 0)")
            }
        }
    }

    @Test(arguments: [1, 10_000]) func tenThousandAnnouncementsASecondCostLittle(devices: Int) async throws {
        try await Self.share { terminal, phone, hosts in
            let before = try terminal.child.processorTime()
            let seconds = 10.0
            let told = try await phone.run("announce", "--count", "\(devices)", "--seconds", "\(seconds)")
            #expect(told.last?["sent"]?.int ?? 0 > 50_000, "\(told)")
            let used = try terminal.child.processorTime() - before
            #expect(used < seconds / 2, "\(used) s of \(seconds)")
            // It still finds others.
            try await hosts.phone { try await $0.finds("Laptop") }
        }
    }

    @Test func whatIsNoAnnouncementIsIgnored() async throws {
        try await Self.share { terminal, phone, hosts in
            _ = try await phone.run("junk")
            try await hosts.phone { try await $0.finds("Laptop") }
            #expect(!terminal.text.contains("\u{1B}[31mred"))
        }
    }

    @Test func thirtyUploadsAtOnceStaySmall() async throws {
        try await Self.share { terminal, phone, _ in
            let told = try await Self.agreeing(terminal) { try await phone.run("crowd", "--count", "30") }
            // One address has not so many connections as this at once.
            let statuses = (told.last?["statuses"]?.array ?? []).map { $0.int ?? 0 }
            #expect(statuses.count == 30 && statuses.contains(200), "\(statuses)")
            #expect(Set(statuses).isSubset(of: [0, 200, 503]), "\(statuses)")
        }
    }

    @Test(arguments: ["silent", "head", "body"]) func slowConnectionsEnd(_ how: String) async throws {
        try await Self.share { _, phone, hosts in
            try await phone.start("slow", ["--how", how, "--count", "40", "--seconds", "300"]) { child in
                try await child.waitForOutput { $0.contains(#""open""#) }
                // Others are served meanwhile.
                try await hosts.phone { try await $0.finds("Laptop") }
                let ending = await child.ending()
                #expect(try ending.lines.last?["still"]?.int == 0, "\(ending)")
            }
        }
    }

    @Test func aPromiseThatIsNotKeptEnds() async throws {
        try await Self.share { terminal, phone, hosts in
            let told = try await Self.agreeing(terminal) { try await phone.run("promise", "--seconds", "280") }
            let offer = told.first { $0["case"]?.string == "offer" }
            // A disk without room for it refuses it at once.
            if offer?["status"]?.int == 200 {
                #expect(told.last?["answer"] != .null, "\(told)")
            }
        }
    }

    @Test func chunksWithoutEndEnd() async throws {
        try await Self.share { terminal, phone, _ in
            let told = try await Self.agreeing(terminal) { try await phone.run("chunked") }
            let counts = told.compactMap { $0["sent"]?.int }
            let sent = try #require(counts.first, "\(told)")
            #expect(sent < 64 << 20, "\(sent) bytes were taken of a file of some hundred")
        }
    }
}
