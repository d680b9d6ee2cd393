import Glibc
import RegionModel

/// The part of the world that a program shows first.
struct MapView: Hashable {
    /// The size of a map in a small window, in pixels.
    private static let windowLength = 700.0

    /// The latitude of the centre, in degrees.
    var latitude: Double
    /// The longitude of the centre, in degrees.
    var longitude: Double
    /// The zoom level at which the whole area is in a small window, with tiles of 256 pixels.
    var zoomLevel: Int

    /// The length of a pixel at the equator, in metres.
    var pixelLength: Double { 2 * MapRaster.halfWorld / 256 / Double(1 << zoomLevel) }
}

extension MapView {
    /// Creates the view of an area.
    init(of box: BoundingBox) {
        latitude = (box.north + box.south) / 2
        longitude = (box.east + box.west) / 2
        let width = (box.east - box.west) / 360
        let height = (Self.mercator(box.north) - Self.mercator(box.south)) / (2 * .pi)
        let share = max(width, height, 1 / Double(1 << 20))
        zoomLevel = max(0, min(17, Int(log2(Self.windowLength / 256 / share))))
    }

    private static func mercator(_ latitude: Double) -> Double {
        // Web Mercator ends at this latitude.
        let angle = max(-85.051129, min(85.051129, latitude)) * .pi / 180
        return asinh(tan(angle))
    }
}
