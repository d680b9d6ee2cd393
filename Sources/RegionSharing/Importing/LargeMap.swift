package import RegionStore

/// A map whose import takes long, and the question whether to import it.
public struct LargeMap: Question {
    /// The name of the file, as the person has given it.
    public var file: String
    package var cost: ImportCost

    /// No.
    public var defaultAnswer: Bool { false }

    /// Tells of an import that takes long, and asks about one that writes far more than its file has.
    static func confirm(_ file: InputFile, in store: RegionStore, _ person: any Person) async throws -> Bool {
        let map = LargeMap(file: file.path, cost: try store.importCost(at: file.location, called: file.path))
        if map.cost.isOutOfProportion { return try await person.ask(map) }
        if map.cost.isLong { person.tell(.importing(.large(map))) }
        return true
    }
}
