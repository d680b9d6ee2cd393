package import MapPages
package import PeerCore
package import RegionSharing
package import RegionStore
import WebServer

/// The page for phones, which a sender serves beside its regions.
package struct PhonePage: SenderCompanion {
    private struct Finished: Error {}

    /// The port on which the page is served, if it is free.
    private static let usualPort = 8080

    private let sent: [SentRegion]
    private let store: RegionStore
    private let ownID: PeerID
    private let consent: Consent
    private let person: any Person
    /// Draws the sheet.
    private let drawing: ShareFiles.SheetDrawer
    /// Says to a phone when it has its turn.
    private let turnWords: @Sendable (PhoneTurn) -> String
    /// Whether hikes, notes and photos are on the page without a question.
    package var includesPersonal = false
    /// Whether phones may send files: a person is there to accept or refuse them.
    package var takesFiles = false
    /// The port to listen on, 0 for any free one; nil for the usual one, or any free one if that is in use.
    package var port: Int?
    /// The package of the program that serves the page; nil if this machine does not have it.
    package var program: ShareSite.Program?
    private let phoneTurns = PhoneTurns()

    /// What was prepared.
    private var content = Content()

    private struct Content: Sendable {
        /// The files of each region.
        var downloads: [RegionDownloads] = []
        /// Whether hikes, notes and photos are on the page.
        var hasPersonal = false
        /// What receivers get and the page does not have; nil if there is nothing.
        var leftOut: PersonalContent?
        /// The IPv4 address of this machine in its own Wi-Fi network, to which the page is limited; nil without such a network.
        var ownAddress: String?
    }

    /// The turns of receivers and downloads.
    package var turns: SendingTurns { phoneTurns.turns }

    private var isOwnNetwork: Bool { content.ownAddress != nil }

    /// Creates the page of regions that are sent from a store.
    ///
    /// - Parameters:
    ///   - sent: The regions, each of which has a page of its own.
    ///   - store: The store, to which files of phones are added.
    ///   - ownID: The id of this machine.
    ///   - consent: Whether a person is asked what of them is on the page.
    ///   - person: Is told and asked.
    ///   - drawing: Draws the sheet in another process.
    ///   - turnWords: Returns what the page says of the turn of a phone.
    package init(
        of sent: [SentRegion],
        in store: RegionStore,
        ownID: PeerID,
        consent: Consent,
        person: any Person,
        drawing: @escaping ShareFiles.SheetDrawer,
        turnWords: @escaping @Sendable (PhoneTurn) -> String
    ) {
        (self.sent, self.store, self.ownID) = (sent, store, ownID)
        (self.consent, self.person) = (consent, person)
        (self.drawing, self.turnWords) = (drawing, turnWords)
    }

    /// Asks for the content of the page, and limits the page to the machine's own network, if there is one.
    ///
    /// - Throws: ``NetworkError`` if phones could not open the page; `RegionStoreError` if a region cannot be read.
    package mutating func prepare(in network: OwnHotspot?) async throws {
        content.ownAddress = try network?.requireIPv4()
        let personal = sent.personal
        var includesPersonal = includesPersonal
        if personal.needsYesForPage, !includesPersonal, consent.asks {
            includesPersonal = try await person.ask(PersonalPageQuestion(personal))
        }
        content.hasPersonal = includesPersonal && personal.needsYesForPage
        content.leftOut = includesPersonal || !personal.needsYesForPage ? nil : personal
        content.downloads = try sent.map { region in
            try store.downloads(
                of: region.source,
                fileName: { ExportFileName.stem(for: $0) },
                includesPersonal: includesPersonal,
                makers: ShareFiles.makers(for: region.source.region, drawing: drawing)
            )
        }
    }

    /// Serves the page while `body` runs.
    ///
    /// - Throws: ``PhoneError`` if the server cannot listen; the error of `body`.
    package func serve(during body: @escaping @Sendable () async throws -> Void) async throws {
        let pages = pages()
        let list = ShareListSite(pages.map(\.site), secret: MapSecret(length: MapSecret.shortLength))
        do {
            try await WebServer.run(configuration, site: list) { port in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for page in pages { try await Self.prepare(page.downloads) } }
                    group.addTask { [phoneTurns] in await phoneTurns.tick() }
                    let desk = UploadDesk()
                    for page in pages {
                        guard let uploads = page.uploads else { continue }
                        let decider = decider(for: page.downloads.region, at: desk)
                        group.addTask { await decider.follow(uploads) }
                        group.addTask { try await Self.forgetOld(uploads) }
                    }
                    defer { group.cancelAll() }
                    let address = PhonePageAddress(port: port, path: list.path, host: content.ownAddress)
                    person.tell(.phones(.shown(facts(at: address))))
                    try await body()
                }
                throw Finished()
            }
        } catch is Finished {
            return
        } catch let error as WebServerError {
            throw PhoneError.port(error.port, reason: error.reason)
        }
    }

    private func decider(for region: RegionSummary, at desk: UploadDesk) -> UploadDecider {
        UploadDecider(region: region, store: store, ownID: ownID, desk: desk, person: person)
    }

    private func facts(at address: PhonePageAddress) -> PhonePageFacts {
        PhonePageFacts(
            address: address,
            hasPersonal: content.hasPersonal,
            leftOut: content.leftOut,
            isOwnNetwork: isOwnNetwork
        )
    }

    /// The page of a region.
    struct Page: Sendable {
        var downloads: RegionDownloads
        var uploads: UploadQueue?
        var site: ShareSite
    }

    /// Makes the pages of all regions.
    func pages() -> [Page] {
        content.downloads.enumerated().map { index, downloads in
            // Each page counts by itself, and whoever is told needs different numbers.
            let number: @Sendable (Int) -> Int = { [count = content.downloads.count] in ($0 - 1) * count + index + 1 }
            let uploads =
                takesFiles
                ? UploadQueue(observer: { [person] upload in
                    let file = PhoneFile(client: upload.client, name: upload.name, size: upload.size)
                    let told = PhoneUpload(number: number(upload.number), file: file, length: upload.length)
                    person.tell(.phones(.upload(told)))
                }) : nil
            let told = ToldDownloads(person)
            let site = site(of: downloads, uploads) { download, event in
                var download = download
                download.number = number(download.number)
                told.note(event, of: download)
            }
            return Page(downloads: downloads, uploads: uploads, site: site)
        }
    }

    private func site(
        of downloads: RegionDownloads,
        _ uploads: UploadQueue?,
        observer: @escaping @Sendable (ShareSite.Download, WebFile.Event) -> Void
    ) -> ShareSite {
        ShareSite(
            downloads,
            secret: MapSecret(length: MapSecret.shortLength),
            // The package is installed as root, and in a shared network an attacker could replace it during the download.
            program: isOwnNetwork ? program : nil,
            uploads: uploads,
            hasPersonal: content.hasPersonal,
            isOwnNetwork: isOwnNetwork,
            pace: phoneTurns.pace(for:),
            turnWords: { [phoneTurns, turnWords] in phoneTurns.turn(of: $0, size: $1).map(turnWords) },
            observer: observer
        )
    }

    private var configuration: WebServer.Configuration {
        var configuration = WebServer.Configuration()
        // Other networks of this machine do not reach the page in its own one.
        configuration.address = content.ownAddress ?? "0.0.0.0"
        configuration.port = port ?? Self.usualPort
        configuration.takesAnyFreePort = port == nil
        configuration.isForOwnUser = false
        // A browser opens six; so thirty phones can download and look at tiles at once.
        configuration.maximumConnections = 256
        configuration.maximumConnectionsPerClient = 16
        configuration.contentSecurityPolicy = ShareSite.contentSecurityPolicy
        configuration.maximumContentLength = takesFiles ? UploadQueue.maximumPieceLength : 0
        configuration.maximumUploads = 4
        // Phones far away are slow, and browsers keep connections open for the next tile.
        configuration.writeTime = .seconds(60)
        return configuration
    }

    /// Frees the disk of what phones have begun to send and left, also if no other phone comes.
    private static func forgetOld(_ uploads: UploadQueue) async throws {
        while true {
            try await Task.sleep(for: .seconds(60))
            uploads.forgetOld()
        }
    }

    /// Makes the files on a thread of its own, for that can take long.
    private static func prepare(_ downloads: RegionDownloads) async throws {
        try await withTaskCancellationHandler {
            try await OwnThread.run { downloads.prepare() }
        } onCancel: {
            downloads.stop()
        }
    }
}
