import FoundationEssentials
import Glibc
import MapPages
import RegionStore
import WebServer

/// The page for phones, which a sender shows besides sending.
struct WebPage: Sendable {
    private struct Finished: Error {}

    var store: RegionStore
    var downloads: RegionDownloads
    /// Whether hikes, notes and photos are on the page.
    var hasPersonal: Bool
    /// The content that receivers get but the page does not have; nil if there is none.
    var leftOut: DisplayText?
    /// The port to listen on, 0 for any free one; nil for the usual one, or any free one if that is in use.
    var port: Int?
    /// The IPv4 address of this machine in its own Wi-Fi network, to which the page is limited; nil without such a network.
    var ownAddress: String?
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
        let uploads = console.canAsk ? UploadQueue() : nil
        let site = site(uploads) { download, event in progress.note(event, of: download) }
        let downloads = downloads
        let prompt = UploadPrompt(region: downloads.region, store: store, console: console)
        do {
            try await WebServer.run(configuration(takesFiles: uploads != nil), site: site) { port in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Self.prepare(downloads) }
                    if let uploads { group.addTask { await prompt.follow(uploads) } }
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

    /// Makes the page.
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
        configuration.maximumConnectionsPerClient = 16
        configuration.contentSecurityPolicy = ShareSite.contentSecurityPolicy
        configuration.maximumContentLength = takesFiles ? ShareSite.maximumUploadSize : 0
        // Phones far away are slow, and browsers keep connections open for the next tile.
        configuration.writeTime = .seconds(60)
        return configuration
    }

    private func display(_ address: WebAddress) -> WebPageDisplay {
        WebPageDisplay(address: address, hasPersonal: hasPersonal, leftOut: leftOut, isOwnNetwork: isOwnNetwork)
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
