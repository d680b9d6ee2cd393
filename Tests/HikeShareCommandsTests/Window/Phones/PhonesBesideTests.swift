import Foundation
import PeerTestSupport
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import MapPages
@testable import PeerCore
@testable import RegionSharing
@testable import SharingWindow
@testable import WebServer

/// What phones send to the window, whatever job is running.
@Suite(.timeLimit(.minutes(10))) struct PhonesBesideTests {
    private static let phone = LocalSendPhone.ofTests()
    private static let file = PhoneFile(client: "10.0.0.1", name: "a.gpx", size: 9)

    private static func asked(_ window: AppWindow, after number: Int = 0) async -> AppWindowQuestion? {
        while window.current.question == nil || window.current.questionNumber <= number { await Task.yield() }
        return window.current.question
    }

    private static func answer(_ window: AppWindow, _ text: String) -> Bool {
        window.answer(text, to: window.current.questionNumber)
    }

    @Test(arguments: [("y", true), ("n", false)])
    func aPhoneAsksWithoutAJob(answer: String, isTaken: Bool) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let person = WindowPerson(besideJobsAt: here.desk)
            async let taken = person.ask(PhoneFilesQuestion(Self.phone, [Self.file]))
            _ = await Self.asked(here.window)
            let question = try #require(try here.state()["question"] as? [String: Any])
            #expect(question["isBeside"] as? Bool == true && question["form"] as? String == "yesOrNo")
            #expect(Self.answer(here.window, answer))
            #expect(try await taken == isTaken)
            // One line stays of it, and no job.
            let state = try here.state()
            #expect((state["lines"] as? [Any])?.isEmpty == true && state["job"] as? Int == 0)
            let phones = try #require(state["phones"] as? [String: Any])
            let lines = try #require(phones["lines"] as? [[String: Any]])
            #expect(lines.map { $0["answer"] as? String } == [isTaken ? "Yes" : "No"])
        }
    }

    @Test func itsQuestionOutlivesAJob() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            try #require(here.window.begin(CheckingJob(at: here.desk)))
            let person = WindowPerson(besideJobsAt: here.desk)
            async let taken = person.ask(PhoneFilesQuestion(Self.phone, [Self.file]))
            _ = await Self.asked(here.window)
            here.window.end()
            #expect(here.window.current.question?.isBeside == true && !here.window.isRunning)
            #expect(Self.answer(here.window, "y"))
            #expect(try await taken == true)
        }
    }

    /// A sender may come in an hour, and the phone does not wait that long.
    @Test func theListOfSendersGivesWayToAPhone() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            try #require(here.window.begin(ReceivingJob(at: here.desk)))
            let (later, lists) = AsyncStream.makeStream(of: SenderList.self)
            func list(_ number: Int) -> SenderList {
                let sender = SenderList.Sender(number: number, peer: Sample.discovered("Cara", 1))
                return SenderList(senders: [sender], moreCount: 0, trustedPeers: [])
            }
            async let picked = WindowPerson(at: here.desk).ask(SenderQuestion(list: list(1), later: later))
            #expect(await Self.asked(here.window)?.form == .choice)
            async let taken = WindowPerson(besideJobsAt: here.desk).ask(PhoneFilesQuestion(Self.phone, [Self.file]))
            let number = here.window.current.questionNumber
            let second = try #require(await Self.asked(here.window, after: number))
            #expect(second.form == .yesOrNo && second.isBeside)
            // The list changes meanwhile, and takes no place that is not its own.
            lists.yield(list(2))
            #expect(here.window.current.question == second)
            #expect(Self.answer(here.window, "y"))
            #expect(try await taken == true)
            while here.window.current.question?.choices.map(\.answer) != ["2"] { await Task.yield() }
            #expect(Self.answer(here.window, "2"))
            #expect(try await picked == .words("2"))
        }
    }

    @Test func whatComesIsToldBesideTheJob() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let person = WindowPerson(besideJobsAt: here.desk)
            var file = Self.file
            file.phone = Self.phone
            person.tell(.phones(.upload(PhoneUpload(number: 1, file: file, length: 3))))
            var shown = here.window.phones.current
            #expect(shown.rows.map(\.state) == [.sends] && here.window.phones.areSending)
            #expect(try here.post("send", #"{"regions":["\#(here.region.uuidString)"]}"#).status == .conflict)
            person.tell(.phones(.upload(PhoneUpload(number: 1, file: file, length: 9))))
            #expect(here.window.phones.current.rows.isEmpty && !here.window.phones.areSending)
            person.tell(.phones(.examining(file, nil)))
            person.tell(.phones(.failed(file, PeerError(.connectionLost, "The connection was lost."))))
            person.tell(.phones(.localSend(.text("Ich bin\u{1b} da", from: Self.phone))))
            shown = here.window.phones.current
            #expect(shown.lines.lines.map(\.isProblem) == [false, true, false])
            let last = try #require(shown.lines.lines.last?.text)
            #expect(
                last.blocks.flatMap { $0.runs ?? [] }.contains { $0.style == "command" && !$0.text.contains("\u{1b}") }
            )
            #expect(here.window.current.lines.isEmpty)
        }
    }

    /// Between two files of a list, nothing comes for a moment.
    @Test func nothingIsSentBeforeAListIsDecidedOn() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let isBusy = Locked(true)
            here.window.phones.watch { isBusy.withLock { $0 } }
            let wish = #"{"regions":["\#(here.region.uuidString)"]}"#
            #expect(try here.post("send", wish).status == .conflict)
            isBusy.withLock { $0 = false }
            #expect(try here.post("send", wish).status == .ok)
        }
    }

    @Test func aLinkOfAPhoneIsOffered() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let link = try ShareLink(typed: ShareLinkInputTests.text, for: .hikeshare)
            WindowPerson(besideJobsAt: here.desk).tell(.phones(.localSend(.link(link, from: Self.phone))))
            let line = try #require(here.window.phones.current.lines.lines.last)
            #expect(line.link == link.text)
            for wrong in ["", "http://10.0.0.1/", "hikeshare"] {
                #expect(try here.post("receive", #"{"url":"\#(wrong)"}"#).status == .badRequest)
            }
            #expect(try here.post("receive", #"{"url":"\#(link.text)"}"#).status == .ok)
            #expect((here.window.job as? ReceivingJob)?.link == link)
        }
    }

    // MARK: Whether phones find this machine

    /// Machines that phones find, each with what is told while they do.
    private static func listening(_ log: Locked<[String]>) -> WindowSurroundings {
        var surroundings = WindowSurroundings.ofTests
        surroundings.listen = { _, local, person, body in
            log.withLock { $0.append(local.displayName) }
            person.tell(.phones(.localSend(.listed(name: local.displayName, port: 53317, isUsualPort: true))))
            try await body { false }
        }
        return surroundings
    }

    @Test func theyFindItWhileTheWindowIsOpenUnlessThatIsOff() async throws {
        let log = Locked<[String]>([])
        try await WindowSite.with(Self.listening(log)) { (here: WindowSite) async throws in
            try here.store.setDisplayName("Ana")
            let desk = here.desk
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await desk.run(endsWithPages: false) }
                while here.window.phones.current.name != "Ana" { await Task.yield() }
                let shown = try #require(try here.state()["phones"] as? [String: Any])
                #expect(shown["isOn"] as? Bool == true && shown["name"] as? String == "Ana")
                // It is found under its new name.
                #expect(try here.post("name", #"{"answer":"Berta"}"#).status == .ok)
                while here.window.phones.current.name != "Berta" { await Task.yield() }
                #expect(try here.post("phones", #"{"on":false}"#).status == .ok)
                while here.window.phones.current.name != nil { await Task.yield() }
                #expect(here.window.phones.current.isOn == false)
                here.window.close()
                try await group.waitForAll()
            }
            #expect(log.withLock { $0 } == ["Ana", "Berta"])
            // Another window does not begin with it.
            #expect(try here.store.isFoundByPhones() == false)
        }
    }

    /// The name of the login is told to nobody before its person has agreed.
    @Test func withoutANameItIsFoundUnderThatOfTheProgram() async throws {
        let log = Locked<[String]>([])
        try await WindowSite.with(Self.listening(log)) { (here: WindowSite) async throws in
            let desk = here.desk
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await desk.run(endsWithPages: false) }
                while here.window.phones.current.name == nil { await Task.yield() }
                here.window.close()
            }
            #expect(log.withLock { $0 } == [Software.name])
        }
    }

    @Test func whyTheyDoNotFindItIsSaid() async throws {
        var surroundings = WindowSurroundings.ofTests
        surroundings.listen = { _, _, _, _ in throw PeerError(.discoveryUnavailable, "No port is free.") }
        try await WindowSite.with(surroundings) { (here: WindowSite) async throws in
            let desk = here.desk
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await desk.run(endsWithPages: false) }
                while here.window.phones.current.trouble == nil { await Task.yield() }
                #expect(here.window.phones.current.trouble?.words.contains("No port is free.") == true)
                here.window.close()
            }
            // It is no problem of a job.
            #expect(here.window.current.lines.isEmpty)
        }
    }

    @Test func withoutLocalSendThereIsNoSwitch() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let desk = here.desk
            here.window.close()
            await desk.run(endsWithPages: false)
            #expect(here.window.phones.current.isOn == nil)
            #expect(try here.post("phones", #"{"on":true}"#).status == .badRequest)
        }
    }

    // MARK: What pages ask for

    @Test(
        arguments: [
            (#"{"phone":1,"region":"R","kind":"html"}"#, "phone-send", WebResponse.Status.ok),
            (#"{"phone":2,"region":"R","kind":"html"}"#, "phone-send", .conflict),
            (#"{"phone":"1","region":"R","kind":"html"}"#, "phone-send", .badRequest),
            ("{}", "phone-send", .badRequest),
            (#"{"phone":1}"#, "phone-stop", .conflict), (#"{"phone":1e99}"#, "phone-stop", .badRequest),
        ]
    )
    func pagesSendToAndStop(content: String, action: String, status: WebResponse.Status) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let wanted = Locked<[AppWindowPhone.Wish]>([])
            here.window.phones.show([], files: []) { wish in
                wanted.withLock { $0.append(wish) }
                return wish == .send(phone: 1, region: "R", kind: "html")
            }
            #expect(try here.post(action, content).status == status)
            #expect(wanted.withLock { $0.isEmpty } == (status == .badRequest))
            here.window.phones.endList()
            #expect(try here.post(action, content).status != .ok)
        }
    }

    /// Without a page, the window stays open while a phone sends.
    @Test func aPhoneThatSendsKeepsTheWindowOpen() {
        let phones = AppWindowPhones()
        #expect(!phones.isActive(at: .now))
        phones.show([AppWindowReceiver(name: "Pixel", state: .sends, words: "sends")])
        #expect(phones.isActive(at: .now) && !phones.isActive(at: .now + AppWindowState.patience))
        phones.show([])
        #expect(!phones.isActive(at: .now))
    }
}
