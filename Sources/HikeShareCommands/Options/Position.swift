import ArgumentParser
import RegionStore

/// A position on the command line: the latitude and the longitude in degrees, with a comma between them.
struct Position: ExpressibleByArgument, Hashable, Sendable {
    /// The position.
    let coordinate: Coordinate

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.coordinate = coordinate
    }
}
