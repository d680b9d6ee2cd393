import FoundationEssentials
import Glibc
import MapFiles
import PeerStorage
import RegionModel
import Synchronization

/// What one import may take, and whether it goes on.
///
/// A person who imports a file has chosen it. A file that somebody else sends is examined with less memory, and before a person has
/// agreed also within a bounded time.
package final class ImportWork: Sendable {
    /// The time for what nobody has agreed to has passed.
    package struct TooLong: Error {}

    /// The memory of SQLite for a file that was sent, in bytes.
    private static let memory: Int64 = 12 << 20

    /// How an import has come about.
    package enum Occasion: Sendable {
        /// A person imports the file.
        case command
        /// Somebody has sent it, and a person has agreed to the work.
        case agreed
        /// Somebody has sent it, and nobody was asked.
        case unasked
    }

    private let occasion: Occasion
    /// The processor time for what nobody has agreed to, in seconds.
    private let patience: Double
    private let isStopped = Atomic(false)
    /// The processor time of the thread of ``run(_:)`` at its beginning, in seconds.
    private let start = Mutex<Double?>(nil)

    /// Creates the work of an import.
    ///
    /// - Parameters:
    ///   - occasion: How it has come about.
    ///   - patience: The processor time for what nobody has agreed to, in seconds; nil for the usual one.
    package init(_ occasion: Occasion = .command, patience: Double? = nil) {
        self.occasion = occasion
        self.patience = patience ?? ImportCost.patience
    }

    /// Ends the work at its next step; called on any thread.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Whether the work must end.
    var isCancelled: @Sendable () -> Bool {
        { self.isStopped.load(ordering: .relaxed) }
    }

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

    /// Checks that the work goes on.
    ///
    /// - Throws: ``TooLong``; `CancellationError` after ``stop()``.
    func check() throws {
        if isStopped.load(ordering: .relaxed) { throw CancellationError() }
        // Whoever is at the limit of its time for a query has the rest of a tick left.
        if let timeLeft, timeLeft < 0.01 { throw TooLong() }
    }

    /// Returns limits on queries that are within those of the work.
    func limits(_ limits: CheckLimits) -> CheckLimits {
        var limits = limits
        if occasion != .command { limits.memory = min(limits.memory, Self.memory) }
        if let timeLeft { limits.seconds = min(limits.seconds, max(0, timeLeft)) }
        return limits
    }

    /// Returns a function that checks, before pieces of a file are written, that the work goes on, the disk keeps its reserve, and
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
public enum ImportProgress: Hashable, Sendable {
    /// So many bytes of a file were read.
    case bytes(Int64, of: Int64)
    /// So many tiles of an archive are in the map.
    case tiles(Int, of: Int)
}
