package import MapPages
package import PeerCore
package import RegionSharing
import RegionStore
package import Sentences
import WebServer

/// The page for phones, which a sender serves beside its regions.
package struct PhonePage: SenderCompanion {
    private struct Finished: Error {}

    /// The port on which the page is served, if it is free.
    private static let usualPort = 8080
    private let files: PhoneFiles
    /// Says to a phone when it has its turn.
    private let turnWords: @Sendable (PhoneTurn) -> Sentence
    /// Whether hikes, notes and photos are on the page without a question.
    package var includesPersonal = false
    /// Whether phones may send files: a person is there to accept or refuse them.
    package var takesFiles = false
    /// The port to listen on, 0 for any free one; nil for the usual one, or any free one if that is in use.
    package var port: Int?
    /// The package of the program that serves the page; nil if this machine does not have it.
    package var program: ShareSite.Program?
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
    private var phoneTurns: PhoneTurns { files.turns }
    private var person: any Person { files.person }
    private var isOwnNetwork: Bool { content.ownAddress != nil }

    /// Creates the page of what phones get.
    ///
    /// - Parameter turnWords: Returns what the page says of the turn of a phone.
    package init(of files: PhoneFiles, turnWords: @escaping @Sendable (PhoneTurn) -> Sentence) {
        (self.files, self.turnWords) = (files, turnWords)
    }

    /// Asks for the content of the page, and limits the page to the machine's own network, if there is one.
    ///
    /// - Throws: ``NetworkError`` if phones could not open the page; `RegionStoreError` if a region cannot be read.
    package mutating func prepare(in network: OwnHotspot?) async throws {
        content.ownAddress = try network?.requireIPv4()
        let personal = files.personal
        let includesPersonal = try await files.includesPersonal(on: .page, isWished: includesPersonal)
        content.hasPersonal = includesPersonal && personal.needsYesForPage
        content.leftOut = includesPersonal || !personal.needsYesForPage ? nil : personal
        content.downloads = try files.downloads(includesPersonal: includesPersonal)
    }

    /// Serves the page while `body` runs.
    ///
    /// - Throws: ``PhoneError`` if the server cannot listen; the error of `body`.
    package func serve(during body: @escaping @Sendable () async throws -> Void) async throws {
        let pages = pages()
        let list = ShareListSite(pages, secret: MapSecret(length: MapSecret.shortLength))
        do {
            try await WebServer.run(configuration, site: list) { port in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { [files] in await files.run() }
                    group.addTask { [files] in for page in pages { try await files.makeAll(of: page.downloads) } }
                    group.addTask { [phoneTurns] in await phoneTurns.tick() }
                    for page in pages {
                        guard let uploads = page.uploads else { continue }
                        let region = page.downloads.region
                        let decider = UploadDecider(
                            region: region,
                            store: files.store,
                            ownID: files.ownID,
                            desk: files.desk,
                            person: person
                        )
                        group.addTask { await decider.follow(uploads) }
                        group.addTask { try await Self.forgetOld(uploads) }
                    }
                    defer { group.cancelAll() }
                    let address = PhonePageAddress(port: port, path: list.path, host: content.ownAddress)
                    let facts = PhonePageFacts(
                        address: address,
                        hasPersonal: content.hasPersonal,
                        leftOut: content.leftOut,
                        isOwnNetwork: isOwnNetwork
                    )
                    person.tell(.phones(.shown(facts)))
                    try await body()
                }
                throw Finished()
            }
        } catch is Finished {
            return
        } catch let error as WebServer.ListenError {
            throw PhoneError.port(error.port, reason: error.reason)
        }
    }

    /// Makes the pages of all regions.
    func pages() -> [ShareSite] {
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
            var site = ShareSite(downloads, secret: MapSecret(length: MapSecret.shortLength))
            // The package is installed as root, and in a shared network an attacker could replace it during the download.
            site.program = isOwnNetwork ? program : nil
            (site.uploads, site.hasPersonal, site.isOwnNetwork) = (uploads, content.hasPersonal, isOwnNetwork)
            site.pace = { [phoneTurns] in phoneTurns.pace(for: $0) }
            site.turnWords = { [phoneTurns, turnWords] in phoneTurns.turn(of: $0, size: $1).map(turnWords) }
            let told = ToldDownloads(person) { [phoneTurns] in phoneTurns.place(of: $0) }
            site.observer = { download, event in
                var download = download
                download.number = number(download.number)
                told.note(event, of: download)
            }
            return site
        }
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
        configuration.contentSecurityPolicy = MapSite.contentSecurityPolicy
        configuration.maximumContentLength = takesFiles ? UploadQueue.maximumBlockLength : 0
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
}
