import ArgumentParser
import RegionStore
import SharingReports

/// A distance, such as `2km`, `1.5 km` or `500m`.
struct Distance: Hashable {
    var metres: Double

    /// Reads what a person has typed.
    init(parsing argument: String) throws {
        let text = argument.lowercased().filter { $0 != " " }.replacing(",", with: ".")
        let (number, unit) = text.hasSuffix("km") ? (text.dropLast(2), 1000.0) : (text.dropLast(), 1.0)
        guard text.hasSuffix("m"), let value = Double(number), value.isFinite else {
            throw ValidationError("Write the distance with its unit, such as 2km or 500m.")
        }
        guard CutRule.possibleDistances.contains(value * unit) else {
            throw ValidationError("The distance must be 50m to 100km.")
        }
        metres = value * unit
    }
}
