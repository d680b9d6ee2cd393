internal import PeerStorage
internal import Synchronization

/// The lines of a region as pages draw them: simplified once, however often a file with a map needs them.
///
/// They are in a file without a name, because they may be larger than the memory. If it cannot be written, they are not known.
final class KnownLines: Sendable {
    private struct Lines {
        var writer: ValueFile.Writer
        /// The number of lines, and of those that could not be read; nil before all are there.
        var counts: (read: Int, unreadable: Int)?
        var isBroken = false
    }

    private let file: OpenFile
    private let lines: Mutex<Lines>

    /// Creates an empty collection in an empty file.
    init(in file: OpenFile) {
        self.file = file
        lines = Mutex(Lines(writer: ValueFile.Writer(to: file)))
    }

    /// Calls a function with each line.
    ///
    /// - Returns: The number of lines, and of those that could not be read; nil if the lines are not known.
    func forEach(_ body: (LineData) throws -> Void) throws -> (read: Int, unreadable: Int)? {
        guard let counts = lines.withLock({ $0.counts }) else { return nil }
        var reader = ValueFile.Reader<LineData>(of: file)
        while let line = try reader.next() { try body(line) }
        return counts
    }

    /// Adds the next line; the first one begins anew.
    func append(_ line: LineData, isFirst: Bool) {
        lines.withLock { lines in
            if isFirst { lines.writer = ValueFile.Writer(to: file) }
            guard !lines.isBroken else { return }
            do { try lines.writer.append(line) } catch { lines.isBroken = true }
        }
    }

    /// Notes that all lines are there.
    func finish(_ counts: (read: Int, unreadable: Int)) {
        lines.withLock { if !$0.isBroken { $0.counts = counts } }
    }
}
