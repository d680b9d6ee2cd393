import FoundationEssentials
import PeerStorage
import RegionModel

/// Collects the items of a file that is being read, whatever its format, within the limits on a file.
///
/// It converts each waypoint and line into an item of the model as soon as it is complete.
struct TrackAssembly {
    let limits: TrackFileLimits
    let now: Date
    private let stem: String
    private var pointCount = 0
    /// The names that may change when the whole file is known, with the numbers of the parts of divided lines.
    private var unnamed: [(name: WritableKeyPath<TrackDocument, String>, number: Int?)] = []
    private var routeCount = 0
    private var trackCount = 0
    // These are for the conversion of items.
    var ids = ContentID()
    var taken: Set<UUID> = []
    var fileTime: Date

    /// What is left out, and the conversion of texts.
    var texts = TrackTexts()

    /// The items so far, and what is wrong with the file.
    var document = TrackDocument()

    /// Whether the lines that follow are only the beginnings of what the file once had.
    var isCut = false

    /// The estimated memory of the items, in bytes.
    private(set) var heldLength = 0

    /// Begins a file; items that need a time get `now`, and a single one without a name gets `stem`.
    init(_ limits: TrackFileLimits, now: Date, stem: String) {
        self.limits = limits
        self.now = now
        self.stem = stem
        fileTime = now
    }

    /// Whether there are no items yet.
    var isEmpty: Bool { document.waypoints.isEmpty && lineCount == 0 }

    private var lineCount: Int { document.plannedRoutes.count + document.savedRoutes.count }

    // MARK: Points

    /// Returns the position of a point, which is counted; nil if it has none on Earth.
    mutating func position(_ latitude: Double?, _ longitude: Double?) throws(RegionStoreError) -> Coordinate? {
        pointCount += 1
        guard pointCount <= limits.pointCount else { throw tooMany(limits.pointCount, "points") }
        guard let latitude, let longitude,
            let coordinate = Coordinate(latitude: latitude, longitude: Self.wrapped(longitude))
        else {
            // Some programs mark a pause with a latitude of 100 degrees.
            texts.leftOut[.badPoint] += 1
            return nil
        }
        if latitude == 0, longitude == 0 { document.pointsAtZero += 1 }
        return coordinate
    }

    // A line may wind around the Earth once.
    private static let longitudes = -540.0...540.0

    /// Returns a longitude within 180 degrees: lines over the antimeridian are often written beyond it.
    private static func wrapped(_ longitude: Double) -> Double {
        guard abs(longitude) > 180, longitudes.contains(longitude) else { return longitude }
        return longitude < 0 ? longitude + 360 : longitude - 360
    }

    // MARK: Items

    /// Adds a waypoint; throws if the file has too much, counting the memory that its reader holds.
    mutating func add(_ content: TrackContent.Waypoint, whileHolding held: Int = 0) throws(RegionStoreError) {
        let waypoint = waypoint(content)
        heldLength += waypoint.heldLength
        document.waypoints.append(waypoint)
        guard document.waypoints.count <= limits.waypointCount else { throw tooMany(limits.waypointCount, "waypoints") }
        try check(held)
    }

    /// Adds a route or track, if it has points; a long one is divided.
    mutating func add(_ line: TrackContent.Line, whileHolding held: Int = 0) throws(RegionStoreError) {
        guard let line = line.complete else {
            texts.leftOut[.emptyLine] += 1
            return
        }
        try convert(line)
        guard lineCount <= ModelLimits.maximumItemCount else {
            throw tooMany(ModelLimits.maximumItemCount, "routes and tracks")
        }
        try check(held)
    }

    private mutating func convert(_ line: TrackContent.Line) throws(RegionStoreError) {
        let isTrack = line.element == .track
        if isTrack { trackCount += 1 } else { routeCount += 1 }
        let own = texts.name(line.words.name)
        let name = !own.isEmpty ? own : isTrack ? "Track \(trackCount)" : "Route \(routeCount)"
        let isHike = line.isHike
        let limit = isHike ? ModelLimits.maximumPointCount : ModelLimits.maximumRoutePointCount
        for part in Self.parts(of: line, atMost: limit) {
            let partName = Self.name(name, part.number)
            let id: UUID
            if isHike {
                guard let hike = try savedRoute(part.line, partName) else { continue }
                id = hike.id
                heldLength += hike.heldLength
                if own.isEmpty { unnamed.append((\.savedRoutes[document.savedRoutes.count].name, part.number)) }
                document.savedRoutes.append(hike)
            } else {
                guard var route = plannedRoute(part.line, partName) else { continue }
                id = route.id
                if isTrack { route.supplement.words?.element = "trk" }
                heldLength += route.heldLength
                if own.isEmpty { unnamed.append((\.plannedRoutes[document.plannedRoutes.count].name, part.number)) }
                document.plannedRoutes.append(route)
            }
            if isCut { document.cut.insert(id) }
            if own.isEmpty { document.unnamed.insert(id) }
        }
    }

    /// Ends the file, whose own name may be empty.
    mutating func finished(named name: String) throws(RegionStoreError) -> TrackDocument {
        document.leftOut = texts.leftOut.words
        guard !isEmpty else {
            let leftOut = document.leftOut.prefix(3).joined(separator: ", ")
            throw RegionStoreError(
                .invalidFile,
                "The file has no waypoints, routes or tracks" + (leftOut.isEmpty ? "." : ", only: \(leftOut)."),
                remedy: "Select what to export in the program that made it, and export it again."
            )
        }
        document.name = [name, stem].map { TrackTexts.line($0) }.first { !$0.isEmpty }
        // An item without a name is named after the file if the file has no other line.
        guard routeCount + trackCount == 1, let name = document.name else { return document }
        for item in unnamed { document[keyPath: item.name] = Self.name(name, item.number) }
        return document
    }

    // MARK: Limits

    /// Throws if the content, with what is being read, takes too much memory.
    func check(_ held: Int) throws(RegionStoreError) {
        guard heldLength + held <= limits.heldLength else {
            throw RegionStoreError(
                .invalidFile,
                "The file has too much content to be imported at once.",
                remedy: Self.split
            )
        }
    }

    /// Returns the error for a file with too many of something.
    func tooMany(_ count: Int, _ noun: String) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "The file has more than \(DecimalNumber.grouped(count)) \(noun).",
            remedy: Self.split
        )
    }

    static let split = "Divide it into several files."
}
