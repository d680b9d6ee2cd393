internal import Glibc
package import PeerStorage
internal import RegionStore
internal import Sentences
package import WebServer

/// The paths of files that browsers send.
///
/// | path | content | what it does |
/// |---|---|---|
/// | `uploads/ID/new/SIZE` | the name of the file | announces a file; once more changes nothing |
/// | `uploads/ID` | – | answers what is known of the file: its state, and how much of it is there |
/// | `uploads/ID/OFFSET` | the bytes from there on | adds a block, if it is the next one |
/// | `uploads/ID/stop` | nothing | ends a file of which not everything has come |
///
/// A browser that was interrupted asks how much is there, and sends the rest.
extension ShareSite {
    /// A request with content.
    private enum Sending {
        case announcement(UploadQueue.ID, size: UInt64)
        case block(UploadQueue.ID, offset: UInt64)
        case stop(UploadQueue.ID)

        init?(_ names: [String]) {
            guard names.first == "uploads", names.count > 2, let id = UploadQueue.ID(names[1]) else { return nil }
            if names.count == 4, names[2] == "new", let size = UInt64(names[3]) {
                self = .announcement(id, size: size)
            } else if names.count == 3, names[2] == "stop" {
                self = .stop(id)
            } else if names.count == 3, let offset = UInt64(names[2]) {
                self = .block(id, offset: offset)
            } else {
                return nil
            }
        }
    }

    private static let forbidden = WebResponse(.forbidden, "This laptop takes no more files from this phone.")
    private static let busy = WebResponse(
        .unavailable,
        "Other files are waiting for a decision. This page tries again by itself."
    )
    private static let sending = WebResponse(
        .unavailable,
        "Other files are still being sent. This page tries again by itself."
    )

    /// Returns why a client cannot send anything to a path; nil for the paths of files.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? {
        refusal(ofContentFor: request, besides: [])
    }

    /// Returns the same for one of several pages.
    ///
    /// - Parameter others: The files of the other pages. Who has been told no there need not be heard here.
    /// - Returns: Why the client cannot send anything to the path; nil if it can.
    func refusal(ofContentFor request: WebRequest, besides others: [UploadQueue]) -> WebResponse? {
        guard let rest = secret.rest(of: request.path) else { return .notFound }
        guard let sending = Sending(rest) else { return .readOnly }
        guard !request.isFromOtherPage else { return WebResponse(.forbidden, "Only the page itself can do this.") }
        guard let uploads else {
            return WebResponse(.forbidden, "This laptop takes no files, because it has no terminal to ask in.")
        }
        switch sending {
        case .announcement(let id, _):
            // Who has been told no may still ask what became of a file.
            let isHeard = ([uploads] + others).allSatisfy { $0.takesFiles(of: request.client) }
            guard uploads.upload(id) != nil || isHeard else { return Self.forbidden }
            guard request.contentLength <= UploadQueue.maximumNameLength else {
                return WebResponse(.contentTooLarge, "The name of the file is too long.")
            }
        case .stop(let id):
            guard uploads.upload(id) != nil else { return .notFound }
            guard request.contentLength == 0 else {
                return WebResponse(.contentTooLarge, "This request must not have content.")
            }
        case .block(let id, let offset):
            guard let upload = uploads.upload(id) else { return .notFound }
            guard request.contentLength <= UploadQueue.maximumBlockLength else {
                return WebResponse(.contentTooLarge, "This piece of the file is too long.")
            }
            guard upload.state == .receiving, offset == upload.length else {
                return conflict(upload, in: request.language)
            }
            // The block is in a file of its own at first.
            let block = UInt64(clamping: 2 * request.contentLength)
            guard let space = try? downloads.spaceForUploads(), space >= block else {
                uploads.endWithoutSpace(id)
                return WebResponse(.noSpace, "The laptop has no space on its disk for the rest of the file.")
            }
        }
        return nil
    }

    package func contentFile() throws -> OpenFile { try downloads.temporaryFile() }

    /// Answers a request with content.
    func take(_ content: OpenFile, for rest: [String], _ request: WebRequest) -> WebResponse {
        let (client, language) = (request.client, request.language)
        guard let uploads, let sending = Sending(rest) else { return .readOnly }
        switch sending {
        case .announcement(let id, let size):
            return announce(id, size, named: content, from: client, uploads, in: language)
        case .stop(let id):
            uploads.stop(id)
            return uploads.upload(id).map { Self.json(UploadData($0, in: language)) } ?? .notFound
        case .block(let id, let offset):
            guard let isExpected = try? uploads.add(content, to: id, at: offset) else {
                return WebResponse(.noSpace, "The laptop could not write the file to its disk.")
            }
            guard let upload = uploads.upload(id) else { return .notFound }
            return isExpected ? Self.json(UploadData(upload, in: language)) : conflict(upload, in: language)
        }
    }

    /// Answers what is known of a file.
    func upload(_ text: String, in language: Language) -> WebResponse {
        guard let id = UploadQueue.ID(text), let upload = uploads?.upload(id) else { return .notFound }
        return Self.json(UploadData(upload, in: language))
    }

    private func announce(
        _ id: UploadQueue.ID,
        _ size: UInt64,
        named content: OpenFile,
        from client: String,
        _ uploads: UploadQueue,
        in language: Language
    ) -> WebResponse {
        guard size > 0 else { return WebResponse(.badRequest, "The file is empty. Choose another one.") }
        guard let bytes = try? content.prefix(UploadQueue.maximumNameLength),
            let name = Self.fileName(bytes), let space = try? downloads.spaceForUploads(),
            let answer = try? uploads.announce(
                id,
                from: client,
                called: name,
                size: size,
                space: space,
                in: downloads.uploadedFile
            )
        else { return WebResponse(.failed, "The laptop could not take the file.") }
        switch answer {
        case .accepted: return uploads.upload(id).map { Self.json(UploadData($0, in: language)) } ?? .notFound
        case .forbidden: return Self.forbidden
        case .busy(let isDecided): return isDecided ? Self.busy : Self.sending
        // How much space there is stays private.
        case .noSpace: return WebResponse(.noSpace, "The disk of the laptop has too little space for this file.")
        }
    }

    private func conflict(_ upload: UploadQueue.Upload, in language: Language) -> WebResponse {
        var response = Self.json(UploadData(upload, in: language))
        if response.status == .ok { response.status = .conflict }
        return response
    }

    /// Reads the name of a file, without folders and without what would make it look like another.
    ///
    /// It is only shown, and never the name of a file on this disk.
    private static func fileName(_ bytes: [UInt8]) -> String? {
        let name = String(decoding: bytes, as: UTF8.self).split { "/\\".contains($0) }.last.map(String.init) ?? ""
        return name.isEmpty ? "file" : MapLimits.withoutTurns(name)
    }
}

/// What is known of a file that is sent to the laptop.
private struct UploadData: Encodable {
    var number: Int
    /// `asked`, `receiving`, `waiting`, `refused` or `added`.
    var state: String
    /// The number of bytes that have arrived.
    var length: UInt64
    var size: UInt64
    var message: String

    init(_ upload: UploadQueue.Upload, in language: Language) {
        (number, length, size) = (upload.number, upload.length, upload.size)
        let sentence: Sentence
        switch upload.state {
        case .asked:
            (state, sentence) = ("asked", Sentence("The person at the laptop is asked whether the file may come."))
        case .receiving: (state, sentence) = ("receiving", Sentence("The file is on its way."))
        case .waiting:
            (state, sentence) = ("waiting", Sentence("The laptop has the file. The person there is asked now."))
        case .refused(let reason), .unusable(let reason), .unanswered(let reason), .failed(let reason):
            (state, sentence) = ("refused", reason)
        case .added(let what): (state, sentence) = ("added", what)
        }
        message = language(sentence)
    }
}
