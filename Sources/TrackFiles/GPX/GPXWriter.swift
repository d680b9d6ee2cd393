package import FoundationEssentials
import NIOCore
package import PeerStorage
package import RegionModel

/// A writer of a GPX 1.1 file, item by item.
///
/// Waypoints become `wpt`, planned routes `rte` and hikes `trk`; the schema asks for this order. A planned route that was a track
/// without times becomes a track again. Only what is known is written. Values of sensors are in the extension of Garmin, colours and
/// icons in that of OsmAnd. An extension of our own has the id of each item and values that GPX has no place for.
///
/// The memory is limited to one item.
package struct GPXWriter {
    private let isIdentifying: Bool
    private var xml: XMLText

    /// Begins a file; without our own extension (`isIdentifying`), an imported item is another item.
    package init(to output: any ByteOutput, name: String?, creator: String, isIdentifying: Bool = true) {
        self.isIdentifying = isIdentifying
        xml = XMLText(to: output)
        xml.line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
        let own = isIdentifying ? #" xmlns:\#(GPXIdentity.prefix)="\#(GPXIdentity.namespace)""# : ""
        xml.line(
            #"<gpx version="1.1" creator="\#(XMLText.escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1" "#
                + #"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" "#
                + #"xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" "#
                + #"xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" "#
                + #"xmlns:osmand="https://osmand.net"\#(own) "#
                + #"xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">"#
        )
        if let name, !name.isEmpty {
            xml.line("<metadata>")
            xml.element("name", name)
            xml.line("</metadata>")
        }
    }

    /// Ends the file.
    package mutating func finish() throws(SystemError) {
        xml.line("</gpx>")
        try xml.writeAll()
    }

    // MARK: Items

    /// Writes a waypoint.
    package mutating func write(_ waypoint: Waypoint) throws(SystemError) {
        let words = waypoint.supplement.words
        let time = waypoint.fileTime
        var identity = GPXIdentity(.waypoint, waypoint.id)
        identity.set("category", waypoint.category.rawValue)
        identity.set("created", time == nil ? waypoint.time : nil)
        identity.set("modified", waypoint.modifiedAt)
        let point = TrackPoint(coordinate: waypoint.coordinate, elevation: waypoint.elevation, time: time)
        xml.begin("wpt", point, end: "\n")
        xml.element("name", ifPresent: waypoint.label)
        let (comment, description) = ItemNote.parts(of: waypoint.note, words)
        xml.element("cmt", ifPresent: comment)
        xml.element("desc", ifPresent: description)
        write(words?.links ?? [])
        xml.element("sym", ifPresent: words?.symbol)
        xml.element("type", ifPresent: words == nil ? waypoint.category.rawValue : words?.type)
        write(identity, words, isTrack: false)
        xml.line("</wpt>")
        try xml.writePieces()
    }

    /// Writes a planned route.
    package mutating func write(_ route: PlannedRoute) throws(SystemError) {
        let words = route.supplement.words
        let track = route.fileTrack
        let firstTime = track.points.lazy.compactMap(\.time).first
        var identity = GPXIdentity(.route, route.id)
        identity.set("mode", route.mode.rawValue)
        identity.set("created", firstTime == route.createdAt ? nil : route.createdAt)
        identity.set("modified", route.modifiedAt)
        let name = route.isTrack ? "trk" : "rte"
        xml.line("<\(name)>")
        xml.element("name", route.name)
        xml.element("cmt", ifPresent: words?.comment)
        xml.element("desc", ifPresent: words?.isCommentTwice == true ? words?.comment : words?.description)
        write(words?.links ?? [])
        xml.element("type", ifPresent: words == nil ? route.mode.rawValue : words?.type)
        write(identity, words, isTrack: route.isTrack)
        let texts = Dictionary((route.supplement.pointTexts ?? []).map { ($0.index, $0) }) { first, _ in first }
        for segment in track.segments {
            if route.isTrack { xml.line("<trkseg>") }
            for index in segment {
                write(track.points[index], texts[index], isTrack: route.isTrack)
                try xml.writePieces()
            }
            if route.isTrack { xml.line("</trkseg>") }
        }
        xml.line("</\(name)>")
    }

    /// Writes a recorded hike; throws and writes nothing of it if its track cannot be read.
    package mutating func write(_ hike: SavedRoute) throws {
        let track: Track
        do throws(RegionStoreError) {
            track = try hike.fileTrack
        } catch {
            var named = error
            named.message = "The hike \(hike.name) cannot be written: \(error.message)"
            throw named
        }
        let words = hike.supplement.words
        xml.line("<trk>")
        xml.element("name", hike.name)
        let (comment, description) = ItemNote.parts(of: hike.comment, words)
        xml.element("cmt", ifPresent: comment)
        xml.element("desc", ifPresent: description)
        write(words?.links ?? [])
        xml.element("type", ifPresent: words == nil ? RouteMode.hiking.rawValue : words?.type)
        write(Self.identity(of: hike), words, isTrack: true)
        for segment in track.segments {
            xml.line("<trkseg>")
            for index in segment {
                write(track, index)
                try xml.writePieces()
            }
            xml.line("</trkseg>")
        }
        xml.line("</trk>")
    }

    private static func identity(of hike: SavedRoute) -> GPXIdentity {
        var identity = GPXIdentity(.hike, hike.id)
        identity.set("start", hike.startTime)
        identity.set("end", hike.endTime)
        identity.set("walking", hike.walkingTime)
        identity.set("resting", hike.restingTime)
        identity.set("averageHeartRate", hike.averageHeartRate)
        identity.set("maximumHeartRate", hike.maximumHeartRate)
        identity.set("calories", hike.estimatedCalories)
        identity.set("modified", hike.modifiedAt)
        return identity
    }

    // MARK: Points

    private mutating func write(_ point: TrackPoint, _ texts: PointTexts?, isTrack: Bool) {
        let name = isTrack ? "trkpt" : "rtept"
        xml.begin(name, point, end: "")
        if let texts {
            xml.line("")
            xml.element("name", ifPresent: texts.name)
            xml.element("cmt", ifPresent: texts.comment)
            xml.element("desc", ifPresent: texts.description)
            xml.element("sym", ifPresent: texts.symbol)
            xml.element("type", ifPresent: texts.type)
        }
        xml.line("</\(name)>")
    }

    // The elements of Garmin's extension, in the order of its schema.
    private static let garmin: [(sensor: TrackSensor, element: String)] = [
        (.temperature, "atemp"), (.heartRate, "hr"), (.cadence, "cad"), (.speed, "speed"),
    ]

    private mutating func write(_ track: Track, _ index: Int) {
        func text(_ sensor: TrackSensor) -> String? {
            track.sensors[sensor]?[index].flatMap { DecimalNumber.text(Double($0) / 1000, decimals: 3) }
        }
        xml.begin("trkpt", track.points[index], end: "")
        if !track.sensors.isEmpty {
            if let text = text(.horizontalDilution) { xml.add("<hdop>\(text)</hdop>") }
            let values = Self.garmin.compactMap { sensor, name in
                text(sensor).map { "<gpxtpx:\(name)>\($0)</gpxtpx:\(name)>" }
            }
            if !values.isEmpty {
                xml.add("<extensions><gpxtpx:TrackPointExtension>" + values.joined())
                xml.add("</gpxtpx:TrackPointExtension></extensions>")
            }
        }
        xml.line("</trkpt>")
    }

    // MARK: Texts

    private mutating func write(_ links: [ItemLink]) {
        for link in links {
            xml.line("<link href=\"\(XMLText.escaped(link.address))\">")
            xml.element("text", ifPresent: link.text)
            xml.element("type", ifPresent: link.type)
            xml.line("</link>")
        }
    }

    // The names of colours in Garmin's schema.
    private static let colors: Set<String> = [
        "Black", "DarkRed", "DarkGreen", "DarkYellow", "DarkBlue", "DarkMagenta", "DarkCyan", "LightGray", "DarkGray",
        "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White", "Transparent",
    ]

    private mutating func write(_ identity: GPXIdentity, _ words: ItemWords?, isTrack: Bool) {
        guard isIdentifying || words?.color != nil || words?.icon != nil else { return }
        xml.line("<extensions>")
        if let color = words?.color {
            if isTrack, Self.colors.contains(color) {
                xml.line("<gpxx:TrackExtension><gpxx:DisplayColor>\(color)</gpxx:DisplayColor></gpxx:TrackExtension>")
            } else {
                xml.element("osmand:color", color)
            }
        }
        xml.element("osmand:icon", ifPresent: words?.icon)
        if isIdentifying { xml.line(identity.markup) }
        xml.line("</extensions>")
    }
}

extension PlannedRoute {
    /// Whether the route was a track in its GPX file.
    package var isTrack: Bool { supplement.words?.element == "trk" }
}

extension GPXWriter {
    /// Returns a whole document, which is written in memory.
    package static func data(_ document: TrackDocument, creator: String = "RegionStore") throws -> Data {
        let output = MemoryOutput()
        var writer = GPXWriter(to: output, name: document.name, creator: creator)
        for waypoint in document.waypoints { try writer.write(waypoint) }
        for route in document.plannedRoutes where !route.isTrack { try writer.write(route) }
        for route in document.plannedRoutes where route.isTrack { try writer.write(route) }
        for hike in document.savedRoutes { try writer.write(hike) }
        try writer.finish()
        return output.data
    }

    private final class MemoryOutput: ByteOutput {
        private(set) var data = Data()

        func write(_ bytes: [UInt8], at offset: UInt64) { data.append(contentsOf: bytes) }

        func write(_ buffers: [ByteBuffer], at offset: UInt64) {
            for buffer in buffers { data.append(contentsOf: buffer.readableBytesView) }
        }
    }
}
