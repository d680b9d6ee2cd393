import Glibc
import PeerStorage
package import RegionModel

/// The waypoints of some regions, to which photos may belong.
package struct PhotoPlaces {
    /// A waypoint and its region.
    package struct Place: Sendable {
        package var region: RegionSummary
        package var waypoint: Waypoint
    }

    /// The distance within which the waypoint nearest to a photo is taken for what it shows, in metres.
    private static let reach = 100.0

    private let places: [Place]

    /// Reads the waypoints of regions.
    package init(of regions: [RegionSummary], in store: RegionStore) throws {
        places = try regions.flatMap { region in
            try store.waypoints(of: region.id, skippingUnreadable: true).map { Place(region: region, waypoint: $0) }
        }
    }

    /// Finds the waypoint that a photo shows.
    ///
    /// That is the one with a link to the file, else the one whose name is that of the file, with or without the name of the region
    /// in front of it, else the one that is nearest to the position in the photo.
    ///
    /// - Returns: The waypoint; several if it is not clear, and none if no waypoint fits.
    package func places(ofPhotoAt path: String, called name: String) -> [Place] {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        // Links are addresses, in which a space has another form.
        let address = file.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
        let linked = places.filter { place in
            let links = place.waypoint.supplement.words?.links ?? []
            return links.compactMap { $0.address.split(separator: "/").last }.contains { $0 == file || $0 == address }
        }
        guard linked.isEmpty else { return linked }
        let key = NameKey(ofFile: file)
        let named = places.filter { place in
            let label = NameKey(place.waypoint.label)
            return !label.isEmpty && (label == key || NameKey(place.region.name) + label == key)
        }
        guard named.isEmpty else { return named }
        guard let position = Self.position(ofPhotoAt: path) else { return [] }
        let distances = places.map { ($0, Geodesy.distance($0.waypoint.coordinate, position)) }
        let nearest = distances.filter { $0.1 <= Self.reach }.min { $0.1 < $1.1 }
        return nearest.map { [$0.0] } ?? []
    }

    private static func position(ofPhotoAt path: String) -> Coordinate? {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK), let size = try? file.size() else { return nil }
        // In windows that overlap by more than the length of EXIF data in a JPEG file, because a whole photo would take much memory.
        let (step, overlap) = (1 << 20, 128 << 10)
        for start in stride(from: 0, to: min(size, UInt64(Photo.maximumSize)), by: step) {
            guard let bytes = try? file.bytes(step + overlap, at: start) else { return nil }
            if let position = EXIFPosition.find(in: bytes) { return position }
        }
        return nil
    }
}

/// The position in the EXIF data of a photo.
package enum EXIFPosition {
    /// The marks in front of EXIF data, and the number of bytes from there to the data: in JPEG and most HEIF files, in PNG, and in
    /// WebP files, where a length follows the mark.
    private static let marks = [("Exif\0\0", 6), ("eXIf", 4), ("EXIF", 8)].map { (Array($0.0.utf8), $0.1) }
    /// The maximum number of marks that are looked at: what follows each may be a directory of 65,535 entries.
    private static let maximumMarks = 16

    /// Finds the position; nil if the photo has none.
    package static func find(in bytes: [UInt8]) -> Coordinate? {
        var rest = bytes[...]
        var count = 0
        while count < maximumMarks, let start = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            rest = rest[start...]
            if let (_, length) = marks.first(where: { rest.starts(with: $0.0) }) {
                count += 1
                if let position = TIFF(rest.dropFirst(length))?.position { return position }
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
