import FoundationEssentials
package import PeerCore
package import RegionStore

/// Writes regions to a stick, each to a file of its own.
package struct StickSender: Sendable {
    private let store: RegionStore
    private let sources: [RegionSource]
    private let personal: PersonalContent
    private let local: LocalPeer
    private let folder: String
    private let isForAnyone: Bool
    private let consent: Consent
    private let person: any Person

    /// The most files of one region, each for a secret of its own, that get free names.
    private static let maximumFileCount = 99

    /// Creates a sender.
    package init(
        _ sources: [RegionSource],
        personal: PersonalContent,
        of store: RegionStore,
        local: LocalPeer,
        to folder: String,
        isForAnyone: Bool,
        consent: Consent,
        person: any Person
    ) {
        (self.sources, self.personal, self.store, self.local) = (sources, personal, store, local)
        (self.folder, self.isForAnyone, self.consent, self.person) = (folder, isForAnyone, consent, person)
    }

    /// Writes the files for each request on the stick, or those for anyone, which one secret opens.
    package func run() async throws {
        if isForAnyone { return try await writeForAnyone() }
        var (count, declined) = (0, 0)
        for path in try StickFile.paths(in: folder, StickFile.requestSuffix) {
            do {
                let request = try await OwnThread.run { try StickRequest(readingFile: path) }
                guard request.signer != local.id else { continue }
                let recipient = try recipient(of: request)
                guard try await confirm(recipient) else {
                    declined += 1
                    continue
                }
                for source in sources { try await write(source, for: recipient) }
                count += 1
            } catch let error as RegionStoreError where error.code == .invalidFile {
                person.tell(.stick(.unusable(path: path, error)))
            }
        }
        guard count == 0 else { return }
        throw declined == 0 ? StickError.noRequest(folder: folder) : .declined
    }

    private func writeForAnyone() async throws {
        if !personal.isEmpty {
            if consent.asks {
                let question = StickAnyoneQuestion(personal: personal, regionCount: sources.count)
                guard try await person.ask(question) else { throw StickError.declined }
            } else {
                person.tell(.stick(.personal(personal)))
            }
        }
        let secret = StickSecret()
        for source in sources {
            try await write(to: try freePath(for: source), source, for: .anyone(secret)) { $0.secret = secret }
        }
        person.tell(.stick(.sealedForAnyone(secret, regionCount: sources.count)))
    }

    /// Asks whether the regions are for the machine that has written a request, unless it is trusted.
    private func confirm(_ recipient: StickRecipient) async throws -> Bool {
        if recipient.isTrusted || consent == .everything { return true }
        guard consent.asks else { throw StickError.unknownRecipient }
        let regions = sources.map(\.region.name)
        return try await person.ask(StickRecipientQuestion(recipient: recipient, regions: regions, personal: personal))
    }

    /// Who has written a request.
    private func recipient(of request: StickRequest) throws -> StickRecipient {
        let trust = try store.trustedPeers.knownTrust(of: request.signer, callingItself: request.name)
        return StickRecipient(request: request, trust: trust)
    }

    /// Writes a region for the machine that has written a request.
    private func write(_ source: RegionSource, for recipient: StickRecipient) async throws {
        let path = folder + "/" + fileName(of: source, recipient.request)
        guard !FileManager.default.fileExists(atPath: path) else {
            return person.tell(.stick(.writtenBefore(path: path)))
        }
        try await write(to: path, source, for: .machine(recipient.request)) { $0.recipient = recipient }
    }

    private func write(
        to path: String,
        _ source: RegionSource,
        for recipient: StickWriter.Recipient,
        noting note: (inout WrittenStickFile) -> Void
    ) async throws {
        let region = source.region
        do {
            defer { person.tell(.stick(.writing(region: region.name, nil))) }
            try await OwnThread.run { [local, person] in
                let sender = StickWriter.Sender(name: local.displayName) { try local.identity.sign($0) }
                try StickWriter.write(to: path, source, for: recipient, from: sender) { done, total in
                    let progress = ImportProgress.bytes(Int64(clamping: done), of: Int64(clamping: total))
                    person.tell(.stick(.writing(region: region.name, progress)))
                }
            }
        }
        var written = WrittenStickFile(path: path, regionID: region.id, regionName: region.name)
        written.size = FileManager.default.size(ofFileAt: path)
        note(&written)
        person.tell(.stick(.written(written)))
    }

    /// The path of a file for anyone; files that were written before, for another secret, stay.
    private func freePath(for source: RegionSource) throws -> String {
        let path = folder + "/" + fileName(of: source, nil)
        let stem = path.dropLast(StickFile.suffix.count)
        let others = (2...Self.maximumFileCount).lazy.map { "\(stem)-\($0)\(StickFile.suffix)" }
        guard FileManager.default.fileExists(atPath: path) else { return path }
        if let free = others.first(where: { !FileManager.default.fileExists(atPath: $0) }) { return free }
        throw StickError.tooManyFiles(region: source.region.name, count: Self.maximumFileCount)
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

extension PersonalContent {
    /// Whether nothing of it is written.
    fileprivate var isEmpty: Bool { hikes + comments + notes + links + pointTexts + photos + healthRecords == 0 }
}

extension FileManager {
    /// The size of a file in bytes; nil if it is not known.
    fileprivate func size(ofFileAt path: String) -> UInt64? {
        (try? attributesOfItem(atPath: path))?[.size] as? UInt64
    }
}
