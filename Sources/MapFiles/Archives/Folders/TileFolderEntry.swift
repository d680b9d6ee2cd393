import PeerStorage

/// A file or a folder whose name is the number of a zoom level, a column or a row.
struct TileFolderEntry: Hashable, Comparable {
    /// The maximum number of files and folders in one folder: the rows of a whole column of zoom level 18.
    static let maximumCount = 1 << 18

    /// The maximum number of names that are kept of what is no tile.
    private static let maximumOtherCount = 1000

    let number: UInt32
    let name: String

    /// The ending of the name in lower case, without the one that Mobile Atlas Creator adds for OsmAnd; empty if it has none.
    var ending: String {
        let ending = name.firstIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return ending.hasSuffix(".tile") ? String(ending.dropLast(5)) : ending
    }

    /// Reads a name; nil if it is not a number, as programs write it, with one of the endings.
    init?(_ name: String, below end: UInt32, endings: Set<String>) {
        guard let number = Self.number(name, below: end) else { return nil }
        self.number = number
        self.name = name
        // Servers call tiles with twice the pixels so.
        let stem = name.prefix { $0 != "." }
        let isWhole = stem == "\(number)" || (!endings.isEmpty && stem == "\(number)@2x")
        guard isWhole, endings.isEmpty ? !name.contains(".") : endings.contains(ending) else { return nil }
    }

    /// Returns the number with which a name begins, as programs write numbers; nil if it does not begin with one.
    static func number(_ name: String, below end: UInt32) -> UInt32? {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        return UInt32(digits).flatMap { "\($0)" == digits && $0 < end ? $0 : nil }
    }

    static func < (one: TileFolderEntry, other: TileFolderEntry) -> Bool {
        (one.number, one.name) < (other.number, other.name)
    }

    /// What is in a folder.
    struct List {
        /// The entries, in ascending order, with one of each number.
        var found: [TileFolderEntry] = []
        /// The names of everything else that is not hidden; at most the first thousand.
        var others: [String] = []
        /// Whether there was not too much to read.
        var isComplete = true
    }

    /// Reads the names in a folder.
    static func all(in folder: Folder, below end: UInt32, endings: Set<String> = []) throws(SystemError) -> List {
        var list = List()
        var (found, count): ([TileFolderEntry], Int) = ([], 0)
        try folder.forEachName { name in
            count += 1
            guard count <= maximumCount, !name.hasPrefix(".") else { return }
            if let entry = TileFolderEntry(name, below: end, endings: endings) {
                found.append(entry)
            } else if list.others.count < maximumOtherCount {
                list.others.append(name)
            }
        }
        list.isComplete = count <= maximumCount
        found.sort()
        for entry in found {
            if list.found.last?.number == entry.number {
                list.others.append(entry.name)
            } else {
                list.found.append(entry)
            }
        }
        list.others.sort()
        return list
    }
}
