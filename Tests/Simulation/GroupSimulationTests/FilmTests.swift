import Foundation
import Testing

@testable import GroupSimulation

/// Films: pages that show the life of a simulated group.
@Suite(.serialized) struct FilmTests {
    /// A simulation, and the film of it.
    private struct Shot {
        var report: Simulation.Report
        var film: Film
        /// What each run has read of the messages of each other one.
        var read: [Run: [Ledger.Series: [Int]]]
    }

    /// Twelve whole sessions take seconds, so all tests look at one film.
    private static let shot = Task {
        let simulation = try Simulation(Plan(filmOf: 1), isFilmed: true)
        let report = await simulation.run()
        return Shot(report: report, film: Film(of: simulation), read: simulation.ledger.read { $0.read })
    }

    /// The text between two others.
    private func part(of page: String, from start: String, to end: String) -> Substring? {
        guard let start = page.range(of: start), let end = page[start.upperBound...].range(of: end) else { return nil }
        return page[start.upperBound..<end.lowerBound]
    }

    @Test func whatAFilmShowsAsHeardWasRead() async throws {
        let shot = try await Self.shot.value
        #expect(shot.report.problems.isEmpty)
        for message in shot.film.messages {
            let series = Ledger.Series(sender: Run(machine: message.sender, number: message.run), channel: 0)
            for hearing in message.heard {
                #expect(hearing.time >= message.time && hearing.peer != message.sender)
                let readers = shot.read.filter { $0.key.machine == hearing.peer }
                #expect(readers.contains { $0.value[series]?.contains(message.number) == true })
            }
        }
        // And nothing that was read is left out.
        #expect(shot.film.heardCount == shot.report.messageCount && shot.film.heardCount > 300)
    }

    @Test func twelvePeersLiveThroughEachKindOfFault() async throws {
        let film = try await Self.shot.value.film
        #expect(Set(film.names).count == 12 && film.links.count == 66)
        #expect(film.presences.count == 12 && film.presences.allSatisfy { $0.first?.value == .running })
        #expect(Set(film.episodes.map(\.kind)) == [.start, .cable, .split, .killed, .cut])
        #expect(film.episodes.allSatisfy { $0.time <= $0.end && $0.end <= film.length })
        #expect(film.presences.contains { $0.last?.value == .left } && film.resources.contains(where: \.isReceived))
    }

    @Test func theJSONOfAPageIsTheFilm() async throws {
        var film = try await Self.shot.value.film
        film.names[0] = "</script><script>"
        let page = try FilmPage(film).html()
        let json = try #require(part(of: page, from: "id=\"film\">", to: "</script>"))
        film.story = []
        #expect(try JSONDecoder().decode(Film.self, from: Data(json.utf8)) == film)
    }

    @Test func aPageNeedsNothingElse() async throws {
        let page = try FilmPage(try await Self.shot.value.film).html()
        let own = page.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(["http:", "https:", "src=", "@import", "url(", "{{"].allSatisfy { !own.contains($0) })
        // Without scripts, the list tells it all.
        let list = try #require(part(of: page, from: "<ol id=\"story\">", to: "</ol>"))
        #expect(list.contains("cable is out") && list.contains("is killed") && list.contains("that waited arrive"))
    }

    @Test func aSeedHasOnePage() async throws {
        #expect(Plan(filmOf: 1).description != Plan(filmOf: 2).description)
        let folder = URL.temporaryDirectory.appending(path: "film-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var pages: Set<Data> = []
        for name in ["first", "second"] {
            let file = folder.appending(path: name)
            let (status, output) = try await SimulateProgram.run(["--film", "2", file.path])
            #expect(status == 0, "\(output)")
            pages.insert(try Data(contentsOf: file))
        }
        #expect(pages.count == 1 && pages.first?.isEmpty == false)
    }
}
