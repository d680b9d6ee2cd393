import FoundationEssentials
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
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
        let facts = ListeningFacts(
            local: local,
            port: 4711,
            addresses: ["192.168.1.7:4711", "[fe80::1%eth0]:4711"],
            offers: [(region: try Sample.region(name: "Coma\nPedrosa"), size: 2_775_000)],
            encryption: .required,
            isAdvertised: true
        )
        let report = ListeningReport(facts: facts)
        #expect(
            report.text.string == """
                Sending Coma\\u{a}Pedrosa, 2.8 MB
                You are Brave Marmot

                On the other laptop:
                  hikeshare receive
                If it does not find you, add
                  --connect 192.168.1.7:4711

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
        let link = try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "192.168.1.7", port: 4711)],
            id: local.id,
            token: try #require(ShareToken(text: "000G40R40M30E209"))
        )
        var facts = ListeningFacts(
            local: local,
            port: 4711,
            addresses: ["192.168.1.7:4711"],
            link: link,
            offers: [(region: try Sample.region(name: "Coma\nPedrosa"), size: 2_775_000)],
            encryption: .required,
            isAdvertised: false,
            personal: PersonalContent(hikes: 1, comments: 1)
        )
        let report = ListeningReport(facts: facts)
        #expect(
            report.text.string == """
                Sending Coma\\u{a}Pedrosa, 2.8 MB
                You are Brave Marmot

                On the other laptop:
                  hikeshare receive --connect 192.168.1.7:4711
                or, with the link below:
                  hikeshare receive --link

                Personal: 1 recorded hike with times and places, 1 comment
                Anyone with the link gets it without a question.
                \(link.text)
                """
        )
        facts.acceptsAll = true
        facts.stopsAfterFirst = true
        #expect(
            ListeningReport(facts: facts).text.string.contains(
                "\nEveryone nearby gets it without a question, until the first one has it.\n"
            )
        )
        let line = try fields(report.rendered(as: .json))
        #expect(line["link"] == .text(link.text))
        #expect(
            line["personal"]
                == .object([
                    "hikes": .number(1), "comments": .number(1), "notes": .number(0), "links": .number(0),
                    "pointTexts": .number(0), "healthRecords": .number(0), "withheldHealthRecords": .number(0),
                    "photos": .number(0), "detailedPhotos": .number(0), "unexaminedPhotos": .number(0),
                ])
        )
    }

    /// Before the yes, a person reads what photos say.
    @Test(
        arguments: [
            ([1, 1, 0], [.camera, .place, .time], "1 photo, with the camera, place and time"),
            ([2, 0, 0], [], "2 photos"), ([3, 2, 0], [.place], "3 photos, 2 of them with the place"),
            ([3, 3, 0], [.time, .camera], "3 photos, with the camera and time"),
            ([1, 0, 1], [], "1 photo, perhaps with the camera, place and time"),
            (
                [3, 1, 2], [.place],
                "3 photos, 1 of them with the place, 2 of them perhaps with the camera, place and time"
            ),
        ] as [([Int], PhotoDetails, String)]
    )
    func photosSayWhatTheyHave(counts: [Int], details: PhotoDetails, words: String) throws {
        var personal = PersonalContent(photos: counts[0])
        (personal.detailedPhotos, personal.unexaminedPhotos) = (counts[1], counts[2])
        personal.photoDetails = details
        #expect(personal.words?.string == "Personal: \(words)")
    }

    @Test func saysLoudlyWhatIsNotEncrypted() throws {
        let plain = Sample.remotePeer(isEncrypted: false)
        let invitation = InvitationQuestion(peer: plain, regionName: "Coma Pedrosa")
        #expect(invitation.text.string.contains("NOT ENCRYPTED"))
        #expect(invitation.text.string.contains("(not proven)"))
        let encrypted = InvitationQuestion(peer: Sample.remotePeer(), regionName: "Coma Pedrosa")
        #expect(
            encrypted.introduction(in: .seconds(60)).string
                == "“Brave Marmot” (new) wants “Coma Pedrosa”\nAnswer within 60 seconds."
        )
    }

    /// Of several regions, the size of the first one says nothing.
    @Test func tellsTheTimeOfOneRegionOnly() {
        var report = InvitationQuestion(peer: Sample.remotePeer(), regionName: "Coma Pedrosa")
        report.turn = TransferTurn(place: 2, count: 2, timeLeft: .seconds(120))
        #expect(report.text.string.contains("(about 2 minutes, after 1 other receiver)"))
        report.regionCount = 2
        #expect(!report.text.string.contains("about"))
    }

    @Test func asksAboutAPeerByName() {
        let long = String(repeating: "x", count: 63) + "\n"
        let report = InvitationQuestion(peer: Sample.remotePeer(name: long), regionName: "Coma Pedrosa")
        #expect(
            report.question.string == "Send it to “\(String(repeating: "x", count: 23))…”?"
        )
    }

    @Test func showsAnOfferBeforeAnythingIsWritten() throws {
        let report = try offer(peer: Sample.remotePeer(name: "Evil\u{1B}]0;x\u{7}"), wanted: [.mbtiles, .waypoints])
        #expect(
            report.text.string == """
                “Evil\\u{1b}]0;x\\u{7}” (new) offers “Coma Pedrosa”, 9.2 × 6.8 km, 2.6 MB
                  Parts     map 2.6 MB, waypoints
                  Left out  routing
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
        #expect(first.hasPrefix("“Ana' (3f9a-12cd-07be-55…” (not proven) offers “Coma Pedrosa”"))
        let blanks = "Tirol; encrypted" + String(repeating: " ", count: 900) + "x"
        let invitation = InvitationQuestion(peer: Sample.remotePeer(isEncrypted: false), regionName: blanks)
        #expect(invitation.text.string.contains("wants “Tirol; encrypted x”.\nNOT ENCRYPTED"))
    }

    @Test func whatWouldBeReplacedIsSaid() throws {
        var report = try offer(peer: Sample.remotePeer(), wanted: [.mbtiles])
        report.local = try Sample.region(name: "Mine")
        #expect(report.text.string.contains("  Here      You have it as “Mine”; its map will be replaced"))
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
        #expect(report.text.string.contains("You have it as “Mine”; its map and routing stay"))
        // Nothing is said of what is not here.
        report.local?.routingDigest = nil
        report.local?.routingSize = nil
        #expect(report.text.string.contains("You have it as “Mine”; its map stays"))

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

    @Test func ofWhatIsHereCompletelyNobodyIsAsked() throws {
        var report = try offer(peer: Sample.remotePeer(), wanted: [.waypoints])
        report.digits = nil
        report.local = try Sample.region(name: "Mine")
        var estimate = TransferEstimate(
            try Manifest(id: report.region.id, describing: report.region, entries: report.entries)
        )
        estimate.set(0, of: .waypoints, isLimit: true)
        report.estimate = estimate
        #expect(!report.hasNothingNew)
        estimate.set(0, of: .waypoints, isLimit: false)
        report.estimate = estimate
        #expect(report.hasNothingNew)
        report.local = nil
        #expect(!report.hasNothingNew)
    }

    @Test func bothSidesDatesAreSaidIfAMapIsReplaced() throws {
        var report = try offer(peer: Sample.remotePeer(), wanted: [.mbtiles])
        report.local = try Sample.region(name: "Mine")
        report.region.createdAt += 5 * 86_400
        // When the maps were imported does not say which one is newer.
        let unknown = "will be replaced by a map of UNKNOWN AGE (neither states a date)"
        #expect(report.text.string.hasSuffix(unknown), "\(report.text.string)")
        report.local?.edition = MapEdition(version: "1.1.0")
        report.region.edition = MapEdition(version: "1.0.0")
        #expect(report.text.string.hasSuffix("by an OLDER map (version 1.0.0, yours version 1.1.0)"))
        report.local?.mapDate = Sample.date
        report.region.mapDate = Sample.date - 86_400
        #expect(report.text.string.hasSuffix("will be replaced by an OLDER map (2025-06-14, yours 2025-06-15)"))
        report.region.mapDate = Sample.date + 86_400
        #expect(report.text.string.hasSuffix("will be replaced by a newer map (2025-06-16, yours 2025-06-15)"))
        report.region.mapDate = Sample.date - 86_400
        let line = try fields(report.rendered(as: .json))
        #expect(line["mapDate"] == .text("2025-06-14T15:06:40Z"))
        #expect(
            line["mapDates"]
                == .object(["offered": .text("2025-06-14T15:06:40Z"), "here": .text("2025-06-15T15:06:40Z")])
        )
        guard case .object(let maps)? = line["maps"] else {
            Issue.record("the ages of the maps are not said")
            return
        }
        #expect(maps["age"] == .text("older"))
        report.region.cut = CutDescription(maximumZoom: 13, wholeTileCount: 5878, wholeSize: 69_000_000)
        let part = "new tiles of the part of an OLDER map (2025-06-14, yours 2025-06-15) are added to its map"
        #expect(report.text.string.contains(part), "\(report.text.string)")
        #expect(try fields(report.rendered(as: .json))["addsToMap"] == .bool(true))
        // The map stays.
        report.local?.mapDigest = Sample.digest(3)
        #expect(!report.text.string.contains("Dates"))
        #expect(try fields(report.rendered(as: .json))["mapDates"] == nil)
    }

    @Test func howManyTilesAreNewIsSaid() throws {
        var report = try offer(peer: Sample.remotePeer(), wanted: [.mbtiles, .routing])
        report.local = try Sample.region(name: "Mine")
        var difference = MapDifference(tileCount: report.region.tileCount)
        difference.changed = .init(numbers: 1...312)
        report.change = MapChange(difference: difference)
        #expect(report.text.string.contains("312 of \(report.region.tileCount) tiles differ"))
        #expect(try fields(report.rendered(as: .json))["newTiles"] == .number(312))
        #expect(try fields(report.rendered(as: .json))["newTilesOnRoutes"] == nil)
        // And where they are.
        let cases: [(ChangedRoutes, String)] = [
            (ChangedRoutes(names: ["Ridge"], tileCount: 12), "tiles differ, 12 of them on “Ridge”\n"),
            (
                ChangedRoutes(names: ["a", "b", "c", "d", "e"], tileCount: 12, isLeast: true),
                "tiles differ, at least 12 of them on “a”, “b”, “c” and 2 more\n"
            ),
            (ChangedRoutes(names: [], tileCount: 0), "tiles differ, none of them on your hikes and routes\n"),
            (ChangedRoutes(names: [], tileCount: 0, isLeast: true), "tiles differ\n"),
            (ChangedRoutes(names: ["a\u{1b}[31m\n"], tileCount: 1), "1 of them on “a"),
        ]
        for (routes, words) in cases {
            report.changedRoutes = routes
            let text = report.text.string + "\n"
            #expect(text.contains(words) && !text.contains("\u{1b}"), "\(text)")
            #expect(try fields(report.rendered(as: .json))["newTilesOnRoutes"] == .number(Double(routes.tileCount)))
        }
        // Of a part, tiles that the map lacks are new. If there are none, the map stays.
        report.changedRoutes = nil
        report.region.cut = CutDescription(maximumZoom: 13, wholeTileCount: 5878, wholeSize: 69_000_000)
        difference.added = difference.changed
        difference.changed = .init()
        report.change = MapChange(difference: difference, union: .init(added: 312, older: 3))
        let words = "312 of \(report.region.tileCount) tiles are new; 3 of yours are newer and stay\n"
        #expect((report.text.string + "\n").contains(words), "\(report.text.string)")
        #expect(try fields(report.rendered(as: .json))["newerTilesHere"] == .number(3))
        report.change = MapChange(difference: MapDifference(tileCount: 120), union: .init())
        #expect(report.text.string.contains("and no tile of this part is new; its map stays"), "\(report.text.string)")
        #expect(try fields(report.rendered(as: .json))["addsToMap"] == nil)
        let replaces = try fields(report.rendered(as: .json))["replaces"]
        #expect((replaces != nil) == !report.replacedFiles.isEmpty)
        #expect(!report.replacedFiles.contains(.mbtiles) && report.replacement?.ages == nil)
        // What is not known is not said.
        report.change = nil
        #expect(!report.text.string.contains("differ"))
        #expect(try fields(report.rendered(as: .json))["newTiles"] == nil)
    }

    @Test func howMuchWillBeTransferredIsSaid() throws {
        var report = try offer(peer: Sample.remotePeer(), wanted: [.mbtiles, .routing])
        #expect(report.text.string.contains(" km, 2.7 MB\n"))
        #expect(!report.text.string.contains("to transfer"))
        #expect(try fields(report.rendered(as: .json))["toTransfer"] == nil)

        let manifest = try Manifest(id: report.region.id, describing: report.region, entries: report.entries)
        // Nothing is here after all.
        var estimate = TransferEstimate(manifest)
        report.estimate = estimate
        #expect(!report.text.string.contains("to transfer"))
        #expect(try fields(report.rendered(as: .json))["toTransfer"] == .number(2_711_552))

        estimate.set(120_000, of: .mbtiles, isLimit: true)
        estimate.set(0, of: .routing, isLimit: false)
        report.estimate = estimate
        #expect(report.text.string.contains(" km, 2.7 MB, at most 120 kB to transfer\n"))
        #expect(try fields(report.rendered(as: .json))["toTransfer"] == .number(120_000))
        estimate.set(120_000, of: .mbtiles, isLimit: false)
        report.estimate = estimate
        #expect(report.text.string.contains(" km, 2.7 MB, about 120 kB to transfer\n"))
        // Parts that are deselected do not count.
        report.wanted = [.routing]
        #expect(report.text.string.contains(" kB, nothing to transfer"))
        #expect(try fields(report.rendered(as: .json))["toTransfer"] == .number(0))
    }

    @Test(arguments: ["”", "\"", "”\u{FE0E}", "\u{201F}", "»", "❞", "″", "\u{FF02}", "”\u{301}"])
    func aNameCannotEndItsQuotationMarks(mark: String) throws {
        let name = DisplayText(quoting: "Anna\(mark) (3f9a-12cd-07be-55a1), trusted").string
        #expect(name.unicodeScalars.starts(with: "“Anna'".unicodeScalars) && name.hasSuffix("”"))
        #expect(name.unicodeScalars.count { $0.properties.isQuotationMark && $0 != "'" } == 2, "\(name)")
    }

    @Test func listsPeers() throws {
        let report = PlainReport.senders([Sample.discovered("Brave Marmot", 1), Sample.discovered("\u{9B}1A", 2)])
        let lines = report.text.string.split(separator: "\n")
        #expect(lines[1].hasPrefix("Brave Marmot  Coma Pedrosa  2.8 MB"))
        #expect(lines[2].hasPrefix("\\u{9b}1A"))
        let line = try fields(try #require(report.rendered(as: .json).split(separator: "\n").first))
        #expect(line["type"] == .text("peer"))
        #expect(line["id"] == .text(Sample.peerID(1).hex))
    }

    private func offer(peer: RemotePeer, wanted: Set<ResourceKind>) throws -> OfferFacts {
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
        return OfferFacts(peer: peer, region: region, entries: entries, wanted: wanted)
    }
}
