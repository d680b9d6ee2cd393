import FoundationEssentials
import PeerCore
import RegionStore

/// Receives regions from a stick, or writes a request to it.
struct StickReceiver: Sendable {
    var store: RegionStore
    var local: LocalPeer
    /// The folder of the stick.
    var folder: String
    var kinds: Set<ResourceKind>?
    var routes: RouteSelection
    var acceptsAll: Bool
    /// What opens files that are sealed for anyone; nil for nothing.
    var secret: StickSecret?
    var console: Console

    /// Receives from all files on the stick that this machine can open; if there are none, writes a request.
    ///
    /// - Throws: The error of a file that cannot be used if there is no other one; ``ReportedFailure`` if nothing was taken of several;
    ///   ``StickFile/old`` if a link was given and there is nothing that it could open; ``CommandError`` if a request is not written.
    func run() async throws {
        let paths = try StickFile.paths(in: folder, StickFile.suffix)
        let keys = try StickReader.Keys(of: store, secret: secret)
        // The files that were sealed for this machine and are used up, and how many stay as they are.
        var (used, left, opened, taken, refused) = ([String](), 0, 0, 0, [any Error]())
        for path in paths {
            do {
                guard let reader = try await OwnThread.run({ try StickReader(path, with: keys) }) else {
                    let isForAnyone = secret == nil && StickReader.isForAnyone(path)
                    console.warn(of: isForAnyone ? StickFile.needsLink : StickFile.old, in: path)
                    continue
                }
                opened += 1
                switch try await receive(reader) {
                case .nothing:
                    left += 1
                case .part(let reason):
                    (left, taken) = (left + 1, taken + 1)
                    guard !reader.isForAnyone else { continue }
                    console.note("The file stays on the stick, \(reason): \(path)")
                case .everything:
                    taken += 1
                    if !reader.isForAnyone { used.append(path) }
                }
            } catch {
                if error is CancellationError || paths.count == 1 { throw error }
                refused.append(error)
                console.warn(of: error, in: path)
            }
        }
        if !used.isEmpty, left == 0, refused.isEmpty {
            // Nobody else can open them, and without the key nobody ever can.
            try store.closeStickRequest()
            // What would be sealed for the request from now on, nobody could open.
            let requests = try await OwnThread.run { ownRequests() }
            for path in used + requests { try? FileManager.default.removeItem(atPath: path) }
        }
        // A file that cannot be used now may be used later, so its request stays open.
        if opened == 0, refused.isEmpty, secret == nil { return try await writeRequest(besides: paths.count) }
        if let error = refused.first, taken == 0 { throw ReportedFailure(status: ExitStatus(error)) }
        if opened == 0, refused.isEmpty { throw StickFile.old }
    }

    /// What was taken of a file.
    private enum Taken {
        case nothing
        /// Something is left in the file, for a reason.
        case part(DisplayText)
        case everything
    }

    /// The requests of this machine on the stick.
    private func ownRequests() -> [String] {
        let paths = (try? StickFile.paths(in: folder, StickFile.requestSuffix)) ?? []
        return paths.filter { (try? StickRequest(readingFile: $0))?.signer == local.id }
    }

    /// Writes a request, which says what this machine has.
    ///
    /// A stick with files for others may belong to somebody else.
    private func writeRequest(besides fileCount: Int) async throws {
        if fileCount > 0, !acceptsAll {
            guard console.canAsk else {
                throw CommandError(
                    .noTerminal,
                    "No file on the stick is for this machine. A request says which maps you have, and without a terminal the "
                        + "program cannot ask whether to write one to this stick.",
                    remedy: "Run the command in a terminal, or use --yes."
                )
            }
            guard
                try await console.confirm(
                    introduction: "No file on the stick is for this machine. A request says which maps you have.",
                    "Write a request to this stick?"
                )
            else { throw CommandError(.declined, "You declined; nothing was written.") }
        }
        let (request, path, isReplacement) = try store.writeStickRequest(to: folder, name: local.displayName) {
            try local.identity.sign($0)
        }
        console.emit(StickRequestReport(path: path, folder: folder, request: request))
        guard isReplacement else { return }
        console.note("It replaces your former request: what is sealed for that one cannot be opened any more.")
    }

    /// Asks about a region, and takes what the person wants of it.
    private func receive(_ reader: StickReader) async throws -> Taken {
        let trust = try store.trustedPeers.knownTrust(of: reader.sender, callingItself: reader.senderName)
        if case .impostor(let name) = trust {
            throw CommandError(
                .notTrusted,
                "The file on the stick is not from the “\(name)” that you trust: it has a different key.",
                remedy: ProgramRemedy.impostor(called: name)
            )
        }
        let peer = RemotePeer(
            id: reader.sender,
            displayName: reader.senderName,
            platform: "",
            software: "",
            address: folder,
            // The signature proves the key.
            security: .encrypted(reader.sender),
            trust: trust
        )
        let prompt = OfferPrompt(
            store: store,
            kinds: kinds,
            routes: routes,
            acceptsAll: acceptsAll,
            ownID: local.id,
            console: console
        )
        let manifest = reader.manifest
        var sink = store.sink(wanting: kinds, routes: routes, replacesItems: prompt.mayReplace)
        sink.noteMapChange = prompt.note
        let target = sink
        try await OwnThread.run { try target.examine(manifest) }
        let answer = try await prompt.decide(TransferOffer(peer: peer, manifest: manifest))
        guard let accepted = answer.kinds else {
            guard let refusal = prompt.refusal, refusal.code != .declined else { return .nothing }
            guard refusal.code == .notTrusted, !console.canAsk else { throw refusal }
            throw CommandError(
                .noTerminal,
                "“\(peer.displayName)”, who has written the file on the stick, is not trusted, and without a terminal the program "
                    + "cannot ask you.",
                remedy: "Run the command in a terminal, or use --yes."
            )
        }
        let region = try manifest.region()
        let progress = WorkProgress("Reading \(region.name)", on: console)
        defer { progress.finish() }
        let total = Int64(clamping: reader.size)
        let taken = try await OwnThread.run {
            var reader = reader
            return try reader.receive(into: target, accepting: accepted, from: peer) {
                progress.report(Int64(clamping: $0), of: total)
            }
        }
        progress.finish()
        try report(region, peer, taken.receipt, taken.byteCount, prompt.takeMapChange(of: region.id))
        // Also kinds that only a newer version knows.
        guard routes == .all, accepted.isSuperset(of: manifest.entries.map(\.kind)) else {
            return .part("for what you left out")
        }
        // Of a stranger without a question, what differs was not taken. Otherwise, what stays here is newer.
        guard prompt.mayReplace(peer) || taken.receipt.keptLocal.values.allSatisfy({ $0 <= 0 }) else {
            return .part("for what differs from yours; to take that, receive it without --yes")
        }
        return .everything
    }

    private func report(
        _ region: Region,
        _ peer: RemotePeer,
        _ receipt: TransferReceipt,
        _ byteCount: UInt64,
        _ change: (MapChange, ChangedRoutes?)?
    ) throws {
        let regions = try store.regions()
        let name = regions.first { $0.id == region.id }?.name ?? region.name
        let report = ReceivedReport(
            regionID: region.id,
            regionName: name,
            isOnlyOfName: regions.count { $0.name.lowercased() == name.lowercased() } == 1,
            nameThere: name == region.name ? nil : region.name,
            isPart: region.cut != nil,
            change: change,
            result: TransferReceiver.Result(
                peer: peer,
                receipt: receipt,
                bytesTransferred: byteCount,
                bytesSaved: 0
            )
        )
        console.emit(report)
        console.note(report.nextSteps)
    }
}
