import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol
import PeerStorage

/// The storage of one offered resource, over any number of connections.
///
/// After a break, ``begin(_:accepting:from:)`` resumes with the received part. If the resource is complete already, the other side
/// gets its receipt.
final class ResourceStorage: ResourceSink, Sendable {
    private struct State {
        var entry: ManifestEntry?
        var draft: (any ResourceDraft)?
        var transfer: IncomingResource?
    }

    private let destination: ResourceDestination
    private let name: SafeFileName
    private let size: UInt64
    private let partials: PartialResources?
    private let faults: (any FaultInjector)?
    private let syncInterval: UInt64
    private let state = NIOLockedValueBox(State())
    private let result = NIOLockedValueBox<ReceivedResource?>(nil)

    /// Creates the storage of an offer, whose name may be anything; `faults` and `syncInterval` are for tests.
    ///
    /// Received parts are kept in `partials` for the next offer of the same bytes, or else only until ``discard()``.
    init(
        _ destination: ResourceDestination,
        offeredName: String,
        offeredSize: UInt64,
        partials: PartialResources?,
        faults: (any FaultInjector)? = nil,
        syncInterval: UInt64 = GradualSync.interval
    ) {
        self.destination = destination
        self.name = SafeFileName(offeredName)
        self.size = offeredSize
        self.partials = partials
        self.faults = faults
        self.syncInterval = syncInterval
    }

    deinit { discard() }

    /// The received resource; nil before the commit.
    var received: ReceivedResource? { result.withLockedValue { $0 } }

    func understands(_ kind: ResourceKind) -> Bool { kind == .file }

    func examine(_ manifest: Manifest) throws {
        let entry = try entry(of: manifest)
        guard received == nil else { return }
        guard let target = try target() else {
            guard case .memory(let limit) = destination, Int(exactly: entry.size).map({ $0 <= limit }) == true else {
                throw PeerError.exceedsMemory(name)
            }
            return
        }
        try name.storing { () throws(SystemError) in try target.check() }
        let isBegun = state.withLockedValue { $0.draft != nil && $0.entry == entry }
        if !isBegun { try checkSpace(for: entry, target) }
    }

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer {
        let entry = try entry(of: manifest)
        guard kinds.contains(.file) else { throw PeerError.notPartOfTransfer }
        return try state.withLockedValue { state in
            // The connection of an earlier transfer is of no use any more.
            state.transfer?.abandon()
            if let received {
                // The connection broke before the other side knew.
                guard state.entry == entry else { throw PeerError.otherThanOffered }
                return IncomingResource(entry, into: ReceivedDraft(resource: received)) { _ in }
            }
            if state.entry != entry {
                state.draft?.discard()
                state.draft = nil
            }
            // The draft outlives connections, so a transfer resumes with the chunks that have arrived.
            let draft = try state.draft ?? makeDraft(entry)
            (state.entry, state.draft) = (entry, draft)
            try draft.resume()
            let transfer = IncomingResource(entry, into: draft) { [weak self] resource in
                self?.result.withLockedValue { $0 = resource }
            }
            state.transfer = transfer
            return transfer
        }
    }

    /// Ends the transfer finally, and removes the files that are no longer needed.
    ///
    /// Parts that are kept for the next offer stay. Nothing happens to a resource that was received.
    func discard() {
        state.withLockedValue { state in
            state.transfer?.abandon()
            state.draft?.discard()
            state = State()
        }
    }

    /// Returns the only entry of a manifest.
    private func entry(of manifest: Manifest) throws(PeerError) -> ManifestEntry {
        guard manifest.entries.count == 1, let entry = manifest.entries.first, entry.kind == .file, entry.size == size
        else { throw .otherThanOffered }
        return entry
    }

    private func makeDraft(_ entry: ManifestEntry) throws(PeerError) -> any ResourceDraft {
        guard let target = try target() else {
            guard case .memory(let limit) = destination, let draft = MemoryDraft(entry.layout, limit: limit) else {
                throw .exceedsMemory(name)
            }
            return draft
        }
        try name.storing { () throws(SystemError) in try target.check() }
        try checkSpace(for: entry, target)
        let parts = try parts(isCreating: true)
        let draft = try FileDraft(entry, name, to: target, keptIn: parts, syncInterval: syncInterval)
        // The transfer holds the lock of its own part by now, so that an old part which is resumed stays.
        parts?.removeOld(roomFor: entry.size)
        return draft
    }

    /// Opens the folder of the destination; returns nil if the destination is memory.
    private func target() throws(PeerError) -> FileTarget? {
        switch destination {
        case .file(let path): try FileTarget(file: path, faults)
        case .folder(let path): try FileTarget(folder: path, name, faults)
        case .memory: nil
        }
    }

    /// Opens the folder of the received parts; returns nil if none are kept.
    private func parts(isCreating: Bool) throws(PeerError) -> ReceivedParts? {
        guard let partials else { return nil }
        let path = partials.folder
        try FileTarget.check(path)
        return try name.storing { () throws(SystemError) in
            if isCreating { try Folder.make(path, faults) }
            let folder = try Folder(path, faults)
            return ReceivedParts(
                in: folder,
                lockedIn: folder,
                isForPeople: true,
                lifetime: partials.lifetime,
                maximumLength: partials.maximumSize
            )
        }
    }

    /// Checks that the disks have room for the missing bytes.
    private func checkSpace(for entry: ManifestEntry, _ target: FileTarget) throws(PeerError) {
        let parts = try? parts(isCreating: false)
        let missing = entry.size - min(entry.size, parts?.size(of: entry) ?? 0)
        try checkSpace(missing, in: parts?.folder ?? target.folder)
        guard let parts, let devices = try? (parts.folder.device(), target.folder.device()), devices.0 != devices.1
        else { return }
        // The complete file will be copied from disk to disk.
        try checkSpace(entry.size, in: target.folder)
    }

    private func checkSpace(_ need: UInt64, in folder: Folder) throws(PeerError) {
        let (available, total) = try name.storing { () throws(SystemError) in try folder.space() }
        // This leaves some room for other programs.
        let reserve = min(total / 100, Self.largestReserve)
        guard need == 0 || available >= reserve && available - reserve >= need else {
            throw .noRoom(name, need: need + reserve, available: available)
        }
    }

    private static let largestReserve: UInt64 = 64 << 20
}

extension SafeFileName {
    /// Calls `body` to store a file of this name; its error names the file.
    func storing<Result>(_ body: () throws(SystemError) -> Result) throws(PeerError) -> Result {
        do {
            return try body()
        } catch {
            throw .cannotStore(self, error)
        }
    }
}
