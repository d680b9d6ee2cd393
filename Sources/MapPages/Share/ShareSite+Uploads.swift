internal import Glibc
package import PeerStorage
internal import RegionStore
package import WebServer

/// The paths of files that browsers send.
///
/// | path | content | what it does |
/// |---|---|---|
/// | `uploads/ID/new/SIZE` | the name of the file | announces a file; once more changes nothing |
/// | `uploads/ID` | – | answers what is known of the file: its state, and how much of it is there |
/// | `uploads/ID/OFFSET` | the bytes from there on | adds a piece, if it is the next one |
///
/// A browser that was interrupted asks how much is there, and sends the rest.
extension ShareSite {
    /// A request with content.
    private enum Sending {
        case announcement(UploadID, size: UInt64)
        case piece(UploadID, offset: UInt64)

        init?(_ rest: some Collection<String>) {
            let parts = Array(rest)
            guard parts.first == "uploads", parts.count > 2, let id = UploadID(parts[1]) else { return nil }
            if parts.count == 4, parts[2] == "new", let size = UInt64(parts[3]) {
                self = .announcement(id, size: size)
            } else if parts.count == 3, let offset = UInt64(parts[2]) {
                self = .piece(id, offset: offset)
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
    /// - Parameters:
    ///   - request: The request.
    ///   - others: The files of the other pages. Who has been told no there need not be heard here.
    /// - Returns: Why the client cannot send anything to the path; nil if it can.
    func refusal(ofContentFor request: WebRequest, besides others: [UploadQueue]) -> WebResponse? {
        guard let first = request.path.components.first, secret.matches(first) else { return .notFound }
        guard let sending = Sending(request.path.components.dropFirst()) else { return .readOnly }
        guard !request.isFromOtherPage else { return WebResponse(.forbidden, "Only the page itself can do this.") }
        guard let uploads else {
            return WebResponse(.forbidden, "This laptop takes no files, because it has no terminal to ask in.")
        }
        switch sending {
        case .announcement(let id, _):
            // Who has been told no may still ask what became of a file.
            let isHeard = ([uploads] + others).allSatisfy { $0.takesFiles(of: request.client) }
            guard uploads.entry(id) != nil || isHeard else { return Self.forbidden }
            guard request.contentLength <= UploadQueue.maximumNameLength else {
                return WebResponse(.contentTooLarge, "The name of the file is too long.")
            }
        case .piece(let id, let offset):
            guard let entry = uploads.entry(id) else { return .notFound }
            guard request.contentLength <= UploadQueue.maximumPieceLength else {
                return WebResponse(.contentTooLarge, "This piece of the file is too long.")
            }
            guard entry.state == .receiving, offset == entry.length else { return conflict(entry) }
            // The piece is in a file of its own at first.
            let piece = UInt64(clamping: 2 * request.contentLength)
            guard let space = try? downloads.spaceForUploads(), space >= piece else {
                uploads.endWithoutSpace(id)
                return WebResponse(.noSpace, "The laptop has no space on its disk for the rest of the file.")
            }
        }
        return nil
    }

    /// Creates a file for a piece, on the disk of the laptop.
    package func contentFile() throws -> OpenFile { try downloads.temporaryFile() }

    /// Answers a request with content.
    func take(_ content: OpenFile, for rest: [String], from client: String) -> WebResponse {
        guard let uploads, let sending = Sending(rest) else { return .readOnly }
        switch sending {
        case .announcement(let id, let size): return announce(id, size, named: content, from: client, uploads)
        case .piece(let id, let offset):
            guard let isExpected = try? uploads.add(content, to: id, at: offset) else {
                return WebResponse(.noSpace, "The laptop could not write the file to its disk.")
            }
            guard let entry = uploads.entry(id) else { return .notFound }
            return isExpected ? json(UploadData(entry)) : conflict(entry)
        }
    }

    /// Answers what is known of a file.
    func upload(_ text: String) -> WebResponse {
        guard let id = UploadID(text), let entry = uploads?.entry(id) else { return .notFound }
        return json(UploadData(entry))
    }

    private func announce(
        _ id: UploadID,
        _ size: UInt64,
        named content: OpenFile,
        from client: String,
        _ uploads: UploadQueue
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
        case .accepted: return uploads.entry(id).map { json(UploadData($0)) } ?? .notFound
        case .forbidden: return Self.forbidden
        case .busy(let isDecided): return isDecided ? Self.busy : Self.sending
        // How much there is concerns nobody else.
        case .noSpace: return WebResponse(.noSpace, "The disk of the laptop has too little space for this file.")
        }
    }

    private func conflict(_ entry: UploadTable.Entry) -> WebResponse {
        var response = json(UploadData(entry))
        if response.status == .ok { response.status = .conflict }
        return response
    }

    /// Reads the name of a file, without folders; it is only shown, and never the name of a file on this disk.
    private static func fileName(_ bytes: [UInt8]) -> String? {
        let name = String(decoding: bytes, as: UTF8.self).split { "/\\".contains($0) }.last.map(String.init) ?? ""
        return name.isEmpty ? "file" : name
    }
}
