import FoundationEssentials
import PeerCore
import RegionStore

/// Writes regions to a stick, each to a file of its own.
struct StickSender: Sendable {
    var store: RegionStore
    /// What is written.
    var sources: [RegionSource]
    /// What of it concerns a person.
    var personal: PersonalContent
    var local: LocalPeer
    /// The folder of the stick.
    var folder: String
    /// Whether anyone who has a link may open it.
    var isForAnyone: Bool
    var acceptsAll: Bool
    var console: Console

    /// The most files of one region, each for a link of its own, that get free names.
    private static let maximumFileCount = 99

    /// Writes the files for each request on the stick, or those for anyone, which one link opens.
    ///
    /// - Throws: ``CommandError`` if there is no request, or the person wants none of them; `RegionStoreError` if a file cannot be
    ///   written.
    func run() async throws {
        if isForAnyone { return try await writeForAnyone() }
        var (count, declined) = (0, 0)
        for path in try StickFile.paths(in: folder, StickFile.requestSuffix) {
            do {
                let request = try await OwnThread.run { try StickRequest(readingFile: path) }
                guard request.signer != local.id else { continue }
                guard try await confirm(request) else {
                    declined += 1
                    continue
                }
                for source in sources { try await write(source, for: .machine(request), request, nil) }
                count += 1
            } catch let error as RegionStoreError where error.code == .invalidFile {
                console.warn(of: error, in: path)
            }
        }
        guard count == 0 else { return }
        guard declined == 0 else { throw CommandError(.declined, "You declined; nothing was written.") }
        throw CommandError(
            .notFound,
            "There is no request of another machine in \(folder).",
            remedy:
                "Write one there with 'hikeshare receive --stick FOLDER', or seal the region for anyone with --anyone."
        )
    }

    private func writeForAnyone() async throws {
        let what: DisplayText = sources.count == 1 ? "the region" : "the regions"
        if let words = personal.words {
            if console.canAsk, !acceptsAll {
                guard try await console.confirm(introduction: words, "Write \(what) for anyone who has the link?")
                else {
                    throw CommandError(.declined, "You declined; nothing was written.")
                }
            } else {
                console.note(words)
            }
        }
        let secret = StickSecret()
        for source in sources { try await write(source, for: .anyone(secret), nil, secret) }
        if let code = QRCode(secret.text) { console.note(QRCodeSheet(code)) }
        console.note("Anyone who has the stick and this link can read \(what).")
    }

    /// Asks whether the regions are for the machine that has written a request, unless it is trusted.
    private func confirm(_ request: StickRequest) async throws -> Bool {
        let (title, isTrusted) = try recipient(of: request)
        if isTrusted || acceptsAll { return true }
        guard console.canAsk else {
            throw CommandError(
                .noTerminal,
                "The request on the stick is not from a trusted machine, and without a terminal the program cannot ask you.",
                remedy: "Run the command in a terminal, or use --yes."
            )
        }
        var introduction: DisplayText = "Request of \(title), \(Wording.day(request.date)), id \(request.signer.short)"
        if let words = personal.words { introduction += "\n\(words)" }
        let what: DisplayText =
            sources.count == 1 ? "\(DisplayText(quoting: sources[0].region.name))" : "\(sources.count) regions"
        return try await console.confirm(introduction: introduction, "Write \(what) for this machine?")
    }

    /// Who has written a request, by the name that a trusted machine has here, and whether the machine is trusted.
    private func recipient(of request: StickRequest) throws -> (title: DisplayText, isTrusted: Bool) {
        let title: DisplayText
        switch try store.trustedPeers.knownTrust(of: request.signer, callingItself: request.name) {
        case .trusted(let name):
            return (DisplayText(quoting: name), true)
        case .impostor(let friend):
            title =
                "\(DisplayText(quoting: request.name)) (\("NOT your trusted", .alarm) \(DisplayText(quoting: friend)))"
        case .known, .unknown:
            title = "\(DisplayText(quoting: request.name)) (new)"
        }
        return (title, false)
    }

    private func write(
        _ source: RegionSource,
        for recipient: StickWriter.Recipient,
        _ request: StickRequest?,
        _ secret: StickSecret?
    ) async throws {
        let path: String
        if let request {
            path = folder + "/" + fileName(of: source, request)
            guard !FileManager.default.fileExists(atPath: path) else {
                let message = "\(path) was written before for this request."
                return console.note(
                    "\(message) To write it again, remove it.",
                    .writtenBefore,
                    message,
                    remedy: "To write it again, remove it."
                )
            }
        } else {
            path = try freePath(for: source)
        }
        let progress = WorkProgress("Writing \(source.region.name)", on: console)
        defer { progress.finish() }
        let local = local
        try await OwnThread.run {
            let sender = StickWriter.Sender(name: local.displayName) { try local.identity.sign($0) }
            try StickWriter.write(to: path, source, for: recipient, from: sender) { done, total in
                progress.report(Int64(clamping: done), of: Int64(clamping: total))
            }
        }
        progress.finish()
        console.emit(
            StickWrittenReport(
                path: path,
                size: FileManager.default.size(ofFileAt: path),
                regionID: source.region.id,
                regionName: source.region.name,
                recipient: request,
                recipientTitle: try request.map { try self.recipient(of: $0).title },
                secret: secret
            )
        )
    }

    /// The path of a file for anyone; files that were written before, for another link, stay.
    ///
    /// - Throws: ``CommandError`` if there are too many.
    private func freePath(for source: RegionSource) throws -> String {
        let path = folder + "/" + fileName(of: source, nil)
        let stem = path.dropLast(StickFile.suffix.count)
        let others = (2...Self.maximumFileCount).lazy.map { "\(stem)-\($0)\(StickFile.suffix)" }
        guard FileManager.default.fileExists(atPath: path) else { return path }
        if let free = others.first(where: { !FileManager.default.fileExists(atPath: $0) }) { return free }
        throw CommandError(
            .storage,
            "There are \(Self.maximumFileCount) files of “\(source.region.name)” for anyone on the stick already.",
            remedy: "Remove those that nobody needs."
        )
    }

    /// The name of a file, with the start of the id if several regions would have the same one.
    private func fileName(of source: RegionSource, _ request: StickRequest?) -> String {
        let stem = ExportFileName.stem(for: source.region.name)
        let namesakes = sources.count { ExportFileName.stem(for: $0.region.name).lowercased() == stem.lowercased() }
        let id = namesakes > 1 ? "-" + source.region.id.uuidString.prefix(8).lowercased() : ""
        let mark = request.map { "-" + $0.digest.hex.prefix(8) } ?? ""
        return stem + id + mark + StickFile.suffix
    }
}

extension FileManager {
    /// The size of a file in bytes; nil if it is not known.
    fileprivate func size(ofFileAt path: String) -> UInt64? {
        (try? attributesOfItem(atPath: path))?[.size] as? UInt64
    }
}
