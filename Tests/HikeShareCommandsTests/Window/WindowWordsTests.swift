import Foundation
import PeerTestSupport
import Sentences
import SharingReports
import SharingTestSupport
import Testing

@testable import Diagnosis
@testable import MapPages
@testable import NetworkManager
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore
@testable import SharingWindow

/// What the window tells; nobody types commands there.
@Suite struct WindowWordsTests {
    /// What stands in texts for people who type.
    private static let typed = ["--", "'hikeshare ", "hikeshare receive", "hikeshare doctor", "Ctrl-C", "terminal"]

    private static func expectNothingTyped(_ words: String) {
        for word in typed { #expect(!words.contains(word), "\(words)") }
    }

    private static let search = SenderSearch(query: "Anna", timeout: .seconds(10))

    /// Errors that a person in the window can meet, where there is always somebody to ask.
    private static func errors() throws -> [any Error] {
        let ages = MapAges(offered: MapEdition(date: Sample.date), local: MapEdition(date: Sample.date + 86_400))
        let receiving: [ReceivingError] = [
            .untrustedSender(local: "A", peer: "B"), .anotherArea(region: "A", local: "B"),
            .doubtfulAge(local: "A", ages), .losesSigner(local: "A"), .nothingWanted(region: "A", isLimited: true),
            .nothingWanted(region: "A", isLimited: false), .noRoutes(name: "A"), .tooManyTiles(region: "A"),
            .noMap(region: "A", isForeign: true), .noMap(region: "A", isForeign: false), .changed(region: "A"),
            .anotherRegion(offered: "A", wanted: "B"), .anotherMap, .nothingNew(peer: "A"),
            .notListed(name: "A", peer: "B"), .impostor(friend: "A", peer: "B"), .declined(region: nil),
            .declined(region: "A"), .nothingTaken, .someReceived, .senderLeft,
        ]
        let finding: [FindingError] = [
            .noSender(search, others: []), .noSender(search, others: [Sample.discovered("Cara", 1)]),
            .several(search, [Sample.discovered("Cara", 1)]), .noneChosen, .noLink,
        ]
        let sticks: [StickError] = [
            .declined, .noRequest(folder: "A"), .tooManyFiles(region: "A", count: 99), .secretOpensNothing,
            .impostor(name: "A"),
        ]
        let networks: [NetworkError] = [
            .notMade, .notJoined, .noneInReach, .noneChosen, .noPassword, .noAddresses(.noDnsmasq),
            .noAddresses(.uplink("eth0")), .noIPv4(name: "A"), .ended(name: "A"),
        ]
        let sending: [SendingError] = [
            .tooManyRegions(maximum: 3), .notOffered, .noReceiver(.seconds(3)), .unread, .stopped,
        ]
        let peers = [
            PeerError(.encryptionMismatch, "A", cause: ProtocolError(.encryptionMismatch, "B")),
            PeerError(.encryptionMismatch, "A"), PeerError(.cannotListen, "A"),
            PeerError(.notTrusted, "A", cause: ImpostorError(trustedName: "Ana B", id: Sample.peerID())),
            PeerError(.cannotConnect, "A", cause: UnansweredConnection([ConnectFailure.Attempt]())),
            PeerError(.cannotConnect, "A", cause: SenderStopped()), PeerError(.discoveryUnavailable, "A"),
        ]
        let wiFi: [NetworkManagerError] = [
            .noNetworkManager([]), .noPermission, .noBusAccess, .noAccessPoint("wlan0"), .tookTooLong,
            .noBand("wlan0", .band5GHz), NetworkManagerError(deviceReason: 7), NetworkManagerError(deviceReason: 53),
        ]
        let others: [any Error] = [
            CommandError.noMaps, CommandError(.interrupted, "Interrupted."), CancellationError(),
            IncompleteReception(underlying: Screens.lost, kept: try Screens.kept()),
            HintedError(underlying: FindingError.noSender(search, others: []), hints: CommandError.whatToCheck),
        ]
        let importing: [ImportError] = [
            .unclearPhoto(file: "a.jpg", candidates: 0), .unclearPhoto(file: "a.jpg", candidates: 2),
            .unclearWaypoint(RegionStoreError(.ambiguous, "A"), in: nil),
            .unclearWaypoint(RegionStoreError(.notFound, "A"), in: nil),
        ]
        return receiving + finding + networks + sticks + sending + peers + wiFi + importing + others
    }

    @Test func problemsNameNoCommands() throws {
        for error in try Self.errors() {
            let words = ProblemReport(error).windowText.string
            Self.expectNothingTyped(words)
            #expect(!words.isEmpty && !words.hasPrefix("hikeshare:"))
            // A list that was announced is there.
            #expect(!words.hasSuffix(":"), "\(words)")
        }
    }

    @Test func refusedFilesNameNoCommands() {
        let works: [RefusedFile.Work] = [
            .reading(meant: nil), .map, .tracks(hasRegion: false), .tracks(hasRegion: true), .photo, .routing,
        ]
        let errors = [
            RegionStoreError(.invalidFile, "A", remedy: "B.", cause: UnknownFileKind()),
            RegionStoreError(.notFound, "A", remedy: "B."), RegionStoreError(.conflict, "A", remedy: "B."),
            RegionStoreError(.invalidArgument, "A", remedy: "B."), RegionStoreError(.storage, "A"),
        ]
        for work in works {
            for error in errors {
                let words = RefusedFile(file: "a", error: error, work: work).report.windowText.string
                Self.expectNothingTyped(words)
                #expect(words.hasPrefix("A"))
            }
        }
    }

    @Test func problemsSayWhatToChoose() throws {
        func words(_ error: any Error) -> String { ProblemReport(error).windowText.string }
        #expect(
            words(IncompleteReception(underlying: Screens.lost, kept: try Screens.kept()))
                .hasSuffix(
                    "The received part is kept (map, 1.2 MB of 2.6 MB).\nTo resume, choose “Receive a map” again."
                )
        )
        let nobody = words(FindingError.noSender(SenderSearch(), others: []))
        #expect(nobody.contains("Is the other laptop sending?") && nobody.contains("“I have a share link”"))
        #expect(words(PeerError(.cannotListen, "The port is in use.")) == "The port is in use.")
        let full = CommandError(.storage, "The disk is full.", remedy: "Free some space.")
        #expect(words(full) == "The disk is full.\nFree some space.")
    }

    @Test func aWarningIsToldAtOnce() throws {
        let window = try TestWindow()
        window.person.tell(.problem(CommandError(.storage, "The disk is full.")))
        #expect(window.window.current.lines.map(\.kind) == [.warning])
        window.person.show("half", fraction: 0.5)
        #expect(window.window.current.status == AppWindowText("half") && window.window.current.fraction == 0.5)
    }

    private static func received(twin: String?) throws -> ReceivedRegion {
        let receipt = TransferReceipt(imported: ["mbtiles": 1])
        let result = TransferReceiver.Result(
            peer: Sample.remotePeer(name: "Anna"),
            receipt: receipt,
            bytesTransferred: 1,
            bytesSaved: 0,
            offer: nil
        )
        var region = ReceivedRegion(regionID: try Sample.uuid(), regionName: "Andorra", result: result)
        region.twin = twin
        return region
    }

    private static func happenings() throws -> [Happening] {
        let wiFi = try #require(Screens.wiFi)
        let (offer, peer) = (try Screens.offer(), Sample.remotePeer(name: "Ben"))
        let catalogue = CatalogueFacts(peer: peer, items: try Sample.catalogue())
        let trusted = TrustedPeer(id: Sample.peerID(), name: "Anna", pinnedAt: Sample.date)
        let region = try Sample.region()
        let receiving: [ReceivingHappening] = [
            .offered(offer), .takenUnasked(offer), .listed(catalogue), .pickedUnasked(catalogue),
            .leftOut(name: "A", Screens.lost), .looking(RenewedSearch(error: Screens.lost, wanted: .sender)),
            .looking(RenewedSearch(error: Screens.lost, wanted: .otherSender)),
            .reconnecting(Reconnection(attempt: 1, maximumAttempts: .max, delay: .seconds(3), error: Screens.lost)),
            .substitute(Sample.discovered("Cara", 1), among: []), .received(try received(twin: "B"), isLast: true),
            .kept(try Screens.kept()),
        ]
        let leftOut = [KeepRule.Reason.notHere, .ownEdits, .olderMap].map {
            KeepLeftOut(peer: peer, region: offer.region, reason: $0, kinds: [.waypoints])
        }
        let keeping: [KeepingHappening] = [.waiting, .received(try received(twin: nil))] + leftOut.map { .leftOut($0) }
        let finding: [FindingHappening] = [
            .searching, .searchEnded, .trusted(trusted), .renamed(from: "Ana", trusted),
        ]
        let made = try [.shared, .linkLocal(.noDnsmasq), .linkLocal(.uplink("eth0"))].map {
            NetworkHappening.made(MadeNetwork(credentials: wiFi, plan: try Screens.plan($0)))
        }
        let leaving = LeaveNetworkQuestion(current: "Hut", name: "A", purpose: .joining)
        let networks: [NetworkHappening] = [
            .leaving(leaving), .needsAdministrator, .working(.looking), .working(.making("A")), .working(.joining("A")),
            .working(nil), .joined(JoinedNetwork(name: "A", interface: "wlan0")), .returning(to: "Hut"),
        ]
        var invitation = InvitationQuestion(peer: peer, regionName: "Andorra")
        invitation.digits = Screens.digits
        let declined = SentFacts(
            finished: Screens.finished(.failure(Screens.lost)).finished,
            decision: .declined(.nobodyToAsk)
        )
        let impostor = PeerError(.notTrusted, "A", cause: ImpostorError(trustedName: "Ana", id: Sample.peerID()))
        let sending: [SendingHappening] = [
            .leftOut(region, RegionStoreError(.invalidArgument, "It has no map.")),
            .cutting(region, for: peer, bytes: (1, 2)), .cutting(region, for: nil, bytes: nil), .withheldPhotos(2),
            .missingRouting(region), .advertised("A", isBack: true), .renamed("A"), .withdrawn,
            .unreachable(
                UnreachableReceiver(
                    address: "A",
                    view: PeerView(arrivals: .none, back: .kept),
                    port: 1,
                    on: MachineFacts()
                )
            ),
            .invited(invitation, isWelcome: true), .sent(declined), .sent(Screens.finished(.failure(impostor))),
            .sent(Screens.finished(.failure(PeerError(.outcomeUnknown, "A")))),
            .changed(region, .removed), .served,
        ]
        let file = PhoneFile(client: "10.42.0.7", name: "a.gpx", size: 9)
        var download = PhoneDownload(number: 1, client: "10.42.0.7", name: "a.html", size: 9)
        download.ended(isComplete: false)
        let phones: [PhoneHappening] = [
            .download(download), .upload(PhoneUpload(number: 1, file: file, length: 3)),
            .examining(file, .bytes(1, of: 2)), .examining(file, nil), .unusable(file), .unanswered(file),
            .failed(file, CommandError(.storage, "The disk is full.")),
        ]
        let importing: [ImportingHappening] = [
            .sameName(region, count: 2), .signed(name: "Anna"), .damagedPhoto(file: "a.jpg"), .sameFile(region),
        ]
        return receiving.map { .receiving($0) } + keeping.map { .keeping($0) } + finding.map { .finding($0) }
            + (made + networks).map { .networks($0) } + sending.map { .sending($0) }
            + phones.map { .phones($0) } + importing.map { .importing($0) }
    }

    @Test func happeningsNameNoCommands() throws {
        for happening in try Self.happenings() {
            let window = try TestWindow()
            window.person.tell(happening)
            Self.expectNothingTyped(window.words + (window.window.current.status?.words ?? ""))
        }
    }

    @Test func questionsNameNoCommands() async throws {
        let peer = Sample.remotePeer(name: "Ben")
        var offer = OfferQuestion(offer: try Screens.offer(), selectable: [.mbtiles])
        offer.objection = .noMap(region: "A", isForeign: false)
        let questions: [any Question] = [
            OfferQuestion(offer: try Screens.offer(), selectable: [.mbtiles]), offer,
            CatalogueQuestion(catalogue: CatalogueFacts(peer: peer, items: try Sample.catalogue())),
            InvitationQuestion(peer: peer, regionName: "A", digits: Screens.digits), OwnNameQuestion(),
            PeerNameQuestion(peer: TrustedPeer(id: Sample.peerID(), name: "Ben", pinnedAt: Sample.date)),
            ShareLinkQuestion(for: .hikeshare), NetworkChoiceQuestion(names: ["A", "B"]),
            NetworkPasswordQuestion(of: "hikeshare-7K3M", for: .hikeshare),
            JoinByHandQuestion(name: "A", password: "p", reason: .noPermission),
            LeaveNetworkQuestion(current: "Hut", name: "A", purpose: .making),
            PhoneFileQuestion(PhoneFile(client: "10.42.0.7", name: "a.gpx", size: 9), .comes),
        ]
        for question in questions {
            let window = try TestWindow()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await window.person.ask(question) }
                let asked = try #require(await window.asked())
                Self.expectNothingTyped(asked.words + window.words)
                group.cancelAll()
            }
        }
    }

    @Test func adviceSaysWhatToChoose() async throws {
        let window = try TestWindow { $0.whatToCheck = { CommandError.whatToCheck } }
        await window.person.advise(SenderSearch(), others: [])
        #expect(window.words.contains("until you choose Stop") && window.words.contains("“I have a share link”"))
        await window.person.advise(Self.search, others: [Sample.discovered("Cara", 1)])
        #expect(window.words.contains("“Cara” (new), sending “Coma Pedrosa”, 2.8 MB"))
        Self.expectNothingTyped(window.words)
    }

    @Test func theLastRegionIsTheTitle() throws {
        let window = try TestWindow()
        window.person.tell(.receiving(.received(try Self.received(twin: "B"), isLast: true)))
        let state = window.window.current
        let id = try Sample.uuid().uuidString
        #expect(state.title == "“Andorra” is here" && state.region == id)
        #expect(state.lines.map(\.kind) == [.result, .note])
        #expect(window.words.hasSuffix("You have this map twice now, also as “B”."))
    }

    // MARK: Sending

    @Test func aSenderSaysWhereItIs() throws {
        var facts = try #require(try Screens.listening())
        facts.usualPort = 64_453
        let window = try TestWindow { $0.firewall = { "firewalld" } }
        let person = window.person
        let address = PhonePageAddress(port: 8080, path: "/a/", host: "10.77.0.1")
        let page = PhonePageFacts(address: address, hasPersonal: false, leftOut: nil, isOwnNetwork: false)
        person.tell(.phones(.shown(page)))
        person.tell(.sending(.listening(facts)))
        let link = try #require(facts.link)
        #expect(window.words.contains("“I have a share link”, and paste there:  \(link.text)"))
        #expect(window.words.contains("Anyone with the link gets it without a question."))
        #expect(window.words.contains("open TCP port 36081 in it."))
        #expect(window.words.contains("http://10.77.0.1:8080/a/"))
        if QREncodeLibrary.installed != nil {
            #expect(window.window.current.lines.last?.drawings.count == 2, "the page and the share link")
        }
        Self.expectNothingTyped(window.words)
        // It is told again when it has moved.
        let count = window.window.current.lines.count
        person.tell(.sending(.moved(AddressChange(addresses: facts.addresses, link: link, meaning: .same))))
        #expect(window.window.current.lines.count == count)
        person.tell(.sending(.moved(AddressChange(addresses: ["10.1.1.1:1"], link: nil, meaning: .new))))
        #expect(window.words.contains("The network has changed."))
        // The change, where the sender is now, and the page.
        let kinds = window.window.current.lines.dropFirst(count).prefix(3).map(\.kind)
        #expect(kinds == [.note, .result, .result])
    }

    @Test func aSenderOnNoNetworkSaysWhatIsMissing() throws {
        var facts = try #require(try Screens.listening())
        (facts.addresses, facts.link) = ([], nil)
        let window = try TestWindow { $0.networkHints = { [.typed("Run  nmcli", window: "The Wi-Fi is off.")] } }
        let person = window.person
        person.tell(.sending(.listening(facts)))
        #expect(window.words.hasSuffix("The Wi-Fi is off.") && !window.words.contains("nmcli"))
    }

    @Test func progressIsShownWhileATransferRuns() throws {
        let window = try TestWindow()
        let progress = WindowProgress(in: window.window, isReceiver: true)
        func show(_ state: TransferState) {
            progress.show(TransferUpdate(transfer: 1, peer: nil, event: .transfer(state)))
        }
        show(.transferring(Sample.progress(1_387_500)))
        #expect(window.window.current.fraction == 0.5)
        #expect(window.window.current.status?.words.contains("50 %") == true)
        show(.cancelled)
        #expect(window.window.current.status == nil && window.window.current.fraction == nil)
    }

    /// What others say is text, whatever is in it.
    @Test func wordsOfOthersAreNoMarkup() throws {
        var facts = try #require(try Screens.listening())
        facts.offers[0].region.name = "<b>--all</b> 'hikeshare receive'"
        #expect(WindowSender.text(facts).string.contains("<b>--all</b> 'hikeshare receive'"))
        let window = try TestWindow()
        window.person.warn(CommandError(.storage, "<script>x</script>"))
        #expect(window.window.current.lines.last?.text == AppWindowText("<script>x</script>"))
    }
}
