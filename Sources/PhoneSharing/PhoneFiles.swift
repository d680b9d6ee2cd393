import FoundationEssentials
package import MapPages
package import PeerCore
import PeerProtocol
import PeerStorage
package import RegionSharing
package import RegionStore
import Synchronization

/// What phones get of the regions of a sender, from the page for phones and by LocalSend: one set of files for each region, which are
/// made once, and one order of turns.
package final class PhoneFiles: Sendable {
    /// A file that is to be made.
    private struct Order {
        var kind: DownloadKind
        var downloads: RegionDownloads
        /// Whether its digest is needed.
        var isHashed: Bool
        /// Finished when it is there, or cannot be made.
        var done: AsyncStream<Void>.Continuation
    }

    /// A file of a set of files.
    private struct Key: Hashable {
        /// The version of the set.
        var version: String
        var kind: DownloadKind
    }

    private struct Contents {
        /// The files of all regions, by whether they have what concerns a person.
        var downloads: [Bool: [RegionDownloads]] = [:]
        /// What a person has answered.
        var answers: [PersonalPageQuestion.Way: Bool] = [:]
        var digests: [Key: ContentDigest] = [:]
    }

    /// The number of bytes that are hashed at once.
    private static let blockLength = 1 << 20

    /// The regions.
    let sent: [SentRegion]
    let store: RegionStore
    let ownID: PeerID
    let person: any Person
    let turns = PhoneTurns()
    /// Where the files are examined that phones send.
    let desk = UploadDesk()
    private let consent: Consent
    private let drawing: ShareFiles.SheetDrawer
    private let contents = Mutex(Contents())
    private let asking = AsyncLock()
    private let orders: AsyncStream<Order>
    private let continuation: AsyncStream<Order>.Continuation

    /// Creates it; no file is made yet.
    ///
    /// - Parameters:
    ///   - sent: The regions.
    ///   - consent: Whether a person is asked what of them phones get.
    ///   - drawing: Draws the sheet.
    package init(
        of sent: [SentRegion],
        in store: RegionStore,
        ownID: PeerID,
        consent: Consent,
        person: any Person,
        drawing: @escaping ShareFiles.SheetDrawer
    ) {
        (self.sent, self.store, self.ownID) = (sent, store, ownID)
        (self.consent, self.person, self.drawing) = (consent, person, drawing)
        (orders, continuation) = AsyncStream.makeStream()
    }

    /// What of the regions concerns a person.
    var personal: PersonalContent { sent.personal }

    // MARK: What concerns a person

    /// Returns whether what concerns a person goes to phones on some way, and asks if that is not known yet.
    ///
    /// - Parameters:
    ///   - isWished: Whether it goes without a question.
    ///   - willAsk: Called before the question.
    func includesPersonal(
        on way: PersonalPageQuestion.Way,
        isWished: Bool,
        willAsk: () -> Void = {}
    ) async throws -> Bool {
        guard personal.needsYesForPage, !isWished, consent.asks else { return isWished }
        if contents.withLock({ Self.answer(on: way, $0.answers) }) == nil { willAsk() }
        return try await asking.take {
            if let answer = contents.withLock({ Self.answer(on: way, $0.answers) }) { return answer }
            let answer = try await person.ask(PersonalPageQuestion(personal, on: way))
            contents.withLock { $0.answers[way] = answer }
            return answer
        }
    }

    /// The answer that follows from other ones; nil if it must be asked.
    ///
    /// A no counts for every way. A yes counts for ways that are as safe.
    private static func answer(
        on way: PersonalPageQuestion.Way,
        _ answers: [PersonalPageQuestion.Way: Bool]
    ) -> Bool? {
        if let answer = answers[way] { return answer }
        if answers.values.contains(false) { return false }
        let isForEncrypted = way == .localSend(isEncrypted: true)
        return answers.contains { isForEncrypted || $0.key != .localSend(isEncrypted: true) } ? true : nil
    }

    // MARK: Files

    /// Returns the files of the regions, in the order of these; none of them is made by that.
    func downloads(includesPersonal: Bool) throws -> [RegionDownloads] {
        if let known = contents.withLock({ $0.downloads[includesPersonal] }) { return known }
        let made = try sent.map { region in
            try store.downloads(
                of: region.source,
                fileName: { ExportFileName.stem(for: $0) },
                includesPersonal: includesPersonal,
                makers: ShareFiles.makers(for: region.source.region, drawing: drawing)
            )
        }
        // Another task may have been faster: all must get the same files.
        return contents.withLock { contents in
            let first = contents.downloads[includesPersonal] ?? made
            contents.downloads[includesPersonal] = first
            return first
        }
    }

    /// The name of a file that a phone gets.
    func name(of choice: PhoneChoice) -> String {
        let downloads = try? downloads(includesPersonal: true).first { $0.region.id == choice.region }
        return downloads?.name(of: choice.kind) ?? choice.kind.rawValue
    }

    /// Makes a file on a thread of its own, unless it is there, after those that were ordered before.
    ///
    /// - Parameter isHashed: Whether its digest is needed.
    /// - Throws: `CancellationError` if the task was cancelled; ``run()`` goes on making the file.
    func make(_ kind: DownloadKind, of downloads: RegionDownloads, isHashed: Bool = false) async throws {
        let (ends, done) = AsyncStream.makeStream(of: Void.self)
        continuation.yield(Order(kind: kind, downloads: downloads, isHashed: isHashed, done: done))
        for await _ in ends {}
        try Task.checkCancellation()
    }

    /// Makes all files of a region, one after the other.
    func makeAll(of downloads: RegionDownloads) async throws {
        for kind in RegionDownloads.madeKinds where downloads.kinds.contains(kind) {
            try await make(kind, of: downloads)
        }
    }

    /// Returns the SHA-256 digest of a file that was made with it.
    func digest(_ kind: DownloadKind, of downloads: RegionDownloads) -> ContentDigest? {
        contents.withLock { $0.digests[Key(version: downloads.version, kind: kind)] }
    }

    /// Makes the files that are ordered, one at a time, until the task is cancelled.
    func run() async {
        for await order in orders {
            let downloads = order.downloads
            await withTaskCancellationHandler {
                // An error is the state of the file.
                try? await OwnThread.run { [self] in
                    downloads.prepare(only: order.kind)
                    if order.isHashed { try hash(order.kind, of: downloads) }
                }
            } onCancel: {
                downloads.stop()
            }
            order.done.finish()
        }
    }

    private func hash(_ kind: DownloadKind, of downloads: RegionDownloads) throws {
        guard digest(kind, of: downloads) == nil, case .ready(let size) = downloads.state(of: kind) else { return }
        let opened = try downloads.open(kind)
        let file = OpenFile(owning: opened.descriptor, path: kind.rawValue, nil)
        var (hasher, position) = (ContentHasher(), UInt64(0))
        while position < size {
            try downloads.checkGoesOn()
            let block = try file.bytes(Int(min(UInt64(Self.blockLength), size - position)), at: position)
            guard !block.isEmpty else { return }
            hasher.update(block)
            position += UInt64(block.count)
        }
        let digest = hasher.finalize()
        contents.withLock { $0.digests[Key(version: downloads.version, kind: kind)] = digest }
    }
}
