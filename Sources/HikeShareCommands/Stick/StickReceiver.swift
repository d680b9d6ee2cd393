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
    /// - Throws: The error of the first file that cannot be used if nothing was taken; ``StickFile/old`` if a link was given and there is
    ///   nothing that it could open.
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
                case .part:
                    (left, taken) = (left + 1, taken + 1)
                    guard !reader.isForAnyone else { continue }
                    console.note("The file stays on the stick, for what you left out: \(path)")
                case .everything:
                    taken += 1
                    if !reader.isForAnyone { used.append(path) }
                }
            } catch {
                if error is CancellationError { throw error }
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
        if opened == 0, refused.isEmpty, secret == nil { return try writeRequest() }
        if let error = refused.first, taken == 0 { throw error }
        if opened == 0, refused.isEmpty { throw StickFile.old }
    }

    /// What was taken of a file.
    private enum Taken {
        case nothing
        case part
        case everything
    }

    /// The requests of this machine on the stick.
    private func ownRequests() -> [String] {
        let paths = (try? StickFile.paths(in: folder, StickFile.requestSuffix)) ?? []
        return paths.filter { (try? StickRequest(readingFile: $0))?.signer == local.id }
    }

    private func writeRequest() throws {
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
        let sink = store.sink(wanting: kinds, routes: routes, replacesItems: prompt.mayReplace)
        try await OwnThread.run { try sink.examine(manifest) }
        let answer = try await prompt.decide(TransferOffer(peer: peer, manifest: manifest))
        guard let accepted = answer.kinds else {
            if let refusal = prompt.refusal, refusal.code != .declined { throw refusal }
            return .nothing
        }
        let region = try manifest.region()
        let progress = WorkProgress("Reading \(region.name)", on: console)
        defer { progress.finish() }
        let total = Int64(clamping: reader.size)
        let taken = try await OwnThread.run {
            var reader = reader
            return try reader.receive(into: sink, accepting: accepted, from: peer) {
                progress.report(Int64(clamping: $0), of: total)
            }
        }
        progress.finish()
        try report(region, peer, taken.receipt, taken.byteCount)
        let offered = Set(ResourceKind.shown).intersection(manifest.entries.map(\.kind))
        return routes == .all && accepted.isSuperset(of: offered) ? .everything : .part
    }

    private func report(
        _ region: Region,
        _ peer: RemotePeer,
        _ receipt: TransferReceipt,
        _ byteCount: UInt64
    ) throws {
        let regions = try store.regions()
        let name = regions.first { $0.id == region.id }?.name ?? region.name
        let report = ReceivedReport(
            regionID: region.id,
            regionName: name,
            isOnlyOfName: regions.count { $0.name.lowercased() == name.lowercased() } == 1,
            nameThere: name == region.name ? nil : region.name,
            isPart: region.cut != nil,
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
