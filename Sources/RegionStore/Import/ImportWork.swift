import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import RegionModel
import Synchronization

/// The limits of one import, and whether it was stopped.
///
/// A person who imports a file has chosen it. A file from another machine is examined with less memory, and before a person has
/// agreed also within a bounded time.
package final class ImportWork: Sendable {
    /// The time for work that no person has agreed to has passed.
    package struct TooLong: Error {}

    /// The memory of SQLite for a file that was sent, in bytes.
    private static let memory: Int64 = 12 << 20

    /// How an import has come about.
    package enum Occasion: Sendable {
        /// A person imports the file.
        case command
        /// It was sent, and a person has agreed to the work.
        case agreed
        /// It was sent, and no person was asked.
        case unasked
    }

    private let occasion: Occasion
    /// Whether the file was written for the import alone, in the store: it is taken, and not copied.
    private let takesFile: Bool
    /// The processor time for work that no person has agreed to, in seconds.
    private let patience: Double
    private let isStopped = Atomic(false)
    /// The processor time of the thread of ``run(_:)`` at its beginning, in seconds.
    private let start = Mutex<Double?>(nil)

    /// Creates the work of an import.
    ///
    /// - Parameters:
    ///   - takesFile: Whether the file was written for the import alone, in the store, so that it is taken and not copied.
    ///   - patience: The processor time for work that no person has agreed to, in seconds; nil for the usual one.
    package init(_ occasion: Occasion = .command, takesFile: Bool = false, patience: Double? = nil) {
        (self.occasion, self.takesFile) = (occasion, takesFile)
        self.patience = patience ?? ImportCost.patience
    }

    /// Ends the work at its next step; called on any thread.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Whether the work must end.
    var isCancelled: @Sendable () -> Bool { { self.isStopped.load(ordering: .relaxed) } }

    /// Does the work on this thread.
    ///
    /// - Throws: ``TooLong``; `CancellationError` after ``stop()``; the error of `body`.
    package func run<Result>(_ body: () throws -> Result) throws -> Result {
        start.withLock { $0 = CheckLimits.processorTime }
        do {
            return try body()
        } catch {
            try check()
            throw error
        }
    }

    /// Checks that the work may continue.
    func check() throws {
        if isStopped.load(ordering: .relaxed) { throw CancellationError() }
        // A query that was stopped at the limit may have left the rest of a tick.
        if let timeLeft, timeLeft < 0.01 { throw TooLong() }
    }

    /// Takes the file at a path into a folder of the store, without a copy; nil if it must be copied.
    ///
    /// Until the work is complete, it has both names: it may have to be done again.
    func take(_ path: String, as name: String, in folder: Folder) -> OpenFile? {
        guard takesFile, let slash = path.lastIndex(of: "/"), let source = try? Folder(String(path[..<slash])) else {
            return nil
        }
        let file = String(path[path.index(after: slash)...])
        guard (try? folder.linkHere(file, from: source, as: name)) != nil else { return nil }
        return try? folder.openFile(name, O_RDWR)
    }

    /// Returns limits on queries that are within those of the work.
    func limits(_ limits: CheckLimits) -> CheckLimits {
        var limits = limits
        if occasion != .command { limits.memory = min(limits.memory, Self.memory) }
        if let timeLeft { limits.seconds = min(limits.seconds, max(0, timeLeft)) }
        return limits
    }

    /// Returns a function that checks, before pieces of a file are written, that the work may continue, the disk keeps its reserve, and
    /// not more is written than the file can stand for.
    func writeCheck(in folder: Folder, atMost limit: UInt64) -> WriteCheck {
        let hasSpace = folder.spaceCheck()
        var written: UInt64 = 0
        return { count throws(SystemError) in
            guard !self.isStopped.load(ordering: .relaxed) else { throw SystemError(number: ECANCELED) }
            written += UInt64(clamping: count)
            guard written <= limit else { throw SystemError(number: EFBIG) }
            try hasSpace(count)
        }
    }

    /// The processor time that is left, in seconds; nil without a limit.
    private var timeLeft: Double? {
        guard occasion == .unasked, let start = start.withLock({ $0 }) else { return nil }
        return patience - (CheckLimits.processorTime - start)
    }
}

/// How far an import is.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ImportProgress: Hashable, Sendable {
    /// So many bytes of a file were read.
    case bytes(Int64, of: Int64)
    /// So many tiles of an archive are in the map.
    case tiles(Int, of: Int)
}
