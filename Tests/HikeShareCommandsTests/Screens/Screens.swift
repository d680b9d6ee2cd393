import Foundation
import RegionSharing
import Sentences
import SharingTestSupport

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore
@testable import SharingReports

/// The screens that the tests compare with files, each as the messages in the order in which the program writes them.
enum Screens {
    /// The identity of the sender, which is different in each run.
    static let identity = try? PeerIdentity.generate(for: .hikeshare)

    static let name = "Anna"
    static let digits = PairingDigits(digits: "230742")
    static let personal = PersonalContent(hikes: 1, comments: 1)

    static func region() throws -> RegionSummary { try Sample.region(photos: 3) }

    static func offer(_ entries: [(ResourceKind, UInt64)] = parts) throws -> OfferFacts {
        var region = try region().region
        region.outlines = try Sample.outlines()
        let entries = entries.compactMap { kind, size in
            ChunkLayout(size: size).map {
                ManifestEntry(name: ResourceName(kind: kind, id: region.id), layout: $0, digest: Sample.digest(7))
            }
        }
        return OfferFacts(
            peer: Sample.remotePeer(name: name),
            region: region,
            entries: entries,
            wanted: Set(entries.map(\.kind)),
            digits: digits
        )
    }

    /// An estimate by which the waypoints are here and so many bytes of the map have to be transferred.
    static func estimate(_ report: OfferFacts, map: UInt64, isLimit: Bool = false) throws -> TransferEstimate {
        let manifest = try Manifest(id: report.region.id, describing: report.region, entries: report.entries)
        var estimate = TransferEstimate(manifest)
        estimate.set(0, of: .waypoints, isLimit: false)
        estimate.set(map, of: .mbtiles, isLimit: isLimit)
        return estimate
    }

    static let parts: [(ResourceKind, UInt64)] = [
        (.mbtiles, 2_613_248), (.routing, 98_304), (.savedroutes, 27_000), (.plannedroutes, 28_000),
        (.waypoints, 10_000), (.photos, 300_000),
    ]

    static func kept() throws -> KeptFiles {
        KeptFiles(files: [
            IncomingFile(
                digest: Sample.digest(7),
                regionID: try Sample.uuid(),
                regionName: "Coma Pedrosa",
                kind: .mbtiles,
                size: 2_613_248,
                byteCount: 1_200_000,
                lastArrival: Sample.date,
                isArriving: false
            )
        ])
    }

    static func finished(_ result: Result<TransferReceipt, any Error>) -> SentFacts {
        SentFacts(
            finished: TransferSender.Finished(
                transfer: 1,
                peer: Sample.remotePeer(name: "Ben"),
                result: result,
                bytesTransferred: 1_200_000,
                bytesSaved: 0,
                unknownKinds: []
            ),
            decision: .accepted(Sample.date)
        )
    }

    static let lost = ended(.connectionLost)

    static func ended(_ end: Conversation.End) -> any Error {
        PeerError(end) ?? CancellationError()
    }

    static func trusted(_ name: String) -> DisplayText {
        let peer = TrustedPeer(id: Sample.peerID(), name: name, pinnedAt: Sample.date)
        return PlainReport.trusted(peer).text
    }

    // MARK: Sending

    static func send(_ console: Console) throws {
        guard let facts = try listening() else { return }
        console.emit(ListeningReport(facts: facts))
        console.note("Ctrl-C stops.")
    }

    /// The code of the share link beside the text, in a window that has room for both.
    static func sendCode(_ console: Console) throws {
        guard let facts = try listening(), let link = facts.link, let code = QRCode(link.text) else { return }
        let sheet = QRCodeSheet(code)
        guard sheet.sizeWithText.columns <= console.columns else { return }
        console.emit(ListeningReport(facts: facts, code: sheet, columns: console.columns))
    }

    static func listening() throws -> ListeningFacts? {
        guard let identity else { return nil }
        let local = LocalPeer(
            application: .hikeshare,
            identity: identity,
            displayName: name,
            software: Software.description
        )
        guard let token = ShareToken(text: "000G40R40M30E209") else { return nil }
        let link = try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "10.77.0.1", port: 36081)],
            id: OfferMaker.peer().id,
            token: token
        )
        return ListeningFacts(
            local: local,
            port: 36081,
            addresses: ["10.77.0.1:36081", "[fe80::1c2b:3ff:fe4d:5e6f%wlp3s0]:36081"],
            link: link,
            offers: [(region: try Sample.region(), size: 2_775_000)],
            encryption: .required,
            isAdvertised: true,
            personal: personal
        )
    }

    static func sendAsks(_ console: Console) throws {
        let report = InvitationQuestion(
            peer: Sample.remotePeer(name: "Ben"),
            regionName: "Coma Pedrosa",
            personal: personal,
            digits: digits
        )
        console.tell(report.introduction(in: .seconds(60)))
        console.setQuestion("\(report.question) [y/N] ")
    }

    static func sendProgress(_ console: Console) {
        var transfers = RunningTransfers(isReceiver: false)
        transfers.running = [1: Sample.progress(1_250_000)]
        console.show(transfers.line(width: console.columns - 1))
        console.note("Sending to one receiver:")
        transfers.running = [1: Sample.progress(1_250_000), 2: Sample.progress(2_500_000), 3: Sample.progress(0)]
        console.show(transfers.line(width: console.columns - 1))
        console.note("Sending in turn:")
        transfers.queued = queued
        console.show(transfers.line(width: console.columns - 1))
    }

    /// Three receivers of one link, the second one of which is served.
    private static let queued = [
        1: QueuedReceiver(name: "“Ben”", turn: TransferTurn(place: 2, count: 3, timeLeft: .seconds(40))),
        2: QueuedReceiver(name: "“Eva”", turn: TransferTurn(place: 1, count: 3, timeLeft: .seconds(2))),
        3: QueuedReceiver(name: "“Carla”", turn: TransferTurn(place: 3, count: 3, timeLeft: .seconds(123))),
    ]

    static func sendReports(_ console: Console) {
        let all = TransferReceipt(imported: [
            "mbtiles": 1, "routing": 1, "savedroutes": 1, "plannedroutes": 1, "waypoints": 46, "photos": 3,
        ])
        console.note(trusted("Ben"))
        console.emit(finished(.success(all)))
        console.emit(finished(.success(TransferReceipt(imported: ["waypoints": 2], keptLocal: ["waypoints": 4]))))
        console.emit(finished(.success(TransferReceipt())))
        var declined = finished(.failure(ended(.declined(Refusal(.declined, "the person there said no.")))))
        declined.decision = .declined(.byPerson)
        console.emit(declined)
        console.emit(finished(.failure(ended(.declinedByPeer(Refusal(.declined, "the person there said no."))))))
        console.emit(finished(.failure(ended(.cancelledByPeer(Cancellation(reason: "it was interrupted."))))))
        console.emit(finished(.failure(PeerError.outcomeUnknown(lost))))
    }

    static func sendConnectionLost(_ console: Console) {
        console.emit(finished(.failure(lost)))
    }

    // MARK: Receiving

    static func receiveWaits(_ console: Console) {
        console.show("Searching for senders…")
        console.note(
            SenderSearch().advice(
                others: [],
                hints: CommandError.whatToCheck.map(\.typed),
                stopping: Console.stopping
            )
        )
        console.note(
            SenderSearch(query: "Anna").advice(
                others: [Sample.discovered("Cara", 1).line(among: [])],
                stopping: Console.stopping
            )
        )
    }

    static func receiveFinds(_ console: Console) throws {
        let start = ContinuousClock.now
        let friend = TrustedPeer(id: Sample.peerID(2), name: "Cara", pinnedAt: Sample.date)
        var choice = PeerPickerStateMachine(SenderSearch(trustedPeers: [friend]), asks: true, now: start)
        for (number, name) in ["Ben", "Cara"].enumerated() {
            _ = choice.received(.found(.found(Sample.discovered(name, UInt8(number + 1)))), at: start)
        }
        _ = choice.received(.tick, at: start + .seconds(2))
        guard case .ask(let list) = choice.received(.answer(.words("3")), at: start + .seconds(3)) else { return }
        console.tell(list.introduction)
        console.setQuestion(list.question)
    }

    static func receiveDigits(_ console: Console) throws {
        guard let digits else { return }
        let peer = Sample.remotePeer(name: name)
        let digitsAbove = PlainReport.pairing(1, with: peer, digits).text
        console.show("\(digitsAbove)\nWaiting 60 s at most for \(peer.title) to say yes…")
    }

    static func receiveOffer(_ console: Console) throws {
        let report = try offer()
        console.tell(console.introduction(of: report))
        console.setQuestion(report.question)
    }

    /// Who has imported the map: a trusted machine, a stranger, one with the name of a friend, and the own one.
    static func signed(_ console: Console) throws {
        guard let key = try? PeerIdentity.known(by: "Cara", for: .hikeshare),
            let signature = try MapSignature(of: Sample.digest(7), as: "Cara", at: Sample.date, { try key.sign($0) })
        else { return }
        var report = try offer([(.mbtiles, 2_613_248), (.waypoints, 10_000)])
        report.digits = nil
        report.peer.trust = .trusted(name: "Anna")
        for acquaintance in [.trusted(name: "Cara"), .unknown, .impostor(name: "Cara"), .own] as [MapMaker.Acquaintance]
        {
            report.maker = MapMaker(signature: signature, acquaintance: acquaintance)
            console.emit(report)
        }
        let maker = MapMaker(signature: signature, acquaintance: .unknown)
        console.emit(.details(of: try region(), maker: maker))
        console.note(MapSigning.words(name))
    }

    /// A part of a map, as the sender and the receiver see it, and as the store has it.
    static func part(_ console: Console) throws {
        let cut = CutDescription(
            names: ["Pic de Coma Pedrosa", "Estany Negre"],
            distance: 2000,
            maximumZoom: 14,
            wholeTileCount: 5878,
            wholeSize: 69_000_000
        )
        if var sending = try listening() {
            sending.offers[0].region.cut = cut
            sending.link = nil
            console.emit(ListeningReport(facts: sending))
        }
        var report = try offer([(.mbtiles, 2_613_248), (.routing, 98_304), (.waypoints, 10_000)])
        report.region.cut = cut
        report.digits = nil
        report.peer.trust = .trusted(name: "Anna")
        console.emit(report)
        report.local = try region()
        console.emit(report)
        var region = try region()
        region.cut = cut
        console.emit(.regions([region]))
        console.emit(.details(of: region))
        var invitation = InvitationQuestion(peer: Sample.remotePeer(name: "Ben"), regionName: "Coma Pedrosa")
        invitation.part = cut
        console.tell(invitation.text)
        var whole = try offer([(.mbtiles, 2_613_248)])
        whole.asksForPart = true
        console.emit(whole)
    }

    static func receiveReplaces(_ console: Console) throws {
        var report = try offer([(.mbtiles, 2_613_248), (.waypoints, 10_000)])
        report.peer.trust = .trusted(name: "Anna")
        report.digits = nil
        report.local = try region()
        report.edits = [
            try edit("Cabane des Fonts (closed!)", local: "Fonts hut", replaces: true),
            try edit("Spring", local: "Dry spring", replaces: false),
            try edit("Parking", local: "Parking", replaces: true),
            try edit(nil, local: "Surf", replaces: false),
        ]
        let compared = try estimate(report, map: 204_800)
        report.estimate = compared
        report.changedRoutes = ChangedRoutes(names: [name, "Estany Negre", "Pic", "Portella"], tileCount: 3)
        var difference = MapDifference(tileCount: report.region.tileCount)
        difference.changed = .init(numbers: changes(in: report.region.boundingBox))
        difference.gone = .init(numbers: 1_398_101..<1_398_113)
        report.change = MapChange(difference: difference)
        console.tell(console.introduction(of: report))
        report.change = nil
        report.estimate = try estimate(report, map: 1_310_720, isLimit: true)
        console.tell(console.introduction(of: report))
        report.local?.boundingBox = try Sample.elsewhere()
        report.peer = Sample.remotePeer(name: name, isEncrypted: false)
        console.tell(console.introduction(of: report))
        console.setQuestion(report.question)
    }

    /// Some tiles of zoom level 16 in the middle of an area.
    private static func changes(in area: BoundingBox) -> [UInt64] {
        let grid = TileGrid(zoomLevel: 16)
        let middle = Coordinate(
            latitude: (area.north + area.south) / 2,
            longitude: (area.east + area.west) / 2
        )
        guard let tile = middle.flatMap(grid.tile) else { return [] }
        let addresses = (0..<4).compactMap {
            TileAddress(zoomLevel: 16, column: tile.column + $0, row: tile.row + $0 / 2)
        }
        return addresses.map { RowNumber($0).value }
    }

    private static func edit(_ name: String?, local: String, replaces: Bool) throws -> OfferedEdit {
        let edit = ItemEdit(of: .waypoints, try Sample.uuid(), named: name, at: .now)
        return OfferedEdit(edit: edit, localName: local, replaces: replaces)
    }

    static func receiveProgress(_ console: Console) {
        var transfers = RunningTransfers(isReceiver: true)
        transfers.running = [1: Sample.progress(1_250_000)]
        console.show(transfers.line(width: console.columns - 1))
    }

    static func receiveTurn(_ console: Console) {
        var transfers = RunningTransfers(isReceiver: true)
        let turn = TransferTurn(place: 3, count: 3, timeLeft: .seconds(123))
        transfers.queued = [1: QueuedReceiver(name: "", turn: turn)]
        console.show(transfers.line(width: console.columns - 1))
        console.note("Before the first byte:")
        transfers.running = [1: Sample.progress(125_000)]
        console.show(transfers.line(width: console.columns - 1))
    }

    static func receiveReport(_ console: Console) throws {
        let receipt = TransferReceipt(
            imported: ["mbtiles": 1, "routing": 1, "savedroutes": 1, "plannedroutes": 1, "waypoints": 44],
            keptLocal: ["waypoints": 2],
            changes: [
                ItemChange(.kept, of: .waypoints, named: "Cabane des Fonts (closed!)", localName: "Fonts hut"),
                ItemChange(.kept, of: .waypoints, named: "Spring", localName: "Dry spring"),
                ItemChange(.removedBySender, of: .waypoints, named: "Surf"),
            ]
        )
        guard let place = Coordinate(latitude: 42.59, longitude: 1.44) else { return }
        var report = ReceivedRegion(
            regionID: try Sample.uuid(),
            regionName: "Coma Pedrosa",
            result: TransferReceiver.Result(
                peer: Sample.remotePeer(),
                receipt: receipt,
                bytesTransferred: 1_200_000,
                bytesSaved: 1_600_000
            )
        )
        report.nameThere = "Pedrosa Peak"
        report.removable = ItemDescription(
            kind: .waypoint,
            id: try Sample.uuid(),
            number: 12,
            name: "Surf",
            coordinate: place,
            distance: nil
        )
        console.note(trusted(name))
        console.emit(report)
        console.note(report.nextSteps)
    }

    static func receiveConnectionLost(_ console: Console) throws {
        let silent = PeerError(
            .cannotConnect,
            "The other machine does not answer: 10.77.0.1:36081 (no route to the machine)."
        )
        for (attempt, error) in [lost, silent].enumerated() {
            console.note(
                Reconnection(attempt: attempt + 1, maximumAttempts: 10, delay: .seconds(5), error: error).text
            )
        }
        let incomplete = IncompleteReception(underlying: lost, kept: try kept())
        console.warn(ProblemReport(incomplete))
    }

    static func receiveInterrupted(_ console: Console) throws {
        let error = CommandError(.interrupted, "Interrupted; the region is not complete.")
        console.warn(ProblemReport(IncompleteReception(underlying: error, kept: try kept())))
        console.warn(ProblemReport(CommandError(.interrupted, "Interrupted; no region was received.")))
    }
}
