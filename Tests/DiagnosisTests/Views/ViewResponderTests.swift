import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct ViewResponderTests {
    private static let port: UInt16 = 64_453
    private static let start = ContinuousClock.now

    private let own: IPAddress
    private let machine = MachineFacts(interfaces: [Machine.interface("lan0", ["10.77.0.1/16", "fe80::1"])])
    private var responder = ViewResponder(port: port)

    init() throws { own = try #require(IPAddress("10.77.0.1")) }

    private func asker(_ number: Int = 2) throws -> MulticastFacts.Voice {
        let address = try #require(IPAddress("10.77.\(number / 250).\(number % 250 + 1)"))
        return MulticastFacts.Voice(interface: "lan0", address: address)
    }

    private mutating func ask(
        _ addresses: [IPAddress]? = nil,
        port: UInt16 = port,
        by asker: MulticastFacts.Voice,
        after seconds: Double = 0
    ) -> ViewResponder.OnQuestion {
        let question = ViewQuestion(addresses: addresses ?? [own], port: port)
        return responder.asked(question, by: asker, on: machine, at: Self.start + .seconds(seconds))
    }

    @Test mutating func onlyQuestionsAboutThisMachineAndItsPortAreAnswered() throws {
        let other = try #require(IPAddress("10.77.0.9"))
        #expect(ask([other], by: try asker()) == .ignore)
        #expect(ask(port: 22, by: try asker()) == .ignore)
        #expect(ask([other, own], by: try asker()) == .knock)
        #expect(ViewQuestion(addresses: [other, own], port: 1).own(on: machine) == [own])
    }

    /// A connection is made once in 30 s; its outcome is the answer meanwhile.
    @Test mutating func theOutcomeIsRemembered() throws {
        let asker = try asker()
        #expect(ask(by: asker) == .knock)
        #expect(ask(by: asker, after: 0.3) == .wait)
        responder.knocked(at: asker, .silent)
        #expect(ask(by: asker, after: 1.1) == .answer(.silent))
        #expect(ask(by: asker, after: 29.9) == .answer(.silent))
        #expect(ask(by: asker, after: 30.1) == .knock)
    }

    @Test mutating func nothingIsSentToOtherNetworks() throws {
        let faraway = MulticastFacts.Voice(interface: "lan0", address: try #require(IPAddress("203.0.113.1")))
        #expect(ask(by: faraway) == .answer(nil))
    }

    @Test(arguments: ["10.77.0.1", "224.0.0.1", "255.255.255.255", "0.0.0.0"])
    mutating func addressesOfNoOtherMachineAreIgnored(text: String) throws {
        let asker = MulticastFacts.Voice(interface: "lan0", address: try #require(IPAddress(text)))
        #expect(ask(by: asker) == .ignore)
        #expect(ask(by: MulticastFacts.Voice(interface: "eth9", address: try self.asker().address)) == .ignore)
    }

    /// Forged sources can make it connect to a few machines only.
    @Test mutating func connectionsAndMachinesAreBounded() throws {
        var knocks = 0
        for number in 2..<500 {
            let asker = try asker(number)
            let answer = ask(by: asker, after: Double(number) / 20)
            if answer == .knock { knocks += 1 }
            // The last ones stay open.
            if knocks <= 20, answer == .knock { responder.knocked(at: asker, .silent) }
        }
        #expect(knocks == 20 + ViewResponder.maximumKnocks)
    }

    @Test mutating func machinesBeyondTheMemoryAreNotAnswered() throws {
        var answered = 0
        for number in 2..<202 {
            let asker = try asker(number)
            guard ask(by: asker, after: Double(number - 2) / 10) != .ignore else { continue }
            answered += 1
            responder.knocked(at: asker, .silent)
        }
        #expect(answered == ViewResponder.maximumAskers)
        #expect(ask(by: try asker(300), after: 100) == .knock)
    }

    @Test mutating func answersOfASecondAndToAMachineAreBounded() throws {
        let asker = try asker()
        #expect(ask(by: asker) == .knock)
        responder.knocked(at: asker, .reached)
        let inASecond = (1..<100).count { _ in ask(by: asker, after: 0.5) != .ignore }
        #expect(inASecond == ViewResponder.maximumRate - 1)
        let inAll = (1..<100).count { ask(by: asker, after: 2 + Double($0) / 4) != .ignore }
        #expect(inAll == ViewResponder.maximumAnswers - ViewResponder.maximumRate)
    }

    @Test mutating func aPersonIsToldOnceOfEachMachineAndOfAFew() throws {
        let silent = PeerView(arrivals: .none, back: .silent)
        #expect(!responder.isNews(PeerView(arrivals: .accepted, back: .reached), to: try asker(2)))
        #expect(responder.isNews(silent, to: try asker(2)))
        #expect(!responder.isNews(silent, to: try asker(2)))
        var told = 1
        for number in 3..<50 where responder.isNews(silent, to: try asker(number)) { told += 1 }
        #expect(told == ViewResponder.maximumNews)
    }
}
