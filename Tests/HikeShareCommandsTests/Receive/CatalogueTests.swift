import Foundation
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

/// What is picked from a list of regions.
@Suite struct CatalogueTests {
    private static func ages(_ difference: TimeInterval) -> MapAges {
        MapAges(offered: MapEdition(date: Sample.date + difference), local: MapEdition(date: Sample.date))
    }

    static func items() throws -> [CatalogueItem] {
        let novelties: [(String, RegionNovelty)] = [
            ("Coma Pedrosa", .new), ("Andorra", .other(ages(86_400))), ("Pirineus", .same),
            ("Alt Urgell", .other(ages(-86_400))),
        ]
        return try novelties.enumerated().map { index, item in
            var region = try Sample.region(name: item.0).region
            region.id = UUID()
            if case .other(let ages) = item.1 { region.edition = ages.offered }
            let layout = try #require(ChunkLayout(size: UInt64(index + 1) * 1_000_000))
            let entry = ManifestEntry(
                name: ResourceName(kind: .mbtiles, id: region.id),
                layout: layout,
                digest: Sample.digest(UInt8(index))
            )
            let offered = OfferedRegion(region, try Manifest(id: region.id, describing: region, entries: [entry]))
            return CatalogueItem(region: offered, novelty: item.1)
        }
    }

    /// In plain text, nothing proves who offers what was picked, so each offer is a question of its own.
    @Test func whatWasPickedInPlainTextStandsForNothing() throws {
        let region = try #require(try Self.items().first?.region)
        for (peer, counts) in [(nil, false), (Sample.peerID(1), true)] as [(PeerID?, Bool)] {
            let picked = PickedOffers()
            picked.pick([region.id], of: [region], from: peer, isCompared: false, isByPerson: true)
            #expect(picked.contains(region.id, from: peer) == counts)
            #expect(picked.isByPerson(region, from: peer) == counts)
            #expect(picked.contains(region.id))
        }
    }

    @Test func theUsualPickIsWhatIsNew() throws {
        let items = try Self.items()
        let ids = items.map(\.region.id)
        #expect(CatalogueWish.usual.ids(of: items) == [ids[0], ids[1]])
        // What may bring newer items, but never an older map.
        #expect(CatalogueWish.usual.ids(of: Array(items.suffix(2))) == [ids[2]])
        #expect(CatalogueWish.usual.ids(of: Array(items.suffix(1))).isEmpty)
        #expect(CatalogueWish.all.ids(of: items) == ids)
    }

    @Test func namesSelectOneRegionEach() throws {
        let items = try Self.items()
        var missing: [String] = []
        let ids = CatalogueWish.named(["pirineus", "coma", "pir", "x", "a"]).ids(of: items) { missing.append($0) }
        #expect(ids == [items[2].region.id, items[0].region.id])
        #expect(missing == ["x", "a"])
    }

    @Test(
        arguments: [
            ("", [0, 1]), ("  ", [0, 1]), ("1 3", [0, 2]), ("3,1", [2, 0]), ("2-4", [1, 2, 3]), ("4 4", [3]),
            ("all", [0, 1, 2, 3]), ("y", [0, 1, 2, 3]), ("Pirineus", [2]), ("coma pedrosa", [0]),
        ] as [(String, [Int])]
    )
    func linesAreRead(line: String, numbers: [Int]) throws {
        let items = try Self.items()
        let usual = CatalogueWish.usual.ids(of: items)
        #expect(
            CatalogueAnswerLine(line, to: items, usual: usual) == .ids(numbers.map { items[$0].region.id })
        )
    }

    @Test(arguments: ["0", "5", "1 9", "3-1", "1-", "-", "1-2-3", "99999999999999999999", "a b", "x"])
    func otherLinesAreNoAnswer(line: String) throws {
        let answer = CatalogueAnswerLine(line, to: try Self.items(), usual: [])
        guard case .unclear = answer else {
            Issue.record("\(line) is taken for an answer")
            return
        }
    }

    @Test(arguments: ["n", "no", "none", ""]) func nothingIsPicked(line: String) throws {
        let answer = CatalogueAnswerLine(line, to: try Self.items(), usual: [])
        #expect(answer == CatalogueAnswerLine.none)
    }

    @Test func aListOfAStrangerIsHarmless() throws {
        var items = try Self.items()
        items[0].region.name = "A\u{1B}[31m\u{202E}” is yours. \u{9B}"
        let report = CatalogueReport(peer: Sample.remotePeer(), items: items, unreadableCount: 2)
        #expect(!report.text.string.contains("\u{1B}") && !report.text.string.contains("\u{202E}"))
        #expect(report.text.string.contains("2 regions of the list cannot be read."))
        let line = try #require(report.payloads.first?.line)
        #expect(!line.contains("\u{1B}") && line.contains(#""unreadable":2"#))
        #expect(line.contains(#""here":"newer""#))
    }

    /// Without a usual answer, nothing is ticked.
    @Test func inTheWindowTheUsualAnswerIsTicked() throws {
        var report = CatalogueReport(peer: Sample.remotePeer(), items: try Self.items())
        #expect(report.form.usual == "none")
        report.usual = [report.items[1].region.id]
        #expect(report.form.usual == "2")
    }

    // MARK: Who picks

    private static func withPrompt(
        _ input: String?,
        acceptsAll: Bool = false,
        wish: CatalogueWish = .usual,
        rule: KeepRule? = nil,
        output: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (CataloguePrompt) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            let terminal = try Pipe()
            if let input { terminal.write(input) }
            let console = Console(
                format: .text,
                isQuiet: true,
                screen: Screen(canAsk: input != nil, isLive: false, output: { text, _ in output(text) }),
                input: input == nil ? -1 : terminal.reader
            )
            let picked = PickedOffers()
            let offers = OfferPrompt(
                store: store,
                kinds: nil,
                routes: .all,
                wish: wish,
                rule: rule,
                picked: picked,
                acceptsAll: acceptsAll,
                console: console
            )
            try await body(
                CataloguePrompt(
                    store: store,
                    wish: wish,
                    acceptsAll: acceptsAll,
                    rule: rule,
                    picked: picked,
                    offers: offers,
                    console: console
                )
            )
        }
    }

    private static func offer(_ items: [CatalogueItem], from peer: RemotePeer) throws -> CatalogueOffer {
        CatalogueOffer(peer: peer, catalogue: try Catalogue(items.map(\.region)), pairing: nil)
    }

    private static func ids(_ answer: CatalogueAnswer) -> [UUID]? {
        switch answer {
        case .pick(let ids), .pickAndPin(let ids): ids
        case .decline: nil
        }
    }

    @Test func aPersonPicks() async throws {
        let items = try Self.items()
        try await Self.withPrompt("7\n1 3\n") { prompt in
            let answer = try await prompt.decide(try Self.offer(items, from: OfferMaker.peer()))
            #expect(Self.ids(answer) == [items[0].region.id, items[2].region.id])
            let peer = OfferMaker.peer().security.certifiedID
            #expect(prompt.picked.isByPerson(items[0].region, from: peer))
            #expect(!prompt.picked.isByPerson(items[1].region, from: peer))
            // What another sender offers, and what is not as the list said, is for a question of its own.
            #expect(!prompt.picked.isByPerson(items[0].region, from: nil))
            var other = items[0].region
            other.size += 1
            #expect(!prompt.picked.isByPerson(other, from: peer))
            other.size -= 1
            other.name = "Andorra"
            #expect(!prompt.picked.isByPerson(other, from: peer))
        }
        try await Self.withPrompt("none\n") { prompt in
            let answer = try await prompt.decide(try Self.offer(items, from: OfferMaker.peer()))
            #expect(Self.ids(answer) == nil)
            #expect(prompt.offers.refusal?.code == .declined)
        }
    }

    @Test func aPersonLearnsWhatAnswersThereAre() async throws {
        let (items, shown) = (try Self.items(), Locked(""))
        let note: @Sendable (String) -> Void = { text in shown.withLock { $0 += text } }
        try await Self.withPrompt("andora\nnone\n", output: note) { prompt in
            _ = try await prompt.decide(try Self.offer(items, from: OfferMaker.peer()))
        }
        let words = shown.value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("“andora” is none of them: type numbers (1 to 4), all, none, or a name."), "\(words)")
    }

    /// What was named is not asked for again: with digits, a person only says whether they are the same.
    @Test(arguments: [("y\n", [2, 0]), ("\n", nil), ("n\n", nil)] as [(String, [Int]?)])
    func whatIsNamedNeedsAYesAlone(typed: String, numbers: [Int]?) async throws {
        let items = try Self.items()
        try await Self.withPrompt(typed, wish: .named(["Pirineus", "Coma Pedrosa"])) { prompt in
            var offer = try Self.offer(items, from: OfferMaker.peer())
            offer.pairing = PairingDigits(digits: "012345")
            let ids = Self.ids(try await prompt.decide(offer))
            #expect(ids == numbers.map { $0.map { items[$0].region.id } })
        }
    }

    @Test func withoutATerminalOnlyKnownSendersArePickedFrom() async throws {
        let items = try Self.items()
        for (peer, isWelcome) in [
            (OfferMaker.peer(), false), (OfferMaker.peer(isTrusted: true), true), (OfferMaker.peer(byLink: true), true),
        ] {
            try await Self.withPrompt(nil) { prompt in
                let ids = Self.ids(try await prompt.decide(try Self.offer(items, from: peer)))
                #expect((ids != nil) == isWelcome)
                #expect(prompt.offers.refusal?.code == (isWelcome ? nil : .notTrusted))
            }
        }
        try await Self.withPrompt(nil, acceptsAll: true, wish: .named(["Pirineus", "x"])) { prompt in
            let ids = Self.ids(try await prompt.decide(try Self.offer(items, from: OfferMaker.peer())))
            #expect(ids == [items[2].region.id])
        }
    }

    /// What was received, or declined, is not picked again.
    @Test func afterABrokenConnectionTheRestIsPicked() async throws {
        let items = try Self.items()
        let ids = items.map(\.region.id)
        try await Self.withPrompt("all\n") { prompt in
            let offer = try Self.offer(items, from: OfferMaker.peer())
            let first = try await prompt.decide(offer)
            #expect(Self.ids(first) == ids)
            prompt.picked.received(ids[0])
            prompt.picked.declined(ids[2])
            let second = try await prompt.decide(offer)
            #expect(Self.ids(second) == [ids[1], ids[3]])
            #expect(!prompt.picked.isSettled && prompt.picked.isSettled(ids[0]) && !prompt.picked.isSettled(ids[1]))
            // What is not offered any more is given up.
            let third = try await prompt.decide(try Self.offer([items[0], items[3]], from: OfferMaker.peer()))
            #expect(Self.ids(third) == [ids[3]])
            prompt.picked.received(ids[3])
            #expect(prompt.picked.isSettled)
        }
    }

    @Test func keepingAsksNobodyAndTakesNothingOfStrangers() async throws {
        let items = try Self.items()
        for (peer, rule, count) in [
            (OfferMaker.peer(), KeepRule(takesNew: true), nil),
            (OfferMaker.peer(byLink: true), KeepRule(takesNew: true), nil),
            (OfferMaker.peer(isTrusted: true), KeepRule(takesNew: true), 4),
            (OfferMaker.peer(isTrusted: true), KeepRule(), nil),
        ] as [(RemotePeer, KeepRule, Int?)] {
            try await Self.withPrompt("all\n", rule: rule) { prompt in
                // The store is empty, so every region is new.
                let ids = Self.ids(try await prompt.decide(try Self.offer(items, from: peer)))
                #expect(ids?.count == count)
            }
        }
    }
}
