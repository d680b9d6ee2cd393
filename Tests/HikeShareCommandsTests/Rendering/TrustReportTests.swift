import FoundationEssentials
import PeerCore
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing
@testable import RegionStore

@Suite struct TrustReportTests {
    private func peer(_ name: String, _ byte: UInt8, seen: Bool = false) -> TrustedPeer {
        TrustedPeer(
            id: Sample.peerID(byte),
            name: name,
            pinnedAt: Sample.date,
            lastSeenAt: seen ? Sample.date.addingTimeInterval(3600) : nil
        )
    }

    @Test func listsThisMachineAndThoseItTrusts() throws {
        let report = PlainReport.machines(
            Sample.peerID(9),
            called: "Merry Dipper",
            trusting: [peer("Anna\u{1B}[31m", 1), peer("Bert", 2, seen: true)]
        )
        let (pinned, seen) = (Wording.time(Sample.date), Wording.time(Sample.date.addingTimeInterval(3600)))
        #expect(
            report.text.string == """
                You are Merry Dipper. To change it:  hikeshare peers name NAME
                Your id:  \(Sample.peerID(9).hex)

                NAME            ID                   TRUSTED SINCE     LAST SEEN
                Anna\\u{1b}[31m  \(Sample.peerID(1).short)  \(pinned)  never
                Bert            \(Sample.peerID(2).short)  \(pinned)  \(seen)
                """
        )
        let lines = try report.rendered(as: .json).split(separator: "\n").map { try fields($0) }
        #expect(lines.map { $0["type"] } == [.text("thisMachine"), .text("trustedPeer"), .text("trustedPeer")])
        #expect(lines[0]["id"] == .text(Sample.peerID(9).hex))
        #expect(lines[1]["id"] == .text(Sample.peerID(1).hex))
        #expect(lines[1]["lastSeenAt"] == nil)
        #expect(lines[2]["pinnedAt"] == .text("2025-06-15T15:06:40Z"))
        #expect(lines[2]["lastSeenAt"] == .text("2025-06-15T16:06:40Z"))
    }

    @Test func listsThisMachineAlone() {
        let report = PlainReport.machines(Sample.peerID(9), called: "Merry Dipper", trusting: [])
        #expect(report.text.string.hasPrefix("You are Merry Dipper."))
        #expect(report.text.string.hasSuffix("\nYour id:  \(Sample.peerID(9).hex)"))
    }

    /// Phones are not trusted for anything, so they are apart.
    @Test func listsPhones() throws {
        let phone = ConfirmedPhone(
            id: ContentDigest(hashing: [1]),
            name: "Anna's phone",
            alias: "Nice\u{7} Mango",
            confirmedAt: Sample.date,
            seenAt: Sample.date.addingTimeInterval(3600)
        )
        let report = PlainReport.machines(Sample.peerID(9), called: "Ben", trusting: [peer("Anna", 1)], phones: [phone])
        let tables = report.text.string.split(separator: "\n\n")
        #expect(tables.count == 3 && tables[1].hasPrefix("NAME ") && tables[2].hasPrefix("PHONE (LOCALSEND) "))
        #expect(tables[2].contains("Anna's phone ") && tables[2].contains("“Nice\\u{7} Mango”"))
        let alone = PlainReport.machines(Sample.peerID(9), called: "Ben", trusting: [], phones: [phone])
        #expect(!alone.text.string.contains("TRUSTED") && alone.text.string.contains("Anna's phone"))
        let lines = try alone.rendered(as: .json).split(separator: "\n").map { try fields($0) }
        #expect(lines.map { $0["type"] } == [.text("thisMachine"), .text("phone")])
        #expect(lines[1]["id"] == .text(phone.id.hex) && lines[1]["lastSeenAt"] == .text("2025-06-15T16:06:40Z"))
        #expect(PlainReport.forgotten(phone).text.string == "Forgotten: the phone Anna's phone")
    }

    @Test func tellsWhatChanged() throws {
        let anna = peer("Anna", 1)
        func text(_ report: PlainReport) -> String { report.text.string }
        #expect(text(.trusted(anna)) == "Now trusted: Anna. Next time there are no digits, and sending asks nothing.")
        #expect(text(.forgotten(anna)) == "No longer trusted: Anna")
        #expect(text(.renamed(anna, from: "Dipper\u{7}")) == "Dipper\\u{7} is now called Anna")
        let line = try fields(
            PlainReport.renamed(anna, from: "Dipper").rendered(as: .json).dropLast()
        )
        #expect(line["type"] == .text("renamed"))
        #expect(line["name"] == .text("Anna"))
        #expect(line["formerName"] == .text("Dipper"))
    }

    @Test func saysWhatIsPersonal() {
        #expect(PersonalContent().words == nil)
        #expect(
            PersonalContent(hikes: 2, comments: 1, notes: 46).words?.string
                == "Personal: 2 recorded hikes with times and places, 1 comment, 46 notes"
        )
        #expect(
            PersonalContent(hikes: 2, withheldHealthRecords: 1).words?.string
                == "Personal: 2 recorded hikes with times and places; health data of 1 hike is not sent"
        )
        #expect(
            PersonalContent(hikes: 1, healthRecords: 1).words?.string
                == "Personal: 1 recorded hike with times and places, health data of 1 hike"
        )
        #expect(PersonalContent(notes: 1).words?.string == "Personal: 1 note")
        #expect(
            PersonalContent(comments: 2, links: 1, pointTexts: 2).words?.string
                == "Personal: 2 comments, links of 1 item, names of points of 2 planned routes"
        )
    }

    @Test func saysWhatThePageLeavesOut() {
        #expect(PersonalContent().pageWords == nil)
        #expect(PersonalContent(comments: 1).pageWords?.string == "comments")
        #expect(
            PersonalContent(hikes: 1, comments: 1, links: 3, pointTexts: 1, notes: 2, photos: 4).pageWords?.string
                == "recorded hikes, comments, notes, links, names of points and photos"
        )
    }
}

@Suite struct DigitsReportTests {
    private func digits() throws -> PairingDigits {
        try #require(PairingDigits(digits: "012345"))
    }

    @Test func theSenderComparesAndAnswersInOne() throws {
        let report = InvitationQuestion(
            peer: Sample.remotePeer(name: "Bert\u{7}"),
            regionName: "Coma Pedrosa",
            personal: PersonalContent(notes: 46),
            digits: try digits()
        )
        #expect(
            report.question.string
                == "\n    0 1 2   3 4 5\n\nDoes “Bert\\u{7}” see the same digits? If not, say no: someone is in between."
                + "\nSend it to “Bert\\u{7}”?"
        )
        #expect(report.announcement.string.hasSuffix("; digits 012 345"))
        #expect(
            report.introduction(in: .seconds(60)).string.hasSuffix("\nPersonal: 46 notes\nAnswer within 60 seconds.")
        )
        #expect(try fields(report.rendered(as: .json))["digits"] == .text("012345"))
    }

    @Test func theReceiverSeesThemBefore() throws {
        let report = PlainReport.pairing(1, with: Sample.remotePeer(name: "Anna\u{1B}"), try digits())
        #expect(
            report.text.string
                == "The screen of “Anna\\u{1b}” must show the same digits:\n\n    0 1 2   3 4 5\n"
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("pairing"))
        #expect(line["digits"] == .text("012345"))
    }

    @Test func friendsAndLinksAreNamed() throws {
        var peer = Sample.remotePeer()
        peer.trust = .trusted(name: "Anna\u{7}")
        let trusted = InvitationQuestion(peer: peer, regionName: "X")
        #expect(trusted.text.string == "Anna\\u{7} (trusted) wants “X”")
        #expect(trusted.question.string == "Send it to Anna\\u{7}?")
        let forgotten = InvitationQuestion(peer: peer, regionName: "X", digits: try digits())
        #expect(forgotten.text.string.hasSuffix("does not know this laptop any more, so compare digits again"))
        peer.trust = .impostor(name: "Anna")
        peer.isAdmittedByShareLink = true
        #expect(
            InvitationQuestion(peer: peer, regionName: "X").text.string.hasPrefix(
                "“Brave Marmot” (by the share link, NOT your trusted “Anna”: \(Sample.peerID().short)) wants"
            )
        )
        peer.trust = .unknown
        #expect(
            InvitationQuestion(peer: peer, regionName: "X").text.string
                == "“Brave Marmot” (by the share link) wants “X”"
        )
    }

    @Test func anIDThatNothingProvesIsNoFriends() {
        var peer = Sample.remotePeer(isEncrypted: false)
        peer.trust = .trusted(name: "Anna")
        #expect(!peer.isTrusted)
        #expect(!InvitationQuestion(peer: peer, regionName: "X").text.string.contains("trusted"))
    }
}
