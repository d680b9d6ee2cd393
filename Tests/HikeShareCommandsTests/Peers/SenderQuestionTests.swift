import PeerCore
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing
@testable import RegionStore

/// How senders are asked about at the terminal.
@Suite struct SenderQuestionTests {
    private static let marmot = Sample.discovered("Brave Marmot", 1)
    private static let otter = Sample.discovered("Swift Otter", 2)

    private static func list(
        _ peers: DiscoveredPeer...,
        more: Int = 0,
        trusting: [TrustedPeer] = [],
        objection: SenderList.Objection? = nil
    ) -> SenderList {
        let senders = peers.enumerated().map { SenderList.Sender(number: $0 + 1, peer: $1) }
        return SenderList(senders: senders, moreCount: more, trustedPeers: trusting, objection: objection)
    }

    @Test func sendersAreListedWithTheirNumbers() {
        let list = Self.list(Self.marmot, Self.otter, more: 180)
        #expect(list.question.string == "Which one? Type its number or name: ")
        let lines = list.introduction.string.split(separator: "\n")
        #expect(lines[1].contains("1  “Brave Marmot” (new)") && lines[2].contains("2  “Swift Otter” (new)"))
        #expect(lines.last == "and 180 more, which you can name")
        #expect(Self.list().introduction.string == "The sender is gone.")
        #expect(Self.list().question.string.hasPrefix("Waiting"))
    }

    @Test func saysWhyAnAnswerWasNotTaken() {
        for (objection, words) in [
            (.noNumber("5"), "There is no number 5."), (.noSender("Ana"), "“Ana” is no sender in this list."),
            (.severalSenders("Ana"), "“Ana” is more than one sender in this list."),
        ] as [(SenderList.Objection, String)] {
            let text = Self.list(Self.marmot, objection: objection).introduction.string
            #expect(text.hasPrefix("\(words)\nSenders nearby:"), "\(text)")
        }
    }

    @Test func callsTrustedSendersByTheirNamesHere() {
        let friend = TrustedPeer(id: Sample.peerID(2), name: "Anna", pinnedAt: Sample.date)
        let list = Self.list(Self.marmot, Self.otter, Sample.discovered("ANNA", 3), trusting: [friend])
        for words in ["“Brave Marmot” (new)", "Anna (trusted)", "“ANNA” (NOT your trusted “Anna”)"] {
            #expect(list.introduction.string.contains(words), "\(list.introduction)")
        }
    }

    @Test func aSearchForANameSaysWhoElseIsThere() {
        let advice = SenderSearch(query: "badger").advice(others: [Self.marmot.line(among: [])], stopping: "x").string
        #expect(advice.hasPrefix("Found no sender “badger” yet."))
        #expect(advice.contains("“Brave Marmot”"))
    }

    @Test func theListIsReplacedWhileThePersonThinks() async throws {
        let (later, continuation) = AsyncStream.makeStream(of: SenderList.self)
        let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
        let question = SenderQuestion(list: Self.list(), later: later)
        async let answer = question.ask(at: terminal.console(input: input.reader))
        while !terminal.text.contains("Waiting for a sender…") { await Task.yield() }
        continuation.yield(Self.list(Self.marmot))
        while !terminal.text.contains("Which one?") { await Task.yield() }
        #expect(terminal.text.contains("1  “Brave Marmot” (new)"), "\(terminal.text)")
        #expect(!terminal.text.contains("Waiting"), "\(terminal.text)")
        input.write("1\n")
        #expect(try await answer == .words("1"))
    }

    @Test func aShareLinkMayBePasted() async throws {
        let (later, _) = AsyncStream.makeStream(of: SenderList.self)
        let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
        input.write(ShareLinkInputTests.text + "\n")
        let question = SenderQuestion(list: Self.list(Self.marmot), later: later)
        let answer = try await question.ask(at: terminal.console(input: input.reader))
        #expect(answer == .link(try ShareLinkInput.parse(ShareLinkInputTests.text)))
    }
}
