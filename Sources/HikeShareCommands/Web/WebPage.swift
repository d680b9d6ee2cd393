import ArgumentParser
import FoundationEssentials
import Glibc
import MapPages
import PeerCore
import RegionSharing
import RegionStore
import WebServer

/// The page for phones, which a sender shows besides sending.
struct WebPage: Sendable {
    private struct Finished: Error {}

    var store: RegionStore
    var downloads: RegionDownloads
    /// Those of further regions, each of which has a page of its own.
    var others: [RegionDownloads] = []
    /// Whether hikes, notes and photos are on the page.
    var hasPersonal: Bool
    /// The content that receivers get but the page does not have; nil if there is none.
    var leftOut: DisplayText?
    /// The port to listen on, 0 for any free one; nil for the usual one, or any free one if that is in use.
    var port: Int?
    /// The IPv4 address of this machine in its own Wi-Fi network, to which the page is limited; nil without such a network.
    var ownAddress: String?
    /// The turns of receivers and downloads.
    var turns = WebTurns()
    /// The package of this program; nil if this machine does not have it.
    var program = ProgramPackage.find()
    var console: Console

    private var isOwnNetwork: Bool { ownAddress != nil }

    /// Serves the page while `body` runs.
    ///
    /// - Throws: ``CommandError`` if the server cannot listen; the error of `body`.
    func with(
        progress: ProgressDisplay,
        _ body: @escaping @Sendable (WebPageDisplay) async throws -> Void
    ) async throws {
        let pages = pages(progress)
        let site = ShareListSite(pages.map(\.site), secret: MapSecret(length: MapSecret.shortLength))
        let takesFiles = pages.contains { $0.uploads != nil }
        do {
            try await WebServer.run(configuration(takesFiles: takesFiles), site: site) { port in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for page in pages { try await Self.prepare(page.downloads) } }
                    group.addTask { [turns] in await turns.tick() }
                    let desk = UploadDesk()
                    for page in pages {
                        guard let uploads = page.uploads else { continue }
                        let region = page.downloads.region
                        let prompt = UploadPrompt(region: region, store: store, desk: desk, console: console)
                        group.addTask { await prompt.follow(uploads) }
                        group.addTask { try await Self.forgetOld(uploads) }
                    }
                    defer { group.cancelAll() }
                    try await body(display(WebAddress(port: port, path: site.path, host: ownAddress)))
                }
                throw Finished()
            }
        } catch is Finished {
            return
        } catch let error as WebServerError {
            throw CommandError(
                .port,
                "The page for phones cannot be shown on port \(error.port): \(error.reason).",
                remedy: "Choose another port with --web-port, or 0 for any free one."
            )
        }
    }

    /// The page of a region.
    private struct Page: Sendable {
        var downloads: RegionDownloads
        var uploads: UploadQueue?
        var site: ShareSite
    }

    /// Makes the pages of all regions.
    private func pages(_ progress: ProgressDisplay) -> [Page] {
        let all = [downloads] + others
        return all.enumerated().map { index, downloads in
            // Each page counts by itself, and the display needs different numbers.
            let number: @Sendable (Int) -> Int = { [count = all.count] in ($0 - 1) * count + index + 1 }
            let uploads =
                console.canAsk
                ? UploadQueue(observer: { upload in
                    var upload = upload
                    upload.number = number(upload.number)
                    progress.note(upload)
                }) : nil
            var page = self
            page.downloads = downloads
            let site = page.site(uploads) { download, event in
                var download = download
                download.number = number(download.number)
                progress.note(event, of: download)
            }
            return Page(downloads: downloads, uploads: uploads, site: site)
        }
    }

    /// Makes the page of the first region.
    func site(
        _ uploads: UploadQueue?,
        observer: @escaping @Sendable (ShareSite.Download, WebFile.Event) -> Void = { _, _ in }
    ) -> ShareSite {
        ShareSite(
            downloads,
            secret: MapSecret(length: MapSecret.shortLength),
            // The package is installed as root, and in a shared network an attacker could replace it during the download.
            program: isOwnNetwork ? program : nil,
            uploads: uploads,
            hasPersonal: hasPersonal,
            isOwnNetwork: isOwnNetwork,
            pace: turns.pace(for:),
            turnWords: turns.words(for:size:),
            observer: observer
        )
    }

    private func configuration(takesFiles: Bool) -> WebServer.Configuration {
        var configuration = WebServer.Configuration()
        // Other networks of this machine do not reach the page in its own one.
        configuration.address = ownAddress ?? "0.0.0.0"
        configuration.port = port ?? WebOptions.usualPort
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

    private func display(_ address: WebAddress) -> WebPageDisplay {
        WebPageDisplay(address: address, hasPersonal: hasPersonal, leftOut: leftOut, isOwnNetwork: isOwnNetwork)
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

/// The Debian package of this program, for laptops that do not have it yet.
enum ProgramPackage {
    /// The folder in which apt keeps packages.
    private static let folder = "/var/cache/apt/archives"

    /// Finds the package of this version; nil if this machine does not have it.
    static func find(in folder: String = folder) -> ShareSite.Program? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let prefix = "hikeshare_\(Software.version)_"
        guard let name = names.sorted().last(where: { $0.hasPrefix(prefix) && $0.hasSuffix(".deb") }) else {
            return nil
        }
        return ShareSite.Program(path: folder + "/" + name, name: name)
    }
}

/// Where the page for phones is.
struct WebAddress: Hashable, Sendable {
    /// The port.
    var port: Int
    /// The path, which begins with a secret.
    var path: String
    /// The only address at which the page can be opened; nil for each of the sender.
    var host: String?

    /// Returns the addresses of the page in the order of addresses of the sender.
    ///
    /// Browsers need a port that is the page's, and cannot open IPv6 link-local addresses.
    ///
    /// - Parameter addresses: The addresses of the sender, with its port.
    /// - Returns: The addresses of the page; empty without IPv4.
    func urls(for addresses: [String]) -> [String] {
        var hosts = host.map { [$0] } ?? []
        for address in ShareLinkAddresses.usable(addresses) where host == nil && !address.host.contains(":") {
            if !hosts.contains(address.host) { hosts.append(address.host) }
        }
        return hosts.map { "http://\($0):\(port)\(path)" }
    }
}

/// The options of the page for phones.
struct WebOptions: ParsableArguments {
    /// The port on which the page is served, if it is free.
    static let usualPort = 8080

    @Flag(
        name: .long,
        help: "Also show a page for phones, with the map and its files. The page is not encrypted."
    )
    var web = false

    @Flag(name: .long, help: "Also put recorded hikes, notes and photos on the page.")
    var webPersonal = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "TCP port of the page; 0 for any free port (default: 8080, or any free port if that is in use).",
            valueName: "port"
        )
    )
    var webPort: Int?

    func validate() throws {
        guard web || !webPersonal && webPort == nil else {
            throw ValidationError("--web-personal and --web-port need --web.")
        }
        guard webPort.map({ (0...65_535).contains($0) }) ?? true else {
            throw ValidationError("--web-port must be 0 to 65535.")
        }
    }
}
