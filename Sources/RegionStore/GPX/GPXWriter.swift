package import FoundationEssentials

/// A writer of GPX 1.1 files.
///
/// Waypoints become `wpt`, planned routes `rte` and hikes `trk` with one segment, in the order that the schema asks for.
/// An elevation or a time is written only where it is known; the first point of a route has the time at which the route was
/// made, that of a track without times the time at which the hike began.
package struct GPXWriter: Sendable {
    private let creator: String

    /// Creates a writer.
    ///
    /// - Parameter creator: The name of the application that writes the file.
    package init(creator: String = "RegionStore") {
        self.creator = creator
    }

    /// Writes a document.
    ///
    /// - Parameter document: What to write; possibly nothing.
    /// - Returns: The bytes of a GPX file.
    /// - Throws: ``RegionStoreError`` `invalidFile` if a hike's track cannot be read.
    package func data(_ document: GPXDocument) throws(RegionStoreError) -> Data {
        var xml = XMLText()
        xml.line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        xml.line(
            #"<gpx version="1.1" creator="\#(XMLText.escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1" "#
                + #"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" "#
                + #"xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">"#
        )
        if let name = document.name, !name.isEmpty {
            xml.line("<metadata>")
            xml.element("name", name)
            xml.line("</metadata>")
        }
        for waypoint in document.waypoints { write(waypoint, to: &xml) }
        for route in document.plannedRoutes { write(route, to: &xml) }
        for hike in document.savedRoutes { try write(hike, to: &xml) }
        xml.line("</gpx>")
        return xml.data
    }

    private func write(_ waypoint: Waypoint, to xml: inout XMLText) {
        let point = TrackPoint(coordinate: waypoint.coordinate, elevation: waypoint.elevation, time: waypoint.time)
        xml.open("wpt", point)
        if !waypoint.label.isEmpty { xml.element("name", waypoint.label) }
        if !waypoint.note.isEmpty { xml.element("desc", waypoint.note) }
        xml.element("type", waypoint.category.rawValue)
        xml.line("</wpt>")
    }

    private func write(_ route: PlannedRoute, to xml: inout XMLText) {
        xml.line("<rte>")
        xml.element("name", route.name)
        xml.element("type", route.mode.rawValue)
        var profile = ElevationProfile(route.elevationProfile ?? [])
        var distance = 0.0
        var coordinates = route.coordinates
        // A route without a line still has places that it leads to.
        if coordinates.isEmpty { coordinates = [route.start] + route.viaPoints + [route.end] }
        if coordinates.count == 2, coordinates[0] == coordinates[1] { coordinates.removeLast() }
        var previous = coordinates.first
        for (index, coordinate) in coordinates.enumerated() {
            if let previous { distance += Geodesy.distance(previous, coordinate) }
            previous = coordinate
            let point = TrackPoint(
                coordinate: coordinate,
                elevation: profile.elevation(at: distance),
                // GPX has no other place for when a route was made.
                time: index == 0 ? route.createdAt : nil
            )
            xml.point("rtept", point)
        }
        xml.line("</rte>")
    }

    private func write(_ hike: SavedRoute, to xml: inout XMLText) throws(RegionStoreError) {
        var points: [TrackPoint]
        do {
            points = try TrackCodec.decode(hike.trackData, startTime: hike.startTime)
        } catch {
            var named = error
            named.message = "The hike \(hike.name) cannot be written: \(error.message)"
            throw named
        }
        // A hike without a track still has two ends.
        if points.isEmpty {
            points = [TrackPoint(coordinate: hike.start, time: hike.startTime)]
            if hike.end != hike.start { points.append(TrackPoint(coordinate: hike.end, time: hike.endTime)) }
        }
        // The start of a hike is kept even if its points have no times.
        if !points.contains(where: { $0.time != nil }) { points[0].time = hike.startTime }
        xml.line("<trk>")
        xml.element("name", hike.name)
        if !hike.comment.isEmpty { xml.element("desc", hike.comment) }
        xml.element("type", RouteMode.hiking.rawValue)
        xml.line("<trkseg>")
        for point in points { xml.point("trkpt", point) }
        xml.line("</trkseg>")
        xml.line("</trk>")
    }
}
