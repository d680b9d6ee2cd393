import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing

@testable import MapPages
@testable import NetworkManager
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore
@testable import SharingWindow

/// What the window asks, and what the answers mean.
@Suite(.timeLimit(.minutes(10))) struct WindowPersonTests {
    private static let newQuestion = AppWindowText("The question before has expired. This is a new one:")

    /// Asks a question, and answers each time it is asked.
    private static func ask<Asked: Question>(
        _ question: Asked,
        _ answers: [String],
        in window: TestWindow
    ) async throws -> (answer: Asked.Answer, shown: [AppWindowQuestion]) {
        async let answered = window.person.ask(question)
        var shown: [AppWindowQuestion] = []
        for answer in answers {
            shown.append(try #require(await window.asked(after: shown.count)))
            #expect(window.answer(answer))
        }
        return (try await answered, shown)
    }

    @Test func tablesAndStylesAreKept() {
        let table = TextTable.render([["", "Parts", "map"], ["", "Here", "\("NEW", .alarm)"]])
        let text: DisplayText = "“Anna” offers it\n\(table)\nRun  \("nmcli", .command)"
        #expect(
            AppWindowText(text).blocks == [
                .paragraph([AppWindowText.Run("“Anna” offers it")]),
                .table([
                    [[AppWindowText.Run("Parts")], [AppWindowText.Run("map")]],
                    [[AppWindowText.Run("Here")], [AppWindowText.Run("NEW", style: "alarm")]],
                ]),
                .paragraph([AppWindowText.Run("Run  "), AppWindowText.Run("nmcli", style: "command")]),
            ]
        )
        #expect(AppWindowText("" as DisplayText).blocks.isEmpty)
    }

    @Test(arguments: [("y", true), ("n", false), ("", false), ("yes, but", false)])
    func anythingButAClearYesIsANo(answer: String, isYes: Bool) async throws {
        let window = try TestWindow()
        async let confirmed = window.person.confirm(introduction: "Above.", "Send it?")
        let question = try #require(await window.asked())
        #expect(question.form == .yesOrNo && question.text == AppWindowText("Send it?"))
        #expect(question.introduction == AppWindowText("Above."))
        #expect(window.answer(answer))
        #expect(try await confirmed == isYes)
    }

    @Test func aWithdrawnQuestionHasNoAnswer() async throws {
        let window = try TestWindow()
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask { try? await window.person.confirm("Send it?") }
            _ = await window.asked()
            let number = window.window.current.questionNumber
            group.cancelAll()
            #expect(await group.next() == .some(nil))
            #expect(!window.window.answer("y", to: number) && window.window.current.question == nil)
        }
        // A click that was meant for it must not answer the next one.
        async let next = window.person.confirm("Send that?")
        #expect(await window.asked(after: 1)?.notice == Self.newQuestion)
        #expect(window.answer("y"))
        #expect(try await next)
        // It says nothing without the question.
        #expect(!window.words.contains("has expired"))
    }

    @Test func aQuestionThatChangesKeepsItsNotice() async throws {
        let window = AppWindow()
        var question = AppWindowQuestion(AppWindowText("Which?"), form: .choice)
        question.notice = Self.newQuestion
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [question] in _ = try? await window.ask(question) }
            while window.current.question == nil { await Task.yield() }
            var next = AppWindowQuestion(AppWindowText("Which?"), form: .choice)
            let former = next
            next.choices = [AppWindowQuestion.Choice(answer: "1", name: "Ben")]
            window.replace(former, with: next)
            #expect(window.current.question?.choices == next.choices)
            #expect(window.current.question?.notice == Self.newQuestion)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func aPersonNamesAPeer() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let peer = OfferMaker.peer()
            try store.trustedPeers.pin(peer.id, name: "Ben")
            let window = try TestWindow()
            async let noted: Void = PeerRecorder(store: store, person: window.person).note(peer, isNew: true)
            let first = try #require(await window.asked())
            #expect(first.form == .line && first.usual == "Ben")
            #expect(first.text == AppWindowText("What do you call this person?"))
            #expect(window.answer("Benny"))
            try await noted
            #expect(try store.trustedPeers.all().map(\.name) == ["Benny"])
            #expect(window.words.hasSuffix("Ben is now called Benny"))
        }
    }

    /// What was received is here, whatever becomes of this question.
    @Test func aStopLeavesANameAsItIs() async throws {
        let window = try TestWindow()
        let question = PeerNameQuestion(
            peer: TrustedPeer(id: Sample.peerID(), name: "Ben", pinnedAt: Sample.date)
        )
        try await withThrowingTaskGroup(of: OwnName?.self) { group in
            group.addTask { try await window.person.ask(question) }
            _ = await window.asked()
            group.cancelAll()
            let answer = try await group.next()
            #expect(answer == .some(nil))
        }
        #expect(window.window.current.question == nil)
    }

    @Test func anOfferIsAskedAboutWithItsParts() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let window = try TestWindow()
            let decider = OfferDecider(store: store, consent: .person, person: window.person)
            var difference = OfferMaker.Difference()
            difference.waypoints = 3
            let offer = try OfferMaker.offer(Sample.uuid(), difference, from: OfferMaker.peer())
            async let answer = decider.decide(offer)
            let question = try #require(await window.asked())
            #expect(question.form == .parts && question.choices.map(\.answer) == ["map", "waypoints"])
            #expect(question.text == AppWindowText("Take it?"))
            #expect(question.introduction?.blocks.last?.rows?.isEmpty == false)
            // A part of it is asked about again.
            #expect(window.answer("map"))
            let again = try #require(await window.asked(after: 1))
            #expect(again.choices.map(\.answer) == ["map", "waypoints"] && again.usual == "map")
            // What was left out can be ticked again, and that is asked about, too.
            #expect(window.answer("y"))
            let whole = try #require(await window.asked(after: 2))
            #expect(whole.usual.isEmpty)
            #expect(window.answer("map"))
            _ = await window.asked(after: 3)
            #expect(window.answer("map"))
            #expect(try await answer.kinds == [.mbtiles])
        }
    }

    @Test(arguments: ["n", "", "n map"]) func anOfferIsDeclinedByANo(answer: String) async throws {
        let question = OfferQuestion(offer: try Screens.offer(), selectable: Set(Screens.parts.map(\.0)))
        let window = try TestWindow()
        let (given, shown) = try await Self.ask(question, [answer], in: window)
        #expect(given == (answer == "n map" ? .only([.mbtiles]) : .nothing))
        // The digits stand above the question, and the area beside it.
        #expect(shown[0].words.contains("2 3 0   7 4 2") && shown[0].drawing != nil)
    }

    /// Without a usual answer, nothing is ticked.
    @Test(
        arguments: [("y", [0, 1, 2, 3]), ("n", nil), ("1 3", [0, 2]), ("9", nil), ("", nil)] as [(String, [Int]?)]
    )
    func regionsAreTickedInAList(answer: String, numbers: [Int]?) async throws {
        let items = try Sample.catalogue()
        var catalogue = CatalogueFacts(peer: Sample.remotePeer(), items: items)
        let window = try TestWindow()
        let (ids, shown) = try await Self.ask(CatalogueQuestion(catalogue: catalogue), [answer], in: window)
        #expect(ids == numbers.map { $0.map { items[$0].region.id } })
        #expect(shown[0].usual == "none" && shown[0].choices.map(\.answer) == ["1", "2", "3", "4"])
        #expect(shown[0].choices[1].name == "“Andorra”" && shown[0].choices[1].size == 2_000_000)
        #expect(shown[0].choices[1].facts.contains("newer than yours"), "\(shown[0].choices[1].facts)")
        // The list itself stands once.
        #expect(shown[0].introduction?.words.contains("Andorra") == false)
        catalogue.usual = [items[1].region.id]
        let second = try await Self.ask(CatalogueQuestion(catalogue: catalogue), ["n"], in: try TestWindow())
        #expect(second.shown[0].usual == "2")
    }

    private static func senders(_ numbers: [Int]) -> SenderList {
        SenderList(
            senders: numbers.map { SenderList.Sender(number: $0, peer: Sample.discovered("Cara\($0)", UInt8($0))) },
            moreCount: 0,
            trustedPeers: []
        )
    }

    /// After a question that has expired, the next one is shown a moment later.
    @Test func theListOfSendersIsTheNewestWhenItIsShown() async throws {
        let (later, lists) = AsyncStream.makeStream(of: SenderList.self)
        let window = try TestWindow()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await window.person.confirm("Send it?") }
            _ = await window.asked()
            group.cancelAll()
        }
        async let answer = window.person.ask(SenderQuestion(list: Self.senders([1, 2]), later: later))
        lists.yield(Self.senders([2]))
        while window.window.current.question?.choices.map(\.answer) != ["2"] { await Task.yield() }
        #expect(window.answer("2"))
        #expect(try await answer == .words("2"))
    }

    @Test func sendersAreButtonsThatChange() async throws {
        let (later, lists) = AsyncStream.makeStream(of: SenderList.self)
        let window = try TestWindow()
        async let answer = window.person.ask(SenderQuestion(list: Self.senders([1, 2]), later: later))
        let first = try #require(await window.asked())
        #expect(first.form == .choice && first.choices.map(\.answer) == ["1", "2"])
        #expect(first.choices[0].name == "“Cara1” (new)" && first.choices[0].facts == "Coma Pedrosa, 2.8 MB")
        lists.yield(Self.senders([]))
        let none = try #require(await window.asked(after: 1))
        #expect(none.choices.isEmpty && none.text == AppWindowText("Waiting for a sender…"))
        #expect(window.words == "The sender is gone.")
        lists.yield(Self.senders([2]))
        _ = await window.asked(after: 2)
        #expect(window.answer("2"))
        #expect(try await answer == .words("2"))
    }

    @Test func aReceiverIsLetInByAClearYesOnly() async throws {
        for (answer, expected) in [("y", .yes), ("n", .no(.byPerson)), ("", .no(.byPerson))]
            as [(String, InvitationQuestion.Answer)]
        {
            let invitation = InvitationQuestion(peer: OfferMaker.peer(), regionName: "Coma Pedrosa")
            let window = try TestWindow()
            let (given, shown) = try await Self.ask(invitation, [answer], in: window)
            #expect(given == expected && shown[0].form == .yesOrNo)
            #expect(shown[0].words.contains("Answer within 60 seconds."))
        }
    }

    /// Another question that is asked all the time leaves no time for a receiver.
    @Test func aReceiverWaitsForAnotherQuestion() async throws {
        let window = try TestWindow()
        async let first = window.person.confirm("Add them?")
        _ = await window.asked()
        var invitation = InvitationQuestion(peer: OfferMaker.peer(), regionName: "Coma Pedrosa")
        invitation.end = .now
        #expect(try await window.person.ask(invitation) == .no(.otherQuestions))
        #expect(window.words.contains("waits until you have answered."))
        #expect(window.window.current.question?.text == AppWindowText("Add them?"))
        #expect(window.answer("n"))
        #expect(try await !first)
    }

    @Test func networksAreAskedAbout() async throws {
        let leaving = LeaveNetworkQuestion(current: "Hut", name: "hikeshare-7K3M", purpose: .making)
        #expect(try await Self.ask(leaving, ["y"], in: TestWindow()).answer)
        #expect(try await !Self.ask(leaving, [""], in: TestWindow()).answer)
        let names = NetworkChoiceQuestion(names: ["hikeshare-7K3M", "hikeshare-9XYZ"])
        #expect(try await Self.ask(names, ["hikeshare-9XYZ"], in: TestWindow()).answer == "hikeshare-9XYZ")
        #expect(try await Self.ask(names, ["other"], in: TestWindow()).answer == nil)
        let wiFi = try #require(Screens.wiFi)
        let window = try TestWindow()
        let password = NetworkPasswordQuestion(of: wiFi.name(for: .hikeshare), for: .hikeshare)
        #expect(try await Self.ask(password, ["x", wiFi.password], in: window).answer == wiFi)
        #expect(window.words.contains("twelve letters and digits"))
        let byHand = JoinByHandQuestion(name: "hikeshare-7K3M", password: "p", reason: .noNetworkManager([]))
        #expect(try await Self.ask(byHand, ["y"], in: TestWindow()).answer == .joined)
        #expect(try await Self.ask(byHand, ["n"], in: TestWindow()).answer == .declined)
    }

    @Test func aShareLinkIsAskedForAgain() async throws {
        let text = ShareLinkInputTests.text
        let window = try TestWindow()
        async let link = ShareLinkQuestion(for: .hikeshare).settle(window.person)
        _ = await window.asked()
        #expect(window.answer("marmot"))
        _ = await window.asked(after: 1)
        #expect(window.words.contains("Please try again.") && window.answer(" \(text)"))
        #expect(try await link.text == text)
    }

    @Test func thisMachineGetsAName() async throws {
        let window = try TestWindow()
        let long = String(repeating: "x", count: 64)
        #expect(try await Self.ask(OwnNameQuestion(), [long, "Ben  K"], in: window).answer?.text == "Ben K")
        #expect(window.words.contains("That name is too long."))
        #expect(try await Self.ask(OwnNameQuestion(), [""], in: TestWindow()).answer?.text == OwnName.usual)
    }

    // MARK: Files of phones

    private static let file = PhoneFile(client: "10.42.0.7", name: "a.gpx", size: 9)

    @Test(arguments: [("y", true), ("n", false)]) func aFileOfAPhoneIsTakenAfterAYes(
        answer: String,
        isTaken: Bool
    ) async throws {
        let (taken, shown) = try await Self.ask(PhoneFileQuestion(Self.file, .comes), [answer], in: try TestWindow())
        #expect(taken == isTaken)
        #expect(shown.first?.introduction == AppWindowText("A phone (10.42.0.7) wants to send “a.gpx”, 9 bytes."))
    }

    @Test func aFileOfAPhoneGivesWayToAReceiver() async throws {
        let window = try TestWindow()
        async let taken = window.person.ask(PhoneFileQuestion(Self.file, .comes))
        let first = try #require(await window.asked())
        #expect(first.text.words.hasPrefix("Take it?"))
        async let send = window.person.confirm("Send it to Ben?")
        let second = try #require(await window.asked(after: 1))
        #expect(second.text == AppWindowText("Send it to Ben?"))
        // A click that was meant for the file must not let a receiver in.
        #expect(second.notice == Self.newQuestion)
        #expect(window.answer("y"))
        #expect(try await send)
        // It is asked again.
        while window.window.current.question?.text != first.text { await Task.yield() }
        #expect(window.answer("y"))
        #expect(try await taken == true)
    }

    @Test func aFileOfAPhoneWaitsAfterAQuestionThatHasExpired() async throws {
        let window = try TestWindow()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await window.person.confirm("Send it to Ben?") }
            _ = await window.asked()
            group.cancelAll()
        }
        async let taken = window.person.ask(PhoneFileQuestion(Self.file, .comes))
        #expect(await window.asked(after: 1)?.notice == Self.newQuestion)
        #expect(window.answer("y"))
        #expect(try await taken == true)
    }

    @Test func aFileOfAPhoneIsLeftIfNobodyAnswers() async throws {
        var question = PhoneFileQuestion(Self.file, .comes)
        question.patience = .milliseconds(10)
        #expect(try await TestWindow().person.ask(question) == nil)
    }
}
