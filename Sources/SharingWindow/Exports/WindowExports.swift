package import FoundationEssentials
import MapPages
import RegionSharing
package import RegionStore
import SharingReports
import Synchronization
import WebServer

/// The files that pages of the window have wished for, each until it was loaded, given up, or forgotten.
///
/// They have no names on the disk, so nothing is left of them.
package final class WindowExports: Sendable {
    /// A file that a person wants.
    package struct Wish: Hashable, Sendable {
        package var region: UUID
        package var kind: DownloadKind
        /// Whether it has what concerns a person.
        package var isPersonal: Bool
        /// Whether photos have what they say of the camera, the place and the time.
        package var hasPhotoDetails: Bool
        /// The part of the map; nil for the whole map.
        package var part: PartChoice?
    }

    /// Describes the files of the region of a wish.
    package typealias Making = @Sendable (Wish) throws -> RegionDownloads

    /// What a page shows of a file.
    struct Shown: Encodable {
        /// The size, in bytes; nil if it is not there yet.
        var size: UInt64?
        /// The name under which a browser saves it, and the last part of its address.
        var name: String?
        var path: String?
        /// Why there is no file, as a sentence.
        var problem: String?
        /// What a person should know of it, as a sentence.
        var note: String?
        /// How much of it was written, and about how much that will be, in bytes; 0 if that is not known.
        var written: UInt64 = 0
        var total: UInt64 = 0
    }

    private struct Entry {
        var wish: Wish
        var downloads: RegionDownloads?
        var problem: String?
        var lastRequest: SuspendingClock.Instant
    }

    private static let maximumCount = 8
    /// The time without a request after which a file is forgotten; pages in the background ask once a minute.
    static let patience: Duration = .seconds(180)
    private let begun: AsyncStream<UUID>
    private let continuation: AsyncStream<UUID>.Continuation
    private let entries = Mutex<[UUID: Entry]>([:])
    /// The number of those that are being made, with those that were given up and whose work has not ended yet.
    private let makingCount = Atomic(0)

    package init() {
        (begun, continuation) = AsyncStream.makeStream(
            of: UUID.self,
            bufferingPolicy: .bufferingOldest(Self.maximumCount)
        )
    }

    /// The number of files that are there or will be.
    var count: Int { entries.withLock { $0.count } }

    /// Begins to make a file; returns its id, or nil if there are too many.
    func begin(_ wish: Wish) -> UUID? {
        let id = UUID()
        let isKept = entries.withLock { entries in
            guard entries.count < Self.maximumCount, makingCount.load(ordering: .relaxed) < Self.maximumCount else {
                return false
            }
            entries[id] = Entry(wish: wish, lastRequest: .now)
            return true
        }
        guard isKept else { return nil }
        continuation.yield(id)
        return id
    }

    /// Gives up a file; what is being loaded of it goes on.
    func end(_ id: UUID) {
        let entry = entries.withLock { $0.removeValue(forKey: id) }
        entry?.downloads?.stop()
    }

    /// Gives up the files that no page has asked for.
    func forgetOld(at now: SuspendingClock.Instant) {
        let old = entries.withLock { entries in
            entries.filter { now - $0.value.lastRequest >= Self.patience }.map(\.key)
        }
        for id in old { end(id) }
    }

    /// Returns what a page shows of a file; nil if there is none.
    func shown(_ id: UUID) -> Shown? {
        let entry = entries.withLock { entries in
            entries[id]?.lastRequest = .now
            return entries[id]
        }
        guard let entry else { return nil }
        if let problem = entry.problem { return Shown(problem: problem) }
        guard let downloads = entry.downloads else { return Shown() }
        let kind = entry.wish.kind
        switch downloads.state(of: kind) {
        case .ready(let size):
            let name = downloads.name(of: kind)
            return Shown(size: size, name: name, path: WebPath.component(name), note: downloads.lack(of: kind))
        case .failed(let reason): return Shown(problem: reason)
        case .waiting: return Shown(written: downloads.made.written, total: downloads.made.total)
        case nil: return Shown(problem: "This file would have nothing in it.")
        }
    }

    /// Returns a file; nil if it is not there.
    ///
    /// - Parameter noteRequest: Called while the file is loaded.
    func file(_ id: UUID, _ path: String, noteRequest: @escaping @Sendable () -> Void) -> WebResponse? {
        guard let entry = entries.withLock({ $0[id] }), let downloads = entry.downloads,
            case let name = downloads.name(of: entry.wish.kind), WebPath.component(name) == path,
            let (descriptor, size) = try? downloads.open(entry.wish.kind)
        else { return nil }
        let content = WebFile(taking: descriptor, name: name, size: size, entityTag: downloads.version) {
            [self] event in
            noteRequest()
            // Whether the browser has all of it or has given up: it is not needed here any more.
            if case .ended = event { end(id) }
        }
        return WebResponse(content, as: entry.wish.kind.contentType)
    }

    /// Makes the files, each on a thread of its own, until the task is cancelled.
    package func run(_ making: @escaping Making) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while (try? await Task.sleep(for: .seconds(30))) != nil { forgetOld(at: .now) }
            }
            for await id in begun { group.addTask { [self] in await make(id, making) } }
            group.cancelAll()
        }
        for id in entries.withLock({ Array($0.keys) }) { end(id) }
    }

    private func make(_ id: UUID, _ making: @escaping Making) async {
        guard let wish = entries.withLock({ $0[id]?.wish }) else { return }
        makingCount.add(1, ordering: .relaxed)
        defer { makingCount.subtract(1, ordering: .relaxed) }
        do {
            try await withTaskCancellationHandler {
                try await OwnThread.run { [self] in
                    let downloads = try making(wish)
                    if take(downloads, for: id) { downloads.prepare(only: wish.kind) }
                }
            } onCancel: {
                end(id)
            }
        } catch {
            let words = ProblemReport(error).windowText.string
            entries.withLock { $0[id]?.problem = words }
        }
    }

    /// Keeps what makes a file; returns false if it was given up.
    private func take(_ downloads: RegionDownloads, for id: UUID) -> Bool {
        entries.withLock { entries in
            entries[id]?.downloads = downloads
            return entries[id] != nil
        }
    }
}
