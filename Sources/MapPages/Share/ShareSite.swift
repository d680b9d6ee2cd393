internal import FoundationEssentials
internal import Glibc
internal import PeerStorage
package import RegionStore
import Synchronization
package import WebServer

/// The page for phones: a region's map, and its files for other programs.
///
/// All paths begin with a secret. The page is not encrypted, so what it offers is what the sender has agreed to.
package struct ShareSite: WebSite {
    /// A file with the program itself.
    package struct Program: Hashable, Sendable {
        /// The path of the package.
        package var path: String
        /// The name under which it is saved.
        package var name: String

        /// Creates a description of the file.
        package init(path: String, name: String) {
            self.path = path
            self.name = name
        }
    }

    /// A download, for the person at the laptop.
    package struct Download: Hashable, Sendable {
        /// The number of the answer, counted from 1.
        package var number: Int
        /// The address of the browser's machine.
        package var client: String
        /// The name of the file.
        package var name: String
        /// The size of the file, in bytes.
        package var size: UInt64

        /// Creates a description of a download.
        package init(number: Int, client: String, name: String, size: UInt64) {
            self.number = number
            self.client = client
            self.name = name
            self.size = size
        }
    }

    /// The content security policy of the pages: as that of the maps, and files may be sent to this server.
    package static let contentSecurityPolicy = MapSite.contentSecurityPolicy

    let downloads: RegionDownloads
    let secret: MapSecret
    private let map: MapSite
    private let fileNames: [(kind: DownloadKind, path: String, name: String)]
    private let program: Program?
    let uploads: UploadQueue?
    private let hasPersonal: Bool
    private let isOwnNetwork: Bool
    private let pace: @Sendable (String) -> (any WebPace)?
    private let turnWords: @Sendable (String, UInt64) -> String?
    private let numbers = DownloadNumbers()
    private let observer: @Sendable (Download, WebFile.Event) -> Void

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - downloads: The files.
    ///   - secret: The start of all paths.
    ///   - program: The program itself; nil if there is no file with it.
    ///   - uploads: Gets the files that are sent to the laptop; nil if none can be sent.
    ///   - hasPersonal: Whether hikes, notes and photos are among the files.
    ///   - isOwnNetwork: Whether the page is in a Wi-Fi network of the laptop's own.
    ///   - pace: Lets a download to the client with an address wait for others; nil if it waits for nobody.
    ///   - turnWords: What the page says to the client with an address of its turn, if it wants a file with a size; nil for nothing.
    ///   - observer: Called when a download begins, continues or ends.
    package init(
        _ downloads: RegionDownloads,
        secret: MapSecret,
        program: Program?,
        uploads: UploadQueue?,
        hasPersonal: Bool,
        isOwnNetwork: Bool,
        pace: @escaping @Sendable (String) -> (any WebPace)? = { _ in nil },
        turnWords: @escaping @Sendable (String, UInt64) -> String? = { _, _ in nil },
        observer: @escaping @Sendable (Download, WebFile.Event) -> Void
    ) {
        self.downloads = downloads
        self.secret = secret
        map = MapSite(of: downloads, secret: secret)
        fileNames = downloads.kinds.map { kind in
            let name = downloads.name(of: kind)
            return (kind, Self.pathComponent(name), name)
        }
        self.program = program
        self.uploads = uploads
        self.hasPersonal = hasPersonal
        self.isOwnNetwork = isOwnNetwork
        self.pace = pace
        self.turnWords = turnWords
        self.observer = observer
    }

    /// The path of the page.
    package var path: String { map.path(of: nil) }

    /// Answers a request.
    package func respond(to request: WebRequest) -> WebResponse {
        let path = request.path
        guard let first = path.components.first, secret.matches(first) else { return .notFound }
        let rest = Array(path.components.dropFirst())
        if let content = request.content { return take(content, for: rest, from: request.client) }
        guard !rest.isEmpty else { return path.endsWithSlash ? WebResponse(html: page) : .redirect(to: self.path) }
        guard !path.endsWithSlash else { return map.respond(to: request) }
        switch (rest.first, rest.count) {
        case ("share.json", 1):
            var data = data
            data.turn = turnWords(request.client, data.files.compactMap(\.size).max() ?? 0)
            return json(data)
        case ("files", 2): return file(rest[1], for: request.client)
        case ("uploads", 2): return upload(rest[1])
        default: return map.respond(to: request)
        }
    }

    private var data: ShareData {
        var files = fileNames.map { kind, path, name in
            ShareData.File(kind, of: downloads, hasPersonal: hasPersonal, name: name, url: "files/" + path)
        }
        if let program, let size = Self.size(of: program.path) {
            files.append(
                ShareData.File(
                    kind: "program",
                    title: "The program hikeshare",
                    purpose: "for laptops with Debian or Ubuntu",
                    personal: "nothing personal in it",
                    url: "files/" + Self.pathComponent(program.name),
                    name: program.name,
                    size: size
                )
            )
        }
        return ShareData(
            region: RegionFacts(downloads.region),
            map: downloads.region.id.uuidString + "/",
            files: files,
            keepProblem: ShareFiles.problem(of: downloads),
            takesFiles: uploads != nil,
            pieceLength: UploadQueue.maximumPieceLength,
            hasPersonal: hasPersonal,
            isOwnNetwork: isOwnNetwork
        )
    }

    func json(_ value: some Encodable) -> WebResponse {
        guard let bytes = try? PageJSON.encode(value) else {
            return WebResponse(.failed, "This page cannot be shown.")
        }
        return WebResponse(bytes, as: "application/json")
    }

    private func file(_ component: String, for client: String) -> WebResponse {
        if let program, component == Self.pathComponent(program.name) {
            let descriptor = open(program.path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return .notFound }
            var status = stat()
            guard fstat(descriptor, &status) == 0, let size = UInt64(exactly: status.st_size) else {
                close(descriptor)
                return .notFound
            }
            // Another file with the same size is another file.
            let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
            let tag = "program-\(size)-\(status.st_ino)-\(times.joined(separator: "-"))"
            return answer(descriptor, size, program.name, "application/vnd.debian.binary-package", tag: tag, client)
        }
        guard let (kind, _, name) = fileNames.first(where: { $0.path == component }) else { return .notFound }
        switch downloads.state(of: kind) {
        case .ready:
            guard let (descriptor, size) = try? downloads.open(kind) else {
                return WebResponse(.failed, "This file cannot be read.")
            }
            return answer(
                descriptor,
                size,
                name,
                kind.contentType,
                tag: "\(downloads.version)-\(kind.rawValue)",
                client
            )
        case .waiting: return WebResponse(.unavailable, "This file is being made. Try again in some seconds.")
        case .failed(let reason): return WebResponse(.failed, reason)
        case nil: return .notFound
        }
    }

    private func answer(
        _ descriptor: CInt,
        _ size: UInt64,
        _ name: String,
        _ type: String,
        tag: String,
        _ client: String
    ) -> WebResponse {
        let download = Download(number: numbers.next(), client: client, name: name, size: size)
        let observer = observer
        return WebResponse(
            WebFile(
                taking: descriptor,
                name: name,
                contentType: type,
                size: size,
                entityTag: tag,
                pace: pace(client)
            ) { event in
                observer(download, event)
            }
        )
    }

    /// Returns a name in the characters of our paths.
    private static func pathComponent(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" })
    }

    private static func size(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(exactly: status.st_size) : nil
    }

    /// The page, in which browsers without scripts find the list of the files as it is now.
    private var page: String {
        let files = data.files
        func list(_ isKept: Bool) -> String {
            files.filter { $0.isKept == isKept }.map(\.listItem).joined(separator: "\n")
        }
        let problem = ShareFiles.problem(of: downloads)
        let hint = (problem ?? ShareFiles.hint).escapedInHTML
        let keep = #"<div class="keep"><h2>Keep the map</h2><ul>\#(list(true))</ul><p class="hint">\#(hint)</p></div>"#
        let hasKeep = problem != nil || files.contains(where: \.isKept)
        let name = MapLimits.shownName(downloads.region.name).escapedInHTML
        return Self.frame.filling("TITLE", name).filling("NAME", name).filling(
            "FILES",
            """
            \(hasKeep ? keep : "")
            <h2>Take it with you</h2><ul class="files">\(list(false))</ul>
            """
        )
    }

    private static let frame = MapSite.linked(
        MapAssets.sharePage,
        assets: "assets/",
        MapAssets.shareScripts,
        // Its data are small. Without scripts, they would be loaded for nothing.
        data: nil
    )
}

/// Counts downloads.
final class DownloadNumbers: Sendable {
    private let last = Atomic(0)

    /// The next number, from 1.
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
