import FoundationEssentials
package import PeerCore
package import RegionStore

/// Receives regions from a stick, or writes a request to it.
package struct StickReceiver: Sendable {
    private let store: RegionStore
    private let local: LocalPeer
    private let folder: String
    private let kinds: Set<ResourceKind>?
    private let routes: RouteSelection
    private let secret: StickSecret?
    private let consent: Consent
    private let person: any Person

    /// Creates a receiver; a secret opens files that are sealed for anyone.
    package init(
        into store: RegionStore,
        local: LocalPeer,
        from folder: String,
        kinds: Set<ResourceKind>?,
        routes: RouteSelection,
        secret: StickSecret?,
        consent: Consent,
        person: any Person
    ) {
        (self.store, self.local, self.folder, self.kinds, self.routes) = (store, local, folder, kinds, routes)
        (self.secret, self.consent, self.person) = (secret, consent, person)
    }

    /// Receives from all files on the stick that this machine can open; if there are none, writes a request.
    ///
    /// - Throws: The error of a file that cannot be used if there is no other one; ``NothingTaken`` if all errors were
    ///   told; ``StickError`` if a secret was given that opens nothing, or if a request is not written.
    package func run() async throws {
        let paths = try StickFile.paths(in: folder, StickFile.suffix)
        let keys = try StickReader.Keys(of: store, secret: secret)
        // The files that were sealed for this machine and are used up, and how many stay as they are.
        var (used, left, opened, taken, refused) = ([String](), 0, 0, 0, [any Error]())
        for path in paths {
            do {
                guard let reader = try await OwnThread.run({ try StickReader(path, with: keys) }) else {
                    let isForAnyone = secret == nil && StickReader.isForAnyone(path)
                    person.tell(.stick(.unusable(path: path, isForAnyone ? StickFile.needsLink : StickFile.old)))
                    continue
                }
                opened += 1
                switch try await receive(reader) {
                case .nothing: left += 1
                case .part(let remainder):
                    (left, taken) = (left + 1, taken + 1)
                    guard !reader.isForAnyone else { continue }
                    person.tell(.stick(.left(path: path, remainder)))
                case .everything:
                    taken += 1
                    if !reader.isForAnyone { used.append(path) }
                }
            } catch {
                if error is CancellationError || paths.count == 1 { throw error }
                refused.append(error)
                person.tell(.stick(.unusable(path: path, error)))
            }
        }
        if !used.isEmpty, left == 0, refused.isEmpty {
            // No other machine can open them, and without the key this one cannot, either.
            try store.closeStickRequest()
            // What is sealed for the request from now on could not be opened.
            let requests = try await OwnThread.run { ownRequests() }
            for path in used + requests { try? FileManager.default.removeItem(atPath: path) }
        }
        // A file that cannot be used now may be used later, so its request stays open.
        if opened == 0, refused.isEmpty, secret == nil { return try await writeRequest(besides: paths.count) }
        if let error = refused.first, taken == 0 { throw NothingTaken(error: error) }
        if opened == 0, refused.isEmpty { throw StickError.secretOpensNothing }
    }

    /// What was taken of a file.
    private enum Taken {
        case nothing
        /// Something is left in the file.
        case part(StickRemainder)
        case everything
    }

    private func ownRequests() -> [String] {
        let paths = (try? StickFile.paths(in: folder, StickFile.requestSuffix)) ?? []
        return paths.filter { (try? StickRequest(readingFile: $0))?.signer == local.id }
    }

    /// Writes a request, which says what this machine has; a stick with files for others may belong to another person.
    private func writeRequest(besides fileCount: Int) async throws {
        if fileCount > 0, consent != .everything {
            guard consent.asks else { throw StickError.unasked }
            guard try await person.ask(StickRequestQuestion()) else { throw StickError.declined }
        }
        let (request, path, isReplacement) = try store.writeStickRequest(to: folder, name: local.displayName) {
            try local.identity.sign($0)
        }
        let written = WrittenStickRequest(path: path, folder: folder, request: request, isReplacement: isReplacement)
        person.tell(.stick(.requested(written)))
    }

    /// Asks about a region, and takes what the person wants of it.
    private func receive(_ reader: StickReader) async throws -> Taken {
        let trust = try store.trustedPeers.knownTrust(of: reader.sender, callingItself: reader.senderName)
        if case .impostor(let name) = trust { throw StickError.impostor(name: name) }
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
        let decider = OfferDecider(
            store: store,
            kinds: kinds,
            routes: routes,
            consent: consent,
            ownID: local.id,
            person: person
        )
        let manifest = reader.manifest
        var sink = store.sink(wanting: kinds, routes: routes, replacesItems: decider.mayReplace)
        sink.isAsAgreed = decider.isAsAgreed
        sink.noteMapChange = decider.note
        let target = sink
        try await OwnThread.run { try target.examine(manifest) }
        guard let accepted = try await decider.decide(TransferOffer(peer: peer, manifest: manifest)).kinds else {
            guard let refusal = decider.refusal, !refusal.isRefusal else { return .nothing }
            if case .stranger = refusal { throw StickError.unknownSender(name: peer.displayName) }
            throw refusal
        }
        let region = try manifest.region()
        let (receipt, byteCount) = try await take(accepted, of: reader, called: region.name, from: peer, into: target)
        let result = TransferReceiver.Result(peer: peer, receipt: receipt, bytesTransferred: byteCount, bytesSaved: 0)
        let received = ReceivedRegion(region, in: store, change: decider.takeMapChange(of: region.id), result: result)
        person.tell(.receiving(.received(received, isLast: true)))
        // Also kinds that only a newer version knows.
        guard routes == .all, accepted.isSuperset(of: manifest.entries.map(\.kind)) else { return .part(.leftOut) }
        // Of a stranger without a question, what differs was not taken. Otherwise, what stays here is newer.
        guard decider.mayReplace(peer) || receipt.keptLocal.values.allSatisfy({ $0 <= 0 }) else {
            return .part(.different)
        }
        return .everything
    }

    private func take(
        _ kinds: Set<ResourceKind>,
        of reader: StickReader,
        called name: String,
        from peer: RemotePeer,
        into sink: RegionSink
    ) async throws -> (receipt: TransferReceipt, byteCount: UInt64) {
        defer { person.tell(.stick(.reading(region: name, nil))) }
        let total = Int64(clamping: reader.size)
        return try await OwnThread.run { [person] in
            var reader = reader
            return try reader.receive(into: sink, accepting: kinds, from: peer) {
                person.tell(.stick(.reading(region: name, .bytes(Int64(clamping: $0), of: total))))
            }
        }
    }
}
