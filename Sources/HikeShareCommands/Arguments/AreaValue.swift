import ArgumentParser
import RegionStore
import SharingReports

/// An area as `west,south,east,north`, in degrees.
///
/// It crosses 180° if the east is less than the west.
struct AreaValue: Hashable {
    var box: BoundingBox

    /// Reads what a person has typed.
    init(parsing argument: String) throws {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.filter { $0 != " " })
        }
        let numbers = parts.compactMap { $0 }
        guard parts.count == 4, numbers.count == 4 else {
            throw ValidationError("Write the area as four numbers in degrees: west,south,east,north.")
        }
        guard numbers[1] < numbers[3], numbers[0] != numbers[2],
            let box = BoundingBox(north: numbers[3], south: numbers[1], east: numbers[2], west: numbers[0])
        else {
            throw ValidationError(
                "The order is west,south,east,north: longitudes are -180 to 180, latitudes -90 to 90, and the south is less than the north."
            )
        }
        self.box = box
    }
}
