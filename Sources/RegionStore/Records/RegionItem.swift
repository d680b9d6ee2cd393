import FoundationEssentials
import GRDB

/// An item of a region that is merged by itself: a hike, a planned route or a waypoint.
protocol RegionItem: SharedItem, Identifiable where ID == UUID {
    /// The table of the items. Its key is the region's id and the item's id.
    static var tableName: String { get }

    /// The column by which items are sorted.
    static var orderColumn: String { get }

    /// The columns that lists of items do not show and that may be long, with the SQL literals of empty values.
    static var emptyValues: [String: String] { get }

    /// The maximum length of a row as JSON, in bytes, as an SQL expression.
    static var wireLength: String { get }

    /// A length that a row as JSON has at least, in bytes, as an SQL expression.
    static var leastWireLength: String { get }

    /// A length that the item as JSON has at least, in bytes, which takes no time to find.
    var leastWireLength: Int { get }

    /// The time of the last edit; nil if the item was never edited.
    var modifiedAt: Date? { get set }

    /// The time of the last edit, or else of the creation.
    var effectiveDate: Date { get }

    /// The name; possibly empty.
    var givenName: String { get set }

    /// The note or comment of a person; possibly empty.
    var remark: String { get }

    /// Reads an item from its row.
    init(row: Row) throws

    /// Sets all columns except the region's id.
    func encode(to container: inout PersistenceContainer) throws

    /// Returns the item as an item of a region.
    func belonging(to regionID: UUID) -> Self

    /// Checks the content of an untrusted item that decoding does not check.
    func check() throws

    /// Returns the item with values of another version that it lacks, such as a comment of the user.
    ///
    /// A version may lack what its sender did not send, or what the file that it comes from had no place for.
    func filled(from other: Self) -> Self
}

extension RegionItem {
    func check() {}
}
