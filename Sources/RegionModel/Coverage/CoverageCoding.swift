/// The bytes of a coverage; ItemFormats.md describes them.
enum CoverageCoding {
    /// The number of the form.
    fileprivate static let form: UInt8 = 1
    /// The number of the form that marks zoom levels as own ones, and the mark.
    fileprivate static let (statingForm, mark) = (2 as UInt8, 0x20)

    /// Rows that follow each other and have the same runs.
    private struct Group {
        var row: Int
        var height: Int
        var runs: ArraySlice<TileRun>
    }

    /// Describes levels by lower ones until they fit into a length, those with the longest description first.
    static func fitting(_ levels: [Coverage.Level], into length: Int) -> [Coverage.Level] {
        var levels = levels
        var lengths = levels.map { bytes($0).count }
        while lengths.reduce(2, +) > length, let index = lengths.indices.max(by: { lengths[$0] < lengths[$1] }),
            levels[index].detail > 0
        {
            levels[index] = levels[index].coarsened(to: levels[index].detail - 1)
            lengths[index] = bytes(levels[index]).count
        }
        return levels
    }

    static func bytes(_ coverage: Coverage) -> [UInt8] {
        let (levels, stated) = (coverage.levels, coverage.statedZooms)
        return [stated.isEmpty ? form : statingForm, UInt8(clamping: levels.count)]
            + levels.flatMap { bytes($0, isStated: stated.contains($0.zoomLevel)) }
    }

    private static func bytes(_ level: Coverage.Level, isStated: Bool = false) -> [UInt8] {
        let groups = groups(level.tiles.runs)
        var bytes = [UInt8(clamping: level.zoomLevel | (isStated ? mark : 0)), UInt8(clamping: level.detail)]
        append(level.tileCount, to: &bytes)
        append(groups.count, to: &bytes)
        var (nextRow, start) = (0, 0)
        for group in groups {
            append(group.row - nextRow, to: &bytes)
            append(group.height - 1, to: &bytes)
            append(group.runs.count - 1, to: &bytes)
            var next: Int?
            for run in group.runs {
                if let next {
                    // Two runs of a row do not touch.
                    append(run.first - next - 1, to: &bytes)
                } else {
                    let difference = run.first - start
                    append(difference < 0 ? -2 * difference - 1 : 2 * difference, to: &bytes)
                    start = run.first
                }
                append(run.count - 1, to: &bytes)
                next = run.last + 1
            }
            nextRow = group.row + group.height
        }
        return bytes
    }

    private static func groups(_ runs: [TileRun]) -> [Group] {
        var groups: [Group] = []
        var start = runs.startIndex
        while start < runs.endIndex {
            let row = runs[start].row
            let end = runs[start...].firstIndex { $0.row != row } ?? runs.endIndex
            let ofRow = runs[start..<end]
            if let last = groups.last, last.row + last.height == row, last.runs.count == ofRow.count,
                zip(last.runs, ofRow).allSatisfy({ $0.first == $1.first && $0.last == $1.last })
            {
                groups[groups.count - 1].height += 1
            } else {
                groups.append(Group(row: row, height: 1, runs: ofRow))
            }
            start = end
        }
        return groups
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt(clamping: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads a coverage.
///
/// The bytes may be hostile: every number is checked before it is used.
private struct CoverageReader {
    private var bytes: ArraySlice<UInt8>
    private var runCount = 0
    private var statedZooms: Set<Int> = []

    /// Reads a coverage; nil if the bytes are none.
    static func read(_ bytes: [UInt8]) -> Coverage? {
        guard bytes.count <= Coverage.maximumLength, bytes.count > 2 else { return nil }
        var reader = CoverageReader(bytes: bytes[2...])
        var levels: [Coverage.Level] = []
        for _ in 0..<bytes[1] {
            guard let level = reader.level() else { return nil }
            levels.append(level)
        }
        guard reader.bytes.isEmpty,
            bytes[0] == (reader.statedZooms.isEmpty ? CoverageCoding.form : CoverageCoding.statingForm)
        else { return nil }
        return Coverage(levels: levels, stating: reader.statedZooms)
    }

    private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func level() -> Coverage.Level? {
        let zooms = Region.possibleZoomLevels.upperBound
        guard let marked = number(atMost: zooms | CoverageCoding.mark) else { return nil }
        let zoomLevel = marked & ~CoverageCoding.mark
        if marked != zoomLevel { statedZooms.insert(zoomLevel) }
        guard zoomLevel <= zooms, let detail = number(atMost: zoomLevel),
            let tileCount = number(atMost: ModelLimits.maximumTileCount),
            let groupCount = number(atMost: Coverage.maximumRunCount)
        else { return nil }
        let last = (1 << detail) - 1
        var runs: [TileRun] = []
        var (row, start) = (0, 0)
        for _ in 0..<groupCount {
            guard let gap = number(atMost: last), row + gap <= last, let height = number(atMost: last - row - gap),
                let columns = columns(last, &start)
            else { return nil }
            let count = columns.count.multipliedReportingOverflow(by: height + 1)
            guard !count.overflow, count.partialValue <= Coverage.maximumRunCount - runCount else { return nil }
            runCount += count.partialValue
            for index in 0...height {
                runs += columns.map { TileRun(row: row + gap + index, first: $0.lowerBound, last: $0.upperBound) }
            }
            row += gap + height + 1
        }
        guard let tiles = TileRuns(inOrder: runs) else { return nil }
        return Coverage.Level(zoomLevel: zoomLevel, tileCount: tileCount, detail: detail, tiles: tiles)
    }

    /// Reads the runs of a row.
    private mutating func columns(_ last: Int, _ start: inout Int) -> [ClosedRange<Int>]? {
        guard let rest = number(atMost: Coverage.maximumRunCount - 1), let step = number(atMost: 2 * last + 1) else {
            return nil
        }
        var first = start + (step.isMultiple(of: 2) ? step / 2 : -(step + 1) / 2)
        start = first
        var columns: [ClosedRange<Int>] = []
        for index in 0...rest {
            if index > 0 {
                guard let gap = number(atMost: last), let before = columns.last else { return nil }
                first = before.upperBound + 2 + gap
            }
            guard (0...last).contains(first), let length = number(atMost: last - first) else { return nil }
            columns.append(first...(first + length))
        }
        return columns
    }

    /// Reads a number: seven bits in each byte, the lowest first, and a bit that says whether another byte follows.
    private mutating func number(atMost limit: Int) -> Int? {
        var (number, shift) = (0, 0)
        while let byte = bytes.popFirst(), shift <= 42 {
            number |= Int(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else { return number <= limit ? number : nil }
            shift += 7
        }
        return nil
    }
}

extension Coverage {
    /// The bytes, at most ``maximumLength``.
    package var bytes: [UInt8] { CoverageCoding.bytes(self) }

    /// Reads a coverage; nil if the bytes are none.
    package init?(bytes: [UInt8]) {
        guard let coverage = CoverageReader.read(bytes) else { return nil }
        self = coverage
    }
}
