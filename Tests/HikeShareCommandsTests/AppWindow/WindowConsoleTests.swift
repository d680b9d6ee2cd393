import ArgumentParser
import PeerTestSupport
import RegionSharing
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import MapPages
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// The console whose texts and questions are in the window.
@Suite struct WindowConsoleTests {
    /// A window with a job.
    private static func window() throws -> AppWindow {
        let window = AppWindow()
        try #require(window.begin(.receive(AppWindow.ReceiveOptions()), title: "Receiving a map"))
        return window
    }

    private static func asked(_ window: AppWindow, after number: Int = 0) async -> AppWindowQuestion? {
        while window.current.question == nil || window.current.questionNumber <= number { await Task.yield() }
        return window.current.question
    }

    @Test func tablesAndStylesAreKept() {
        let table = Table.render([["", "Parts", "map"], ["", "Here", "\("NEW", .alarm)"]])
        let text: DisplayText = "“Anna” offers it\n\(table)\nRun  \("hikeshare send", .command)"
        #expect(
            AppWindowText(text).blocks == [
                .paragraph([AppWindowText.Piece("“Anna” offers it")]),
                .table([
                    [[AppWindowText.Piece("Parts")], [AppWindowText.Piece("map")]],
                    [[AppWindowText.Piece("Here")], [AppWindowText.Piece("NEW", style: "alarm")]],
                ]),
                .paragraph([AppWindowText.Piece("Run  "), AppWindowText.Piece("hikeshare send", style: "command")]),
            ]
        )
        #expect(AppWindowText("" as DisplayText).blocks.isEmpty)
    }

    @Test(arguments: [("y", true), ("n", false), ("", false), ("yes, but", false)])
    func anythingButAClearYesIsANo(answer: String, isYes: Bool) async throws {
        let window = try Self.window()
        async let confirmed = Console(in: window).confirm(introduction: "Above.", "Send it?", rings: true)
        let question = try #require(await Self.asked(window))
        #expect(question.form == .yesOrNo && question.text == AppWindowText("Send it?"))
        #expect(question.introduction == AppWindowText("Above."))
        #expect(window.answer(answer, to: window.current.questionNumber))
        #expect(try await confirmed == isYes)
    }

    @Test func aQuestionThatIsGoneIsANoForNobody() async throws {
        let window = try Self.window()
        let console = Console(in: window)
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask { try? await console.confirm("Send it?") }
            _ = await Self.asked(window)
            let number = window.current.questionNumber
            group.cancelAll()
            #expect(await group.next() == .some(nil))
            #expect(!window.answer("y", to: number))
        }
        // Stop, as Ctrl-C, answers a question of several with a no.
        async let line = console.ask("Which one? ")
        _ = await Self.asked(window)
        #expect(console.refuse())
        #expect(try await line == nil)
        #expect(window.current.question == nil)
    }

    @Test func aPersonNamesAPeer() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let peer = OfferMaker.peer()
            try store.trustedPeers.pin(peer.id, name: "Ben")
            let window = try Self.window()
            let recorder = PeerRecorder(store: store, person: TerminalPerson(Console(in: window)))
            async let noted: Void = recorder.note(peer, isNew: true)
            let first = try #require(await Self.asked(window))
            #expect(first.form == .line && first.usual == "Ben")
            #expect(first.text == AppWindowText("What do you call this person?"))
            // One question is enough: nobody types a command here.
            #expect(window.answer("Benny", to: window.current.questionNumber))
            try await noted
            #expect(try store.trustedPeers.all().map(\.name) == ["Benny"])
        }
    }

    @Test func anOfferIsAskedAboutWithItsParts() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let window = try Self.window()
            let prompt = OfferDecider(
                store: store,
                acceptsAll: false,
                at: Console(in: window)
            )
            var difference = OfferMaker.Difference()
            difference.waypoints = 3
            let offer = try OfferMaker.offer(Sample.uuid(), difference, from: OfferMaker.peer())
            async let answer = prompt.decide(offer)
            let question = try #require(await Self.asked(window))
            #expect(question.form == .parts && question.choices.map(\.answer) == ["map", "waypoints"])
            #expect(question.text == AppWindowText("Take it?"))
            #expect(question.introduction?.blocks.last?.rows?.isEmpty == false)
            // A part of it is asked about again.
            #expect(window.answer("map", to: window.current.questionNumber))
            let again = try #require(await Self.asked(window, after: 1))
            #expect(again.choices.map(\.answer) == ["map"])
            #expect(window.answer("y", to: window.current.questionNumber))
            #expect(try await answer.kinds == [.mbtiles])
        }
    }

    @Test func problemsAreToldWithoutTheNameOfTheProgram() throws {
        let window = try Self.window()
        let console = Console(in: window)
        let problem = CommandError(.storage, "The disk is full.", remedy: "Free some space.")
        console.warn(ProblemReport(problem, severity: .warning))
        #expect(window.current.lines.map(\.text) == [AppWindowText("The disk is full.\nFree some space.")])
        #expect(window.current.lines.map(\.kind) == [.warning])
        #expect(ProblemReport(problem).text.string.hasPrefix("hikeshare: The disk is full."))
        console.show("half", fraction: 0.5)
        #expect(window.current.status == AppWindowText("half") && window.current.fraction == 0.5)
        #expect(SenderSearch().advice(others: [], stopping: console.stopping).string.contains("choose Stop"))
    }

    /// Nobody types commands in the window.
    @Test func commandsAreLeftOutOrHaveOtherWords() throws {
        let window = try Self.window()
        let console = Console(in: window)
        console.note(
            SenderSearch().advice(others: [], hints: CommandError.whatToCheck, stopping: console.stopping)
        )
        console.warn(ProblemReport(PeerError(.discoveryUnavailable, "Nothing is found.", remedy: "Try --connect.")))
        console.emit(
            WebPageReport(
                urls: ["http://192.0.2.1/a/"],
                port: 80,
                hasPersonal: false,
                leftOut: "hikes",
                isOwnNetwork: true
            )
        )
        let words = window.current.lines.map(\.text).flatMap(\.blocks).flatMap { $0.pieces ?? [] }.map(\.text).joined()
        #expect(words.contains("Is the other laptop sending?") && words.contains("“I have a share link”"))
        #expect(words.contains("Nothing is found.") && words.contains("Not on the page: hikes"))
        #expect(!words.contains("--") && !words.contains("hikeshare receive") && !words.contains("hikeshare doctor"))
        // What others say takes no line away.
        console.tell("\("'hikeshare' --peer")")
        #expect(window.current.lines.last?.text == AppWindowText("'hikeshare' --peer"))
    }

    @Test func optionsAreThoseOfTheCommands() throws {
        var receiving = AppWindow.ReceiveOptions()
        (receiving.hasLink, receiving.joins) = (false, true)
        #expect(try ReceiveCommand.parse(AppWindowJobs.arguments(receiving)).join)
        var sending = AppWindow.SendOptions()
        (sending.makesNetwork, sending.hasPage) = (true, true)
        let command = try SendCommand.parse(["52C93677-A1E3-457E-B4A3-E87F040845A4"] + AppWindowJobs.arguments(sending))
        #expect(
            command.hotspot.hotspot && command.web.web && command.words == ["52C93677-A1E3-457E-B4A3-E87F040845A4"]
        )
    }

    @Test func aStopReachesWhatRuns() async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let message = await Interruption.stopping(by: stops) {
            do {
                try await Interruption.watch {
                    stop.yield()
                    try await Task.sleep(for: .patience)
                }
                return "complete"
            } catch {
                return (error as? CommandError)?.message ?? "\(error)"
            }
        }
        #expect(message == "Interrupted.")
    }

    /// A request that comes before the work is watched counts as soon as it is.
    @Test func anEarlyStopIsNotLost() async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        stop.yield()
        let message = await Interruption.stopping(by: stops) {
            // The request has arrived when the next one is possible.
            for _ in 1...100 { await Task.yield() }
            return await Self.outcome { try await Interruption.watch { try await Task.sleep(for: .patience) } }
        }
        #expect(message == "Interrupted.")
    }

    /// A stop is a no to the question of several that is asked, but for a window that is closed it is an end.
    @Test(arguments: [false, true]) func theEndOfTheWindowIsNoAnswer(isFinal: Bool) async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let answers = AsyncStream.makeStream(of: Void.self)
        let message = await Interruption.stopping(by: stops) {
            isFinal
        } _: {
            await Self.outcome {
                try await Interruption.watch {
                    false
                } isAnswer: {
                    answers.continuation.finish()
                    return true
                } _: {
                    stop.yield()
                    for await _ in answers.stream {}
                    if Task.isCancelled { throw CancellationError() }
                }
            }
        }
        #expect(message == (isFinal ? "Interrupted." : "complete"))
    }

    private static func outcome(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "complete"
        } catch {
            return (error as? CommandError)?.message ?? "\(error)"
        }
    }
}
