import Foundation
import Testing

@testable import GroupSimulation

/// Films: pages that show the life of a simulated group.
@Suite(.serialized) struct FilmTests {
    /// A simulation with a film of it.
    private struct Shot {
        var report: Simulation.Report
        var film: Film
        /// What each run has read of the messages of each other one.
        var read: [Run: [Ledger.Series: [Int]]]
    }

    private func shoot(_ seed: UInt64) async throws -> Shot {
        let simulation = try Simulation(Plan(filmOf: seed), isFilmed: true)
        let report = await simulation.run()
        return Shot(report: report, film: Film(of: simulation), read: simulation.ledger.read { $0.read })
    }

    /// The text between two others.
    private func part(of page: String, from start: String, to end: String) -> Substring? {
        guard let start = page.range(of: start), let end = page[start.upperBound...].range(of: end) else { return nil }
        return page[start.upperBound..<end.lowerBound]
    }

    @Test(arguments: [1, 2]) func aFilmHasTwelvePeersAndShowsWhatWasRead(seed: UInt64) async throws {
        let shot = try await shoot(seed)
        #expect(shot.report.problems.isEmpty)
        let film = shot.film
        #expect(Set(film.names).count == 12 && film.presences.allSatisfy { $0.first?.value == .running })
        #expect(film.links.count == 66 && film.heardCount > 300)
        for message in film.messages {
            let series = Ledger.Series(sender: Run(machine: message.sender, number: message.run), channel: 0)
            for hearing in message.heard {
                #expect(hearing.time >= message.time && hearing.peer != message.sender)
                let readers = shot.read.filter { $0.key.machine == hearing.peer }
                #expect(readers.contains { $0.value[series]?.contains(message.number) == true })
            }
        }
        // And everything that was read is shown.
        #expect(film.heardCount == shot.report.messageCount)
    }

    @Test func eachKindOfThingHappens() async throws {
        let film = try await shoot(3).film
        let kinds = Set(film.episodes.map(\.kind))
        #expect(kinds == [.start, .cable, .split, .killed, .cut])
        #expect(film.presences.contains { $0.last?.value == .left } && film.resources.contains(where: \.isReceived))
        for episode in film.episodes { #expect(episode.end <= film.length && !episode.peers.isEmpty) }
    }

    @Test func theJSONOfAPageIsTheFilm() async throws {
        var film = try await shoot(4).film
        film.names[0] = "</script><script>"
        let page = try FilmPage(film).html()
        let json = try #require(part(of: page, from: "id=\"film\">", to: "</script>"))
        film.story = []
        #expect(try JSONDecoder().decode(Film.self, from: Data(json.utf8)) == film)
    }

    @Test func aPageNeedsNothingElse() async throws {
        let page = try FilmPage(try await shoot(5).film).html()
        let names = page.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(["http:", "https:", "src=", "@import", "url(", "{{"].allSatisfy { !names.contains($0) })
        // Without scripts, the list tells it all.
        let list = try #require(part(of: page, from: "<ol id=\"story\">", to: "</ol>"))
        #expect(list.contains("cable is out") && list.contains("is killed") && list.contains("that waited arrive"))
    }

    @Test func aSeedHasOnePage() async throws {
        let folder = URL.temporaryDirectory.appending(path: "film-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["first", "second", "other"].map { folder.appending(path: $0) }
        for (file, seed) in zip(files, ["6", "6", "7"]) {
            let (status, output) = try await SimulateProgram.run(["--film", seed, file.path])
            #expect(status == 0, "\(output)")
        }
        let pages = try files.map { try Data(contentsOf: $0) }
        #expect(pages[0] == pages[1] && pages[0] != pages[2] && !pages[0].isEmpty)
    }
}
