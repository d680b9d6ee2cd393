import FoundationEssentials
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

@Suite struct SharingReportTests {
    @Test func showsWhereASenderIs() throws {
        let identity = try PeerIdentity.generate(for: .hikeshare)
        let local = LocalPeer(
            application: .hikeshare,
            identity: identity,
            displayName: "Brave Marmot",
            software: Software.description
        )
        let report = ListeningReport(
            local: local,
            port: 4711,
            addresses: ["192.168.1.7:4711", "[fe80::1%eth0]:4711"],
            regionID: "52C93677",
            regionName: "Coma\nPedrosa",
            size: 2_775_000,
            encryption: .required,
            isAdvertised: true
        )
        #expect(
            report.text.string == """
                Sending Coma\\u{a}Pedrosa, 2.8 MB, as Brave Marmot (\(identity.id.short))
                On the other machine:  hikeshare receive
                or, by address:        hikeshare receive --connect 192.168.1.7:4711
                                                         --connect '[fe80::1%eth0]:4711'
                (the name after % is an interface of this machine; use the name of the interface on the other machine)
                """
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("listening"))
        #expect(line["peerID"] == .text(identity.id.hex))
        #expect(line["port"] == .number(4711))
        #expect(line["addresses"] == .list([.text("192.168.1.7:4711"), .text("[fe80::1%eth0]:4711")]))
    }

    @Test func showsTheLinkAndWhatIsPersonal() throws {
        let local = LocalPeer(
            application: .hikeshare,
            identity: try .generate(for: .hikeshare),
            displayName: "Brave Marmot",
            software: Software.description
        )
        let link = try PeerLink(
            addresses: [PeerAddress(host: "192.168.1.7", port: 4711)],
            id: local.id,
            token: try #require(LinkToken(text: "AAECAwQFBgcICQoLDA0ODw"))
        )
        let report = ListeningReport(
            local: local,
            port: 4711,
            addresses: ["192.168.1.7:4711"],
            regionID: "52C93677",
            regionName: "Coma\nPedrosa",
            size: 2_775_000,
            encryption: .required,
            isAdvertised: false,
            personal: PersonalContent(hikes: 1, comments: 1),
            link: link
        )
        #expect(
            report.text.string == """
                Sending Coma\\u{a}Pedrosa, 2.8 MB, as Brave Marmot (\(local.id.short))
                Personal: 1 recorded hike with times and places, 1 comment; heart rates and calories are not sent
                On the other machine:  hikeshare receive --connect 192.168.1.7:4711
                or, with the link:     hikeshare receive -
                hikeshare://192.168.1.7:4711/\(local.id.hex)#AAECAwQFBgcICQoLDA0ODw
                Anyone with the link can receive Coma\\u{a}Pedrosa without further questions, until you stop.
                """
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["link"] == .text(link.text))
        #expect(
            line["personal"]
                == .object([
                    "hikes": .number(1), "comments": .number(1), "notes": .number(0), "healthRecords": .number(0),
                    "photos": .number(0),
                ])
        )
    }

    @Test func saysLoudlyWhatIsNotEncrypted() throws {
        let plain = Sample.remotePeer(isEncrypted: false)
        let invitation = InvitationReport(peer: plain, regionName: "Coma Pedrosa")
        #expect(invitation.text.string.contains("NOT ENCRYPTED"))
        #expect(invitation.text.string.contains("claims to be"))
        let encrypted = InvitationReport(peer: Sample.remotePeer(), regionName: "Coma Pedrosa")
        #expect(
            encrypted.text.string
                == "“Brave Marmot” (\(Sample.peerID().short)) at 192.168.1.7:4711 asks for “Coma Pedrosa”; encrypted"
        )
    }

    @Test func asksAboutAPeerByName() {
        let long = String(repeating: "x", count: 63) + "\n"
        let report = InvitationReport(peer: Sample.remotePeer(name: long), regionName: "Coma Pedrosa")
        #expect(
            report.question.string == "Send it to “\(String(repeating: "x", count: 23))…” (\(Sample.peerID().short))?"
        )
    }

    @Test func showsAnOfferBeforeAnythingIsWritten() throws {
        let report = try offer(peer: Sample.remotePeer(name: "Evil\u{1B}]0;x\u{7}"), wanted: [.mbtiles, .waypoints])
        #expect(
            report.text.string == """
                “Evil\\u{1b}]0;x\\u{7}” (\(Sample.peerID().short)) at 192.168.1.7:4711 offers “Coma Pedrosa”; encrypted
                  Area      9.2 × 6.8 km, 42.5560° to 42.6175° N, 1.4130° to 1.5255° E
                  Map       zooms 12-15, 120 tiles
                  Parts     map 2.6 MB, waypoints 10 kB
                  Left out  routing 98 kB
                  Total     2.6 MB
                """
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("offer"))
        #expect(line["size"] == .number(2_623_248))
        guard case .list(let resources) = line["resources"] else { return #expect(Bool(false), "no resources") }
        #expect(
            resources.contains(
                .object(["kind": .text("routing"), "size": .number(98_304), "wanted": .bool(false)])
            )
        )
    }

    @Test func aNameCannotPassForWhatIsSaidAboutIt() throws {
        let name = "Ana” (3f9a-12cd-07be-55a1) at 10.0.0.7:4711, encrypted, trusted"
        let report = try offer(peer: Sample.remotePeer(name: name, isEncrypted: false), wanted: [.mbtiles])
        let first = try #require(report.text.string.split(separator: "\n").first)
        #expect(first.hasPrefix("“Ana' (3f9a-12cd-07be-55a1) at 10.0.0.7:…” (claims to be \(Sample.peerID().short))"))
        let blanks = "Tirol; encrypted" + String(repeating: " ", count: 900) + "x"
        let invitation = InvitationReport(peer: Sample.remotePeer(isEncrypted: false), regionName: blanks)
        #expect(invitation.text.string.contains("asks for “Tirol; encrypted x”; NOT ENCRYPTED"))
    }

    @Test func whatWouldBeReplacedIsSaid() throws {
        var report = try offer(peer: Sample.remotePeer(), wanted: [.mbtiles])
        report.local = try Sample.region(name: "Mine")
        #expect(report.text.string.contains("  Here      “Mine”; its map will be replaced"))
        #expect(!report.replacesAnotherPlace)
        #expect(report.replacedFiles == [.mbtiles])
        // Routing that came with the old map does not fit the new one; if the sender has one, it was not wanted.
        report.entries.removeAll { $0.kind == .routing }
        #expect(report.replacedFiles == [.mbtiles, .routing])
        #expect(report.text.string.contains("“Mine”; its map and routing will be replaced"))
        #expect(try fields(report.rendered(as: .json))["replaces"] == .text("Mine"))

        report.local?.boundingBox = try #require(BoundingBox(north: 1, south: 0, east: 1, west: 0))
        #expect(report.replacesAnotherPlace)
        #expect(report.text.string.contains("“Mine”, A DIFFERENT AREA, 0.0000° to 1.0000° N"))

        report.local?.mapDigest = Sample.digest(3)
        #expect(!report.replacesAnotherPlace)
        #expect(report.text.string.contains("“Mine” is already here; its map and routing stay"))

        report.local?.mapDigest = Sample.digest(1)
        report.wanted = [.waypoints]
        #expect(!report.replacesAnotherPlace)

        var routing = try offer(peer: Sample.remotePeer(), wanted: [.routing])
        routing.local = try Sample.region(name: "Mine")
        #expect(routing.replacedFiles == [.routing])
        #expect(routing.text.string.contains("“Mine”; its routing will be replaced"))
        routing.local?.routingDigest = nil
        #expect(routing.replacedFiles.isEmpty)
    }

    @Test(arguments: ["”", "\"", "”\u{FE0E}", "\u{201F}", "»", "❞", "″", "\u{FF02}", "”\u{301}"])
    func aNameCannotEndItsQuotationMarks(mark: String) throws {
        let name = DisplayText(quoting: "Anna\(mark) (3f9a-12cd-07be-55a1), trusted").string
        #expect(name.unicodeScalars.starts(with: "“Anna'".unicodeScalars) && name.hasSuffix("”"))
        #expect(name.unicodeScalars.count { $0.properties.isQuotationMark && $0 != "'" } == 2, "\(name)")
    }

    @Test func tellsWhatWasReceived() throws {
        let receipt = TransferReceipt(imported: ["mbtiles": 1, "waypoints": 44], keptLocal: ["waypoints": 2])
        let result = TransferReceiver.Result(
            peer: Sample.remotePeer(),
            receipt: receipt,
            bytesTransferred: 1_200_000,
            bytesSaved: 98_000_000
        )
        let report = ReceivedReport(regionID: try Sample.uuid(), regionName: "Coma Pedrosa", result: result)
        #expect(
            report.text.string
                == """
                Received Coma Pedrosa: map, 44 waypoints
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

    @Test func tellsThatNothingWasNew() throws {
        let result = TransferReceiver.Result(
            peer: nil,
            receipt: TransferReceipt(),
            bytesTransferred: 0,
            bytesSaved: 100
        )
        let report = ReceivedReport(regionID: try Sample.uuid(), regionName: "Coma Pedrosa", result: result)
        #expect(report.text.string == "Nothing new in Coma Pedrosa: this machine already has everything")
    }

    @Test func tellsThatWhatCameWasNotTakenOver() throws {
        let receipt = TransferReceipt(keptLocal: ["savedroutes": 1, "waypoints": 2])
        let result = TransferReceiver.Result(peer: nil, receipt: receipt, bytesTransferred: 0, bytesSaved: 100)
        let report = ReceivedReport(
            regionID: try Sample.uuid(),
            regionName: "Mine",
            nameThere: "Theirs”\u{1B}",
            result: result
        )
        #expect(
            report.text.string
                == """
                Nothing from Mine was imported
                Kept your versions: 1 recorded hike, 2 waypoints
                Kept your name for it; the sender calls it “Theirs'\\u{1b}”
                """
        )
        #expect(try fields(report.rendered(as: .json))["nameThere"] == .text("Theirs”\u{1B}"))
        let sent = SentReport(finished: finished(Sample.remotePeer(), .success(receipt)), wasAccepted: true)
        #expect(sent.text.string.hasSuffix(" imported nothing; kept its own: 1 recorded hike, 2 waypoints"))

        var session = finished(Sample.remotePeer(), .success(receipt))
        session.unknownKinds = [.photos]
        let old = SentReport(finished: session, wasAccepted: true)
        #expect(old.text.string.hasSuffix("2 waypoints\nThe receiver's version is too old for: photos"))
    }

    @Test func ignoresKindsInAReceiptThatAreNotKnown() {
        let receipt = TransferReceipt(imported: ["evil\u{1B}": 7, "waypoints": -3, "savedroutes": 1])
        #expect(ReceiptWords.imported(receipt) == "1 recorded hike")
    }

    @Test func tellsASenderWhatHappenedOnTheOtherSide() throws {
        let peer = Sample.remotePeer()
        let receipt = TransferReceipt(imported: ["mbtiles": 1], keptLocal: ["waypoints": 1])
        let sent = SentReport(finished: finished(peer, .success(receipt)), wasAccepted: true)
        #expect(
            sent.text.string
                == "“Brave Marmot” (\(Sample.peerID().short)) has received: map; kept its own: 1 waypoint"
        )
        #expect(try fields(sent.rendered(as: .json))["type"] == .text("sent"))
        #expect(try fields(sent.rendered(as: .json))["bytesSaved"] == .number(7))

        let lost = PeerError(.connectionLost, "The connection was lost.", remedy: "Move closer.")
        let failed = SentReport(finished: finished(peer, .failure(lost)), wasAccepted: true)
        #expect(
            failed.text.string == "Not sent to “Brave Marmot” (\(Sample.peerID().short)): The connection was lost."
        )
        let line = try fields(failed.rendered(as: .json))
        #expect(line["type"] == .text("notSent"))
        #expect(line["code"] == .text("connectionLost"))
        #expect(line["remedy"] == .text("Move closer."))

        let refusal = PeerError(.declined, "the person there said no.")
        let refused = SentReport(finished: finished(peer, .failure(refusal)), wasAccepted: false)
        #expect(refused.text.string.hasSuffix("you declined"))

        let stranger = SentReport(finished: finished(nil, .failure(lost)), wasAccepted: nil)
        #expect(stranger.text.string.hasPrefix("Not sent to an unidentified machine"))
        let foreign = PeerError(.protocolViolation, "No.", cause: ProtocolError(.notHikeshare, "No."))
        let browser = SentReport(finished: finished(nil, .failure(foreign)), wasAccepted: nil)
        #expect(browser.text.string.hasPrefix("Not sent to a machine that uses another protocol"))
    }

    @Test func listsPeers() throws {
        let report = PeerListReport(peers: [Sample.discovered("Brave Marmot", 1), Sample.discovered("\u{9B}1A", 2)])
        let lines = report.text.string.split(separator: "\n")
        #expect(lines[1].hasPrefix("Brave Marmot  \(Sample.peerID(1).short)  Coma Pedrosa  2.8 MB"))
        #expect(lines[2].hasPrefix("\\u{9b}1A"))
        let line = try fields(try #require(report.rendered(as: .json).split(separator: "\n").first))
        #expect(line["type"] == .text("peer"))
        #expect(line["id"] == .text(Sample.peerID(1).hex))
    }

    private func finished(
        _ peer: RemotePeer?,
        _ result: Result<TransferReceipt, any Error>,
        unknownKinds: [ResourceKind] = []
    ) -> TransferSender.Finished {
        TransferSender.Finished(
            session: 1,
            peer: peer,
            result: result,
            bytesTransferred: 5,
            bytesSaved: 7,
            unknownKinds: unknownKinds
        )
    }

    private func offer(peer: RemotePeer, wanted: Set<ResourceKind>) throws -> OfferReport {
        let region = try Sample.region().region
        let entries = try [(ResourceKind.mbtiles, 2_613_248), (.routing, 98_304), (.waypoints, 10_000)].map {
            kind,
            size in
            ManifestEntry(
                name: ResourceName(kind: kind, id: region.id),
                layout: try #require(ChunkLayout(size: UInt64(size))),
                digest: Sample.digest(3)
            )
        }
        return OfferReport(peer: peer, region: region, entries: entries, wanted: wanted)
    }
}
