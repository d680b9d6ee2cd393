import FoundationEssentials
import PeerCore
import RegionStore

/// Writes a region to a stick.
struct StickSender: Sendable {
    var store: RegionStore
    var source: RegionSource
    var local: LocalPeer
    /// The folder of the stick.
    var folder: String
    /// Whether anyone who has a link may open it.
    var isForAnyone: Bool
    var acceptsAll: Bool
    var console: Console

    /// Writes a file for each request on the stick, or one for anyone.
    ///
    /// - Throws: ``CommandError`` if there is no request, or the person wants none of them; `RegionStoreError` if a file cannot be
    ///   written.
    func run() async throws {
        if isForAnyone {
            let secret = StickSecret()
            try await write(for: .anyone(secret), nil, secret)
            return
        }
        let paths = try StickFile.paths(in: folder, StickFile.requestSuffix)
        var count = 0
        for path in paths {
            do {
                let request = try await OwnThread.run { try StickRequest(readingFile: path) }
                guard try await confirm(request) else { continue }
                try await write(for: .machine(request), request, nil)
                count += 1
            } catch let error as RegionStoreError where error.code == .invalidFile {
                console.warn(ProblemReport(error, severity: .warning))
            }
        }
        guard count == 0 else { return }
        guard paths.isEmpty else { throw CommandError(.declined, "Nothing was written.") }
        throw CommandError(
            .notFound,
            "There is no request of another machine in \(folder).",
            remedy:
                "Write one there with 'hikeshare receive --stick FOLDER', or seal the region for anyone with --anyone."
        )
    }

    /// Asks whether the region is for the machine that has written a request, unless it is trusted.
    private func confirm(_ request: StickRequest) async throws -> Bool {
        guard request.signer != local.id else { return false }
        let title: DisplayText
        switch try store.trustedPeers.knownTrust(of: request.signer, callingItself: request.name) {
        case .trusted: return true
        case .impostor(let friend):
            title =
                "\(DisplayText(quoting: request.name)) (\("NOT your trusted", .alarm) \(DisplayText(quoting: friend)))"
        case .unknown:
            title = "\(DisplayText(quoting: request.name)) (new)"
        }
        if acceptsAll { return true }
        guard console.canAsk else {
            throw CommandError(
                .notTrusted,
                "The request on the stick is not from a trusted machine, and nobody can answer questions here.",
                remedy: "Run the command in a terminal, or use --yes."
            )
        }
        var introduction: DisplayText = "Request of \(title), \(Wording.day(request.date)), id \(request.signer.short)"
        if let personal = source.personal.words { introduction += "\n\(personal)" }
        return try await console.confirm(
            introduction: introduction,
            "Write \(DisplayText(quoting: source.region.name)) for this machine?"
        )
    }

    private func write(
        for recipient: StickWriter.Recipient,
        _ request: StickRequest?,
        _ secret: StickSecret?
    ) async throws {
        let mark = request.map { "-" + $0.digest.hex.prefix(8) } ?? ""
        let path = folder + "/" + ExportFileName.stem(for: source.region.name) + mark + StickFile.suffix
        let progress = WorkProgress("Writing \(source.region.name)", on: console)
        defer { progress.finish() }
        let (source, local) = (source, local)
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
                secret: secret
            )
        )
        guard let secret else { return }
        if let code = QRCode(secret.text) { console.note(QRCodeSheet(code)) }
        console.note("Anyone who has the stick and this link can read the region.")
    }
}

extension FileManager {
    /// The size of a file in bytes; nil if it is not known.
    fileprivate func size(ofFileAt path: String) -> UInt64? {
        (try? attributesOfItem(atPath: path))?[.size] as? UInt64
    }
}
