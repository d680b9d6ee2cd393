import Glibc

/// Distances on Earth, taken as a sphere.
package enum Geodesy {
    // The mean radius, as OpenHiker's and most GPX programs have it.
    private static let radius = 6_371_000.0

    /// Returns the metres between two places (haversine).
    package static func distance(_ start: Coordinate, _ end: Coordinate) -> Double {
        let degree = Double.pi / 180
        let latitude = sin((end.latitude - start.latitude) * degree / 2)
        let longitude = sin((end.longitude - start.longitude) * degree / 2)
        let cosines = cos(start.latitude * degree) * cos(end.latitude * degree)
        let chord = latitude * latitude + cosines * longitude * longitude
        return 2 * radius * asin(min(1, chord.squareRoot()))
    }
}
