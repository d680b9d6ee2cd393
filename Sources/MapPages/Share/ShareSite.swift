internal import FoundationEssentials
internal import Glibc
internal import PeerStorage
package import RegionStore
package import Sentences
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

        package init(path: String, name: String) { (self.path, self.name) = (path, name) }
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

        package init(number: Int, client: String, name: String, size: UInt64) {
            (self.number, self.client, self.name, self.size) = (number, client, name, size)
        }
    }

    package let downloads: RegionDownloads
    let secret: MapSecret
    private let map: MapSite
    private let fileNames: [(kind: DownloadKind, path: String, name: String)]
    private let numbers = DownloadNumbers()
    /// The program itself; nil if there is no file with it.
    package var program: Program?
    /// Gets the files that are sent to the laptop; nil if none can be sent.
    package var uploads: UploadQueue?
    /// Whether hikes, notes and photos are among the files.
    package var hasPersonal = false
    /// Whether the page is in a Wi-Fi network of the laptop's own.
    package var isOwnNetwork = false
    /// Lets a download to the client with an address wait for others; nil if it does not wait.
    package var pace: @Sendable (_ client: String) -> (any WebFile.Pace)? = { _ in nil }
    /// What the page tells a client about its turn, if it wants a file with a size; nil if it need not wait.
    package var turnWords: @Sendable (_ client: String, _ size: UInt64) -> Sentence? = { _, _ in nil }
    /// Called when a download begins, continues or ends.
    package var observer: @Sendable (Download, WebFile.Event) -> Void = { _, _ in }

    /// Creates the page, whose paths begin with a secret.
    package init(_ downloads: RegionDownloads, secret: MapSecret) {
        (self.downloads, self.secret) = (downloads, secret)
        map = MapSite(of: downloads, secret: secret)
        fileNames = downloads.kinds.map { kind in
            let name = downloads.name(of: kind)
            return (kind, WebPath.component(name), name)
        }
    }

    package var path: String { map.path(of: nil) }

    package func respond(to request: WebRequest) -> WebResponse {
        let path = request.path
        guard let rest = secret.rest(of: path) else { return .notFound }
        if let content = request.content { return take(content, for: rest, request) }
        let language = request.language
        guard !rest.isEmpty else { return path.endsWithSlash ? page(in: language) : .redirect(to: self.path) }
        if let answer = LanguageChoice.answer(to: rest, path, backTo: self.path) { return answer }
        guard !path.endsWithSlash else { return map.respond(to: request) }
        switch (rest.first, rest.count) {
        case ("share.json", 1):
            var data = self.data(in: language)
            data.turn = turnWords(request.client, data.files.compactMap(\.size).max() ?? 0).map { language($0) }
            var response = Self.json(data)
            response.language = language
            return response
        case ("files", 2): return file(rest[1], for: request.client)
        case ("uploads", 2): return upload(rest[1], in: language)
        default: return map.respond(to: request)
        }
    }

    private func data(in language: Language) -> ShareData {
        var files = fileNames.map { kind, path, name in
            let url = "files/" + path
            return ShareData.File(kind, of: downloads, hasPersonal: hasPersonal, name: name, url: url, in: language)
        }
        if let program, let size = FileStatus(path: program.path)?.size {
            let url = "files/" + WebPath.component(program.name)
            files.append(ShareData.File(program, size: size, url: url, in: language))
        }
        return ShareData(
            region: RegionFacts(downloads.region),
            map: downloads.region.id.uuidString + "/",
            files: files,
            keepProblem: ShareFiles.problem(of: downloads).map { language($0) },
            takesFiles: uploads != nil,
            blockLength: UploadQueue.maximumBlockLength,
            hasPersonal: hasPersonal
        )
    }

    /// Who can see what is downloaded, as a sentence.
    private var privacy: Sentence {
        isOwnNetwork
            ? Sentence("Only machines in this laptop’s own Wi-Fi network can open this page.")
            : Sentence("This page is not encrypted: others in this network can see what you download.")
    }

    static func json(_ value: some Encodable) -> WebResponse { .json(value, orSaying: "This page cannot be shown.") }

    private func file(_ component: String, for client: String) -> WebResponse {
        if let program, component == WebPath.component(program.name) {
            guard let file = try? OpenFile(program.path, O_RDONLY), let status = try? file.status(),
                let descriptor = try? file.duplicate()
            else { return .notFound }
            // Another file with the same size is another file.
            let tag = "program-\(status.size)-\(status.number)-\(status.modifiedNanoseconds)"
            let content = content(descriptor, program.name, status.size, tag: tag, for: client)
            return WebResponse(content, as: "application/vnd.debian.binary-package")
        }
        guard let (kind, _, name) = fileNames.first(where: { $0.path == component }) else { return .notFound }
        switch downloads.state(of: kind) {
        case .ready:
            guard let (descriptor, size) = try? downloads.open(kind) else {
                return WebResponse(.failed, "This file cannot be read.")
            }
            let content = content(descriptor, name, size, tag: "\(downloads.version)-\(kind.rawValue)", for: client)
            return WebResponse(content, as: kind.contentType)
        case .waiting: return WebResponse(.unavailable, "This file is being made. Try again in some seconds.")
        case .failed(let reason): return WebResponse(.failed, reason)
        case nil: return .notFound
        }
    }

    private func content(
        _ descriptor: CInt,
        _ name: String,
        _ size: UInt64,
        tag: String,
        for client: String
    ) -> WebFile {
        let download = Download(number: numbers.next(), client: client, name: name, size: size)
        return WebFile(taking: descriptor, name: name, size: size, entityTag: tag, pace: pace(client)) { [observer] in
            observer(download, $0)
        }
    }

    /// The page, in which browsers without scripts find the list of the files as it is now.
    private func page(in language: Language) -> WebResponse {
        let files = data(in: language).files
        func html(_ sentence: Sentence) -> String { language(sentence).escapedInHTML }
        func list(_ isKept: Bool) -> String {
            files.filter { $0.isKept == isKept }.map { $0.listItem(in: language) }.joined(separator: "\n")
        }
        let problem = ShareFiles.problem(of: downloads)
        let hint = html(problem ?? ShareFiles.hint)
        let keep =
            #"<div class="keep"><h2>\#(html(Sentence("Keep the map")))</h2><ul>\#(list(true))</ul>"#
            + #"<p class="hint">\#(hint)</p></div>"#
        let hasKeep = problem != nil || files.contains(where: \.isKept)
        let upload =
            """
            <h2>\(html(Sentence("Send files to the laptop")))</h2>
            <p class="hint">\(html(Self.needsScripts))</p>
            """
        let name = MapLimits.shownName(downloads.region.name).escapedInHTML
        let facts = [Sentence.foreign(downloads.region), Sentence.items(of: downloads.region)].compactMap { $0 }
        let frame = MapSite.linked(
            MapAssets.sharePage,
            assets: "assets/",
            MapAssets.scripts(of: language) + MapAssets.shareScripts,
            // Its data are small. Without scripts, they would be loaded for nothing.
            data: nil
        )
        // Before the texts of people: nothing in them is a mark.
        .said(in: language)
        let filled = frame.filling("TITLE", name).filling("NAME", name).filling(
            "FILES",
            """
            \(hasKeep ? keep : "")
            <h2>\(html(Sentence("Take it with you")))</h2><ul class="files">\(list(false))</ul>
            \(uploads == nil ? "" : upload)
            """
        )
        .filling("FACTS", Sentence.facts(facts).map(html) ?? "").filling("PRIVACY", html(privacy))
        .filling("LANGUAGES", LanguageChoice.html(in: language))
        return WebResponse(html: filled, in: language)
    }

    private static let needsScripts = Sentence(
        "That needs a browser that runs scripts. This one does not run those of this page."
    )
}

/// Counts downloads.
private final class DownloadNumbers: Sendable {
    private let last = Atomic(0)

    /// The next number, from 1.
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
