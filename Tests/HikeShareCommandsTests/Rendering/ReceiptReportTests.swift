import FoundationEssentials
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

@Suite struct ReceiptReportTests {
    @Test func tellsWhatWasReceived() throws {
        let receipt = TransferReceipt(imported: ["mbtiles": 1, "waypoints": 44], keptLocal: ["waypoints": 2])
        let result = TransferReceiver.Result(
            peer: Sample.remotePeer(),
            receipt: receipt,
            bytesTransferred: 1_200_000,
            bytesSaved: 98_000_000
        )
        let report = ReceivedRegion(regionID: try Sample.uuid(), regionName: "Coma Pedrosa", result: result)
        #expect(
            report.text.string
                == """
                Received Coma Pedrosa from “Brave Marmot”: map, 44 waypoints
                1.2 MB transferred; 98.0 MB already here
                Kept your versions: 2 waypoints
                """
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("received"))
        #expect(line["imported"] == .object(["mbtiles": .number(1), "waypoints": .number(44)]))
        #expect(line["bytes"] == .number(1_200_000))
        #expect(line["bytesSaved"] == .number(98_000_000))
    }

    @Test(
        arguments: [
            ("Coma Pedrosa", true, "Coma Pedrosa"), ("Coma Pedrosa", false, "52C93677"),
            ("Val d'Isère (2026)", true, #""Val d'Isère (2026)""#), ("$(reboot)", true, "52C93677"),
            ("--all", true, "52C93677"), ("\u{1B}[2J", true, "52C93677"),
        ]
    )
    func saysWhatToTypeNext(name: String, isOnly: Bool, word: String) throws {
        let result = TransferReceiver.Result(peer: nil, receipt: TransferReceipt(), bytesTransferred: 0, bytesSaved: 0)
        var report = ReceivedRegion(regionID: try Sample.uuid(), regionName: name, result: result)
        report.isOnlyOfName = isOnly
        #expect(
            report.nextSteps.string == """
                See it:  hikeshare map \(word)
                Files:   hikeshare export \(word) --to FOLDER
                """
        )
    }

    @Test func tellsThatNothingWasNew() throws {
        let result = TransferReceiver.Result(
            peer: nil,
            receipt: TransferReceipt(),
            bytesTransferred: 0,
            bytesSaved: 100
        )
        let report = ReceivedRegion(regionID: try Sample.uuid(), regionName: "Coma Pedrosa", result: result)
        #expect(report.text.string == "Nothing new in Coma Pedrosa: this machine already has everything")
    }

    @Test func tellsThatWhatCameWasNotTakenOver() throws {
        let receipt = TransferReceipt(keptLocal: ["savedroutes": 1, "waypoints": 2])
        let result = TransferReceiver.Result(peer: nil, receipt: receipt, bytesTransferred: 0, bytesSaved: 100)
        var report = ReceivedRegion(regionID: try Sample.uuid(), regionName: "Mine", result: result)
        report.nameThere = "Theirs”\u{1B}"
        #expect(
            report.text.string
                == """
                Nothing from Mine was imported
                Kept your versions: 1 recorded hike, 2 waypoints
                Kept your name for the region; the sender calls it “Theirs'\\u{1b}”
                """
        )
        #expect(try fields(report.rendered(as: .json))["nameThere"] == .text("Theirs”\u{1B}"))
        let sent = SentFacts(
            finished: finished(Sample.remotePeer(), .success(receipt)),
            decision: .accepted(Sample.date)
        )
        #expect(sent.text.string.hasSuffix(" imported nothing; kept its own: 1 recorded hike, 2 waypoints"))

        var transfer = finished(Sample.remotePeer(), .success(receipt))
        transfer.unknownKinds = [.photos]
        let old = SentFacts(finished: transfer, decision: .accepted(Sample.date))
        #expect(old.text.string.hasSuffix("2 waypoints\nThe receiver's version is too old for: photos"))
    }

    /// Whoever wrote “closed!” must not find that only a number of items was kept.
    @Test func namesWhatWasChangedAndKept() throws {
        var kept = ItemChange(.kept, of: .waypoints, named: "Cabane des Fonts (closed!)", localName: "Fonts hut")
        var changed = ItemChange(.replaced, of: .waypoints, named: "Spring")
        changed.setNotes("dry in August", local: "")
        var hidden = ItemChange(.replaced, of: .waypoints, named: "", localName: "Old name")
        hidden.name = "\u{1B}[2J"
        let new = (1...7).map { ItemChange(.added, of: .waypoints, named: "Hut \($0)") }
        let removed = ItemChange(.staysRemoved, of: .savedroutes, named: "Surf")
        let unknown = ItemChange(.init(rawValue: "melted"), of: .savedroutes, named: "Snow")
        var receipt = TransferReceipt(imported: ["waypoints": 9], keptLocal: ["waypoints": 1, "savedroutes": 1])
        receipt.changes = [kept, changed, hidden, removed, unknown] + new
        #expect(
            ReceiptWords.changes(receipt, isReceiver: true).map(\.string) == [
                "  Kept yours: “Fonts hut”, theirs “Cabane des Fonts (closed!)”",
                "  Changed: “Spring”: “dry in August”, was no note",
                "  Changed: “\\u{1b}[2J”, was “Old name”",
                "  New: “Hut 1”, “Hut 2”, “Hut 3”, “Hut 4”, “Hut 5” and 2 more",
                "  Stays removed: “Surf”",
            ]
        )
        kept.setNotes("", local: "")
        receipt.changes = [kept]
        let sent = SentFacts(
            finished: finished(Sample.remotePeer(), .success(receipt)),
            decision: .accepted(Sample.date)
        )
        #expect(sent.text.string.hasSuffix("\n  Kept theirs: “Fonts hut”, yours “Cabane des Fonts (closed!)”"))
    }

    @Test func ignoresKindsInAReceiptThatAreNotKnown() {
        let receipt = TransferReceipt(imported: ["evil\u{1B}": 7, "waypoints": -3, "savedroutes": 1])
        #expect(ReceiptWords.imported(receipt) == "1 recorded hike")
        let map = TransferReceipt(imported: ["mbtiles": 1, "waypoints": 2])
        #expect(ReceiptWords.imported(map, isPart: true) == "a part of the map, 2 waypoints")
    }

    @Test func tellsASenderWhatHappenedOnTheOtherSide() throws {
        let peer = Sample.remotePeer()
        let receipt = TransferReceipt(imported: ["mbtiles": 1], keptLocal: ["waypoints": 1])
        let sent = SentFacts(finished: finished(peer, .success(receipt)), decision: .accepted(Sample.date))
        #expect(
            sent.text.string
                == "“Brave Marmot” (new) has received: map; kept its own: 1 waypoint"
        )
        #expect(try fields(sent.rendered(as: .json))["type"] == .text("sent"))
        #expect(try fields(sent.rendered(as: .json))["bytesSaved"] == .number(7))

        let lost = PeerError(.connectionLost, "The connection was lost.", remedy: "Move closer.")
        let failed = SentFacts(finished: finished(peer, .failure(lost)), decision: .accepted(Sample.date))
        #expect(
            failed.text.string
                == "The connection to “Brave Marmot” (new) was lost. "
                + "Leave this running: the transfer resumes when that machine is back."
        )
        // Nothing resumes before the receiver has accepted the offer.
        var early = finished(peer, .failure(lost))
        early.bytesTransferred = 0
        #expect(
            SentFacts(finished: early, decision: .accepted(Sample.date)).text.string
                == "Not sent to “Brave Marmot” (new): The connection was lost."
        )
        let line = try fields(failed.rendered(as: .json))
        #expect(line["type"] == .text("notSent"))
        #expect(line["code"] == .text("connectionLost"))
        #expect(line["remedy"] == .text("Move closer."))

        let refusal = PeerError(.declined, "the person there said no.")
        let refused = SentFacts(finished: finished(peer, .failure(refusal)), decision: .declined(.byPerson))
        #expect(refused.text.string.hasSuffix("you declined"))
        #expect(try fields(refused.rendered(as: .json))["code"] == .text("declined"))
        // Whom nobody was asked about, nobody has declined.
        for why in [SentFacts.Decline.nobodyToAsk, .notNow, .otherQuestions] {
            let unasked = SentFacts(finished: finished(peer, .failure(refusal)), decision: .declined(why))
            let line = try fields(unasked.rendered(as: .json))
            #expect(!unasked.text.string.contains("declined"), "\(unasked.text.string)")
            #expect(line["code"] == .text(why == .otherQuestions ? "timedOut" : "noTerminal"))
            #expect(line["message"].map { "\($0)".contains("said no") } == false)
        }

        let stranger = SentFacts(finished: finished(nil, .failure(lost)), decision: nil)
        #expect(stranger.text.string.hasPrefix("Not sent to an unidentified machine"))
        let foreign = PeerError(.protocolViolation, "No.", cause: ProtocolError(.notHikeshare, "No."))
        let browser = SentFacts(finished: finished(nil, .failure(foreign)), decision: nil)
        #expect(browser.text.string.hasPrefix("Not sent to a machine that uses another protocol"))
    }

    private func finished(
        _ peer: RemotePeer?,
        _ result: Result<TransferReceipt, any Error>,
        unknownKinds: [ResourceKind] = []
    ) -> TransferSender.Finished {
        TransferSender.Finished(
            transfer: 1,
            peer: peer,
            result: result,
            bytesTransferred: 5,
            bytesSaved: 7,
            unknownKinds: unknownKinds
        )
    }
}
