import FoundationEssentials
import RegionModel

/// The edition of each tile of a map that was joined from several maps, as its metadata state it.
///
/// The record is untrusted, as all metadata: it says nothing that the date of a map could not say, and what breaks a rule makes all
/// of it unknown.
///
/// The text has the editions, separated by `;`, each as `DATE,NEWEST,VERSION` with milliseconds since 1970 or nothing; then `|`,
/// and runs of places, separated by `;`, each as `GAP.LENGTH.EDITION` with numbers in base 36. Places are numbered in the order of
/// MBTiles files. Tiles outside all runs are of the first edition.
struct TileEditions: Hashable, Sendable {
    /// The key of the metadata.
    static let key = "tileeditions"

    /// The longest text, in bytes.
    static let maximumLength = 256 * 1024

    /// The most editions.
    static let maximumCount = 64

    private struct Run: Hashable {
        var first: UInt64
        var last: UInt64
        var edition: Int
    }

    private let editions: [MapEdition]
    private let runs: [Run]

    /// Reads what the metadata of a map say.
    init(metadata: [String: String]) {
        let edition = MapEdition(metadata: metadata)
        guard let text = metadata[Self.key] else {
            (editions, runs) = ([Self.rounded(edition)], [])
            return
        }
        // Of a record that cannot be read, the dates in it are not known either.
        let unknown = ([MapEdition()], [Run]())
        (editions, runs) = Self.parsed(text) ?? unknown
    }

    /// Returns the edition of the tile with a place.
    func edition(of address: TileAddress) -> MapEdition {
        let place = ColumnNumber(address).value
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].last < place { low = middle + 1 } else { high = middle }
        }
        return editions[low < runs.count && runs[low].first <= place ? runs[low].edition : 0]
    }

    private static func parsed(_ text: String) -> ([MapEdition], [Run])? {
        guard text.utf8.count <= maximumLength else { return nil }
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var editions: [MapEdition] = []
        for part in parts[0].split(separator: ";", omittingEmptySubsequences: false) {
            let values = part.split(separator: ",", omittingEmptySubsequences: false)
            guard values.count == 3, editions.count < maximumCount else { return nil }
            var dates: [Date?] = []
            for value in values.prefix(2) {
                guard !value.isEmpty else {
                    dates.append(nil)
                    continue
                }
                guard let number = Int64(value), let date = MapDate.date(milliseconds: number) else { return nil }
                dates.append(date)
            }
            let version = String(values[2])
            guard version.isEmpty || Self.version(version) != nil else { return nil }
            editions.append(MapEdition(date: dates[0], newestDate: dates[1], version: version.isEmpty ? nil : version))
        }
        var runs: [Run] = []
        var next: UInt64 = 0
        for part in parts[1].split(separator: ";") {
            let values = part.split(separator: ".", omittingEmptySubsequences: false)
            let numbers = values.compactMap { UInt64($0, radix: 36) }
            guard values.count == 3, numbers.count == 3, numbers[0] < TileOrder.end - next,
                (1...TileOrder.end).contains(numbers[1]),
                numbers[1] <= TileOrder.end - next - numbers[0],
                let edition = Int(exactly: numbers[2]), editions.indices.contains(edition)
            else { return nil }
            let first = next + numbers[0]
            next = first + numbers[1]
            runs.append(Run(first: first, last: next - 1, edition: edition))
        }
        return editions.isEmpty ? nil : (editions, runs)
    }

    /// Returns a version that a record can have; nil for another one.
    fileprivate static func version(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= 100,
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "v") })
        else { return nil }
        return text
    }

    /// Returns an edition as a record has it, so that the same tile has the same edition in every map.
    private static func rounded(_ edition: MapEdition) -> MapEdition {
        func rounded(_ date: Date?) -> Date? {
            date.flatMap(Timestamp.milliseconds).flatMap(MapDate.date(milliseconds:))
        }
        return MapEdition(
            date: rounded(edition.date),
            newestDate: rounded(edition.newestDate),
            version: version(edition.version)
        )
    }
}

extension TileEditions {
    /// Makes the metadata of a map of tiles of several editions.
    struct Builder {
        private var editions: [MapEdition] = []
        private var runs: [Run] = []
        private var isTooLong = false

        /// Adds a tile; tiles come in their order.
        mutating func add(_ address: TileAddress, _ edition: MapEdition) {
            guard let number = editions.firstIndex(of: edition) ?? new(edition) else {
                isTooLong = true
                return
            }
            let place = ColumnNumber(address).value
            if let last = runs.last, last.edition == number {
                // No tile of another edition lies between.
                runs[runs.count - 1].last = place
            } else if runs.count < TileEditions.maximumLength / 6 {
                runs.append(Run(first: place, last: place, edition: number))
            } else {
                isTooLong = true
            }
        }

        private mutating func new(_ edition: MapEdition) -> Int? {
            guard editions.count < TileEditions.maximumCount else { return nil }
            editions.append(edition)
            return editions.count - 1
        }

        /// Writes how old the map is to its metadata: the date of its oldest tiles, that of its newest ones, and which is which.
        ///
        /// - Parameter sources: The metadata of the maps that the tiles come from. If all tiles are of the edition of one of these, its
        ///   dates and version hold as they are.
        func write(to metadata: inout [String: String], from sources: [[String: String]]) {
            let keys = MapDate.keys + [MapDate.newestKey, "version"]
            for key in keys + [TileEditions.key] { metadata[key] = nil }
            if !isTooLong, editions.count == 1, let edition = editions.first {
                let source = sources.first {
                    $0[TileEditions.key] == nil && TileEditions(metadata: $0).editions == [edition]
                }
                for key in keys { metadata[key] = source?[key] }
                if source == nil { Self.write([edition], to: &metadata) }
                return
            }
            let known = isTooLong ? editions + sources.flatMap { TileEditions(metadata: $0).editions } : editions
            Self.write(known, to: &metadata)
            metadata[TileEditions.key] = isTooLong ? nil : text
        }

        /// Writes the dates and the version of a map with tiles of some editions.
        private static func write(_ editions: [MapEdition], to metadata: inout [String: String]) {
            // A version of some of the tiles is none of the map.
            if let version = editions.first?.version, editions.allSatisfy({ $0.version == version }) {
                metadata["version"] = version
            }
            // If the age of some tiles is not known, that of the oldest ones is not known either.
            let oldest = editions.compactMap(\.date)
            guard oldest.count == editions.count, let first = oldest.min(),
                let last = editions.compactMap({ $0.newestDate ?? $0.date }).max()
            else { return }
            metadata["date"] = Timestamp.text(first, milliseconds: true)
            if last > first { metadata[MapDate.newestKey] = Timestamp.text(last, milliseconds: true) }
        }

        /// The record; nil if it would be too long.
        private var text: String? {
            func number(_ date: Date?) -> String { date.flatMap(Timestamp.milliseconds).map { "\($0)" } ?? "" }
            var text = editions.map { "\(number($0.date)),\(number($0.newestDate)),\($0.version ?? "")" }.joined(
                separator: ";"
            )
            text += "|"
            var next: UInt64 = 0
            for run in runs where run.edition > 0 {
                let numbers = [run.first - next, run.last - run.first + 1, UInt64(run.edition)]
                text += numbers.map { String($0, radix: 36) }.joined(separator: ".") + ";"
                next = run.last + 1
                guard text.utf8.count <= TileEditions.maximumLength else { return nil }
            }
            return text
        }
    }
}
