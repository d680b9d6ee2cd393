import PeerStorage

/// A file or a folder whose name is the number of a zoom level, a column or a row.
struct TileFolderEntry: Hashable, Comparable {
    /// The maximum number of files and folders in one folder: the rows of a whole column of zoom level 18.
    static let maximumCount = 1 << 18

    /// The maximum number of names that are kept of what is no tile.
    private static let maximumOtherCount = 1000

    let number: UInt32
    let name: String

    /// The ending of the name in lower case; empty if it has none.
    var ending: String {
        name.firstIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    /// Reads a name; nil if it is not a number, as programs write it, with one of the endings.
    init?(_ name: String, below end: UInt32, endings: Set<String>) {
        let digits = name.prefix { $0 != "." }
        guard let number = UInt32(digits), "\(number)" == digits, number < end else { return nil }
        self.number = number
        self.name = name
        guard endings.isEmpty ? digits.count == name.count : endings.contains(ending) else { return nil }
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
    static func all(
        in folder: Folder,
        below end: UInt32,
        endings: Set<String> = []
    ) throws(SystemError) -> List {
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
