import Foundation
import GRDB
import PeerTestSupport
import Testing

/// What a machine tells of its owner, and what not.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PrivacyTests {
    private func withTwo(_ body: (Laptop, Laptop) async throws -> Void) async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .loopback(avahi), store: directory.path("a"))
                try await Example.put(on: sender)
                try await body(sender, Laptop(network: .loopback(avahi), store: directory.path("b")))
            }
        }
    }

    /// Everything that can be seen of a sender without connecting to it.
    private func seen(_ running: RunningSender, from other: Laptop) async throws -> (peer: JSONValue, text: String) {
        let advertised = try await running.child.waitForOutput { $0.contains(#""type":"advertised""#) }
        let browsed = try await other.browse(untilFound: 1)
        #expect(browsed.code == 0, "\(browsed)")
        let peer = try #require(try browsed.lines("peer").first)
        return (peer, browsed.output.joined() + advertised)
    }

    /// The name is the one that the person has chosen, or was asked about.
    @Test func theAnnouncementNamesNothingButTheChosenName() async throws {
        try await withTwo { sender, receiver in
            try await sender.send(Example.name, ["--name", "Wanderer 7"]) { running in
                let (peer, text) = try await seen(running, from: receiver)
                let name = try #require(peer["name"]?.string)
                #expect(name == "Wanderer 7")
                #expect(try await sender.must("peers").lines("thisMachine").first?["name"]?.string == name)
                #expect(peer["regionName"]?.string == Example.name)
                var names = [ProcessInfo.processInfo.hostName, NSUserName(), NSFullUserName()]
                names += names.flatMap { $0.split(separator: ".").map(String.init) }
                for secret in names where secret.count > 2 {
                    #expect(!text.lowercased().contains(secret.lowercased()), "\(secret) is in \(text)")
                }
            }
        }
    }

    @Test func whatIsSentIsToldOnlyToWhomItIsOffered() async throws {
        try await withTwo { sender, receiver in
            try await sender.send(Example.name, ["--private"]) { running in
                let (peer, text) = try await seen(running, from: receiver)
                #expect(peer["regionName"] == nil && peer["size"] == nil)
                #expect(!text.contains("Coma") && !text.contains("\(running.listening["size"]?.int ?? 0)"), "\(text)")
                let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines("offer").first?["regionName"]?.string == Example.name)
            }
            try Example.expectSame(sender, receiver)
        }
    }
}

/// What of a person's own words and body goes along.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PersonalContentTests {
    private func withTwo(_ body: (Laptop, Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try await Example.put(on: sender)
            try noteHealth(in: sender)
            try await body(sender, Laptop(store: directory.path("b")))
        }
    }

    private func noteHealth(in laptop: Laptop) throws {
        try DatabaseQueue(path: laptop.store + "/hikeshare.sqlite").write { database in
            try database.execute(
                sql: """
                    UPDATE hike SET averageHeartRate = 131, maximumHeartRate = 171, estimatedCalories = 913,
                        comment = 'Knee hurt'
                    """
            )
        }
    }

    private func health(in laptop: Laptop) throws -> [Double?] {
        try DatabaseQueue(path: laptop.store + "/hikeshare.sqlite").read { database in
            let row = try #require(
                try Row.fetchOne(
                    database,
                    sql: "SELECT averageHeartRate, maximumHeartRate, estimatedCalories FROM hike"
                )
            )
            return [row[0], row[1], row[2]]
        }
    }

    @Test func heartRatesAndCaloriesStayUnlessTheyAreToGo() async throws {
        for (arguments, expected) in [([], [nil, nil, nil]), (["--include-health"], [131, 171, 913])]
            as [([String], [Double?])]
        {
            try await withTwo { sender, receiver in
                try await sender.sendQuietly(Example.name, arguments) { running in
                    #expect(running.listening["personal"]?["healthRecords"]?.int == (arguments.isEmpty ? 0 : 1))
                    let received = try await receiver.receive(from: running.port)
                    #expect(received.code == 0, "\(received)")
                }
                #expect(try health(in: receiver) == expected)
            }
        }
    }

    @Test func theSenderIsToldWhatIsPersonalBeforeTheYes() async throws {
        try await withTwo { sender, receiver in
            try await sender.inTerminal(["send", Example.name, "--no-discovery"], columns: 200) { screen in
                let port = try await screen.senderPort()
                let arguments = ["receive", "--yes", "--connect", "127.0.0.1:\(port)", "--name", "Bert"]
                try await receiver.start(arguments) { child in
                    try await screen.wait { $0.contains("Send it to “Bert”") }
                    let prompt = try #require(screen.text.components(separatedBy: "Ctrl-C").last)
                    #expect(prompt.contains("Personal: 1 recorded hike with times and places, 2 comments"), "\(prompt)")
                    #expect(prompt.contains("health data of 1 hike is not sent"), "\(prompt)")
                    try await screen.answer("n\n")
                    #expect(await child.ending().code == 5)
                }
            }
        }
    }
}
