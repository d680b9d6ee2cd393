import RegionModel

extension BoundingBox {
    /// The farthest that an edge may be out of range and still be taken for one at the end of the range, in degrees.
    private static let tolerance = 0.01

    /// Reads `west,south,east,north`, the form in MBTiles and routing databases; nil if it is not a valid area.
    ///
    /// Edges slightly out of range, such as -180.0000001, are moved into the range. An area that crosses 180° has either a western
    /// edge that is greater than the eastern one, or one of them beyond 180°.
    init?(metadata text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3], [south, north].allSatisfy({ abs($0) < 181 }),
            [west, east].allSatisfy({ abs($0) < 540 }), east - west <= 360 + 2 * Self.tolerance
        else { return nil }
        func longitude(_ degrees: Double) -> Double {
            if abs(degrees) <= 180 + Self.tolerance { return min(180, max(-180, degrees)) }
            return degrees > 0 ? degrees - 360 : degrees + 360
        }
        self.init(north: min(90, north), south: max(-90, south), east: longitude(east), west: longitude(west))
    }
}
