import NIOCore
import PeerCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import RegionSharing

/// What a person is asked and told while senders are searched for.
@Suite(.timeLimit(.minutes(10))) struct PeerPickerTests {
    /// A person who answers each list of senders that is shown.
    private struct Chooser: Person {
        let shown = Locked<[[Int]]>([])
        let told = Locked(0)
        let answer: @Sendable (SenderList) throws -> SenderAnswer?

        func tell(_ happening: Happening) { told.withLock { $0 += 1 } }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
            guard let question = question as? SenderQuestion else { return question.defaultAnswer }
            if let answer = try decide(question.list) as? Asked.Answer { return answer }
            for await list in question.later {
                if let answer = try decide(list) as? Asked.Answer { return answer }
            }
            throw CancellationError()
        }

        private func decide(_ list: SenderList) throws -> SenderAnswer? {
            shown.withLock { $0.append(list.senders.map(\.number)) }
            return try answer(list)
        }
    }

    private struct InputFailed: Error {}

    private static func sighting(_ port: Int) -> [PeerSighting] {
        guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: port) else { return [] }
        let name = "Sender \(port)"
        let info = DiscoveryInfo(peerID: Sample.peerID(UInt8(port)), displayName: name)
        return [
            PeerSighting(key: "\(port)", instanceName: name, address: address, interfaceName: "lo", info: info)
        ]
    }

    /// Searches among two senders; a third one is announced when their list has been shown.
    private static func choose(
        by person: Chooser,
        _ links: ArrivingLinks = ArrivingLinks()
    ) async throws -> SenderLocation {
        let application = try #require(PeerServiceType("trails"))
        let discovery = InMemoryDiscovery { $0.port == 3 ? sighting(3) : sighting(1) + sighting(2) }
        @Sendable func announce(_ port: Int) async throws {
            let info = DiscoveryInfo(displayName: "Sender")
            let advertisement = PeerAdvertisement(
                serviceType: application,
                instanceName: "Sender",
                port: port,
                info: info
            )
            try await discovery.withAdvertisement(advertisement) { _ in try await Task.sleep(for: .seconds(36_000)) }
        }
        return try await withThrowingTaskGroup(of: SenderLocation?.self) { group in
            group.addTask {
                try await announce(1)
                return nil
            }
            group.addTask {
                while person.shown.value.isEmpty { await Task.yield() }
                try await announce(3)
                return nil
            }
            group.addTask {
                try await PeerPicker(
                    browser: PeerBrowser(serviceType: application, backend: discovery),
                    for: SenderSearch(),
                    consent: .person,
                    person: person,
                    links: links,
                    advise: { _, _ in }
                ).choose()
            }
            defer { group.cancelAll() }
            return try #require(try await group.next() ?? nil)
        }
    }

    @Test func theListChangesWhileThePersonThinks() async throws {
        let person = Chooser { $0.senders.count == 3 ? .words("3") : nil }
        let location = try await Self.choose(by: person)
        #expect(location.knownAddresses.first?.port == 3)
        #expect(person.shown.value == [[1, 2], [1, 2, 3]])
        #expect(person.told.value == 2, "the search was told to begin and to end")
    }

    /// A link that a phone sends is followed as if the person had typed it.
    @Test func aLinkThatArrivesEndsTheSearch() async throws {
        let links = ArrivingLinks()
        let link = try ShareLink(
            for: try #require(PeerServiceType("trails")),
            addresses: [PeerAddress(host: "192.168.1.7", port: 4711)],
            id: Sample.peerID(),
            token: .random()
        )
        #expect(!links.areTaken && !links.give(link))
        let person = Chooser { _ in
            #expect(links.areTaken && links.give(link))
            return nil
        }
        #expect(try await Self.choose(by: person, links).link == link)
        #expect(!links.areTaken)
    }

    @Test func anAnswerThatIsNotTakenIsAskedForAgain() async throws {
        let person = Chooser { $0.objection == nil ? .words("7") : .declined }
        await #expect(throws: FindingError.noneChosen) { _ = try await Self.choose(by: person) }
        #expect(person.shown.value.count == 2)
    }

    @Test func aQuestionThatFailsEndsTheSearch() async throws {
        let person = Chooser { _ in throw InputFailed() }
        await #expect(throws: InputFailed.self) { _ = try await Self.choose(by: person) }
    }

    @Test(arguments: [nil, "n", " NO ", "q"] as [String?]) func theEndOfTheInputAndANoPickNone(line: String?) {
        #expect(SenderAnswer(line) == .declined)
        #expect(SenderAnswer(" 2 ") == .words(" 2 "))
    }
}
