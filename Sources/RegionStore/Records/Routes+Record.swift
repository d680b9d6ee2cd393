import FoundationEssentials
import GRDB
import RegionModel
import TrackFiles

extension PlannedRoute: RegionItem {
    static var tableName: String { "plannedRoute" }
    static var orderColumn: String { "createdAt" }

    static var emptyValues: [String: String] {
        [
            "coordinates": "'[]'", "viaPoints": "'[]'", "turnInstructions": "'[]'", "elevationProfile": "NULL",
            "trackDetail": "NULL", "pointTexts": "NULL", "gpx": "NULL",
        ]
    }

    var effectiveDate: Date { modifiedAt ?? createdAt }

    init(row: Row) throws {
        guard let mode = RouteMode(rawValue: row["mode"]) else { throw ImpossibleValue(column: "mode") }
        let hasTexts = (row["pointTexts"] as String?) != nil
        let hasProfile = (row["elevationProfile"] as String?) != nil
        self.init(
            id: try row.id("id"),
            name: row["name"],
            mode: mode,
            start: try row.coordinate("startLatitude", "startLongitude"),
            end: try row.coordinate("endLatitude", "endLongitude"),
            viaPoints: try row.list("viaPoints", of: Coordinate.self),
            coordinates: try row.list("coordinates", of: Coordinate.self),
            turnInstructions: try row.list("turnInstructions", of: TurnInstruction.self),
            totalDistance: row["totalDistance"],
            estimatedDuration: row["estimatedDuration"],
            elevationGain: row["elevationGain"],
            elevationLoss: row["elevationLoss"],
            createdAt: row.date("createdAt"),
            regionID: try row.id("regionID"),
            elevationProfile: hasProfile ? try row.list("elevationProfile", of: ElevationSample.self) : nil,
            modifiedAt: row.dateIfPresent("modifiedAt"),
            supplement: ItemSupplement(
                words: try row.gpxWords(),
                track: row["trackDetail"],
                pointTexts: hasTexts ? try row.list("pointTexts", of: PointTexts.self) : nil
            )
        )
    }

    func encode(to container: inout PersistenceContainer) throws {
        container.set("id", id)
        container["name"] = name
        container["mode"] = mode.rawValue
        container.set("startLatitude", "startLongitude", start)
        container.set("endLatitude", "endLongitude", end)
        try container.set("viaPoints", list: viaPoints)
        try container.set("coordinates", list: coordinates)
        try container.set("turnInstructions", list: turnInstructions)
        container["totalDistance"] = totalDistance
        container["estimatedDuration"] = estimatedDuration
        container["elevationGain"] = elevationGain
        container["elevationLoss"] = elevationLoss
        container.set("createdAt", createdAt)
        try container.set("elevationProfile", list: elevationProfile)
        container.set("modifiedAt", modifiedAt)
        try container.set(supplement.words)
        container["trackDetail"] = supplement.track
        try container.set("pointTexts", list: supplement.pointTexts)
    }

    func check() throws { try supplement.checkTables() }

    func belonging(to regionID: UUID) -> PlannedRoute {
        var copy = self
        copy.regionID = regionID
        return copy
    }

    func filled(from other: PlannedRoute) -> PlannedRoute {
        var copy = self
        if name.isEmpty { copy.name = other.name }
        let hasSameLine = coordinates == other.coordinates
        // A GPX file has no place for turns and via points.
        if hasSameLine, viaPoints.isEmpty { copy.viaPoints = other.viaPoints }
        if hasSameLine, turnInstructions.isEmpty { copy.turnInstructions = other.turnInstructions }
        if hasSameLine { copy.elevationProfile = elevationProfile ?? other.elevationProfile }
        copy.supplement = supplement.filled(from: other.supplement, hasSameLine: hasSameLine)
        return copy
    }
}

extension SavedRoute: RegionItem {
    static var tableName: String { "hike" }
    static var orderColumn: String { "startTime" }

    static var emptyValues: [String: String] {
        ["trackData": "x''", "trackDetail": "NULL", "trackSensors": "NULL", "gpx": "NULL"]
    }

    var effectiveDate: Date { modifiedAt ?? startTime }

    init(row: Row) throws {
        self.init(
            id: try row.id("id"),
            name: row["name"],
            start: try row.coordinate("startLatitude", "startLongitude"),
            end: try row.coordinate("endLatitude", "endLongitude"),
            startTime: row.date("startTime"),
            endTime: row.date("endTime"),
            totalDistance: row["totalDistance"],
            elevationGain: row["elevationGain"],
            elevationLoss: row["elevationLoss"],
            walkingTime: row["walkingTime"],
            restingTime: row["restingTime"],
            averageHeartRate: row["averageHeartRate"],
            maximumHeartRate: row["maximumHeartRate"],
            estimatedCalories: row["estimatedCalories"],
            comment: row["comment"],
            regionID: try row.id("regionID"),
            trackData: row["trackData"],
            modifiedAt: row.dateIfPresent("modifiedAt"),
            supplement: ItemSupplement(
                words: try row.gpxWords(),
                track: row["trackDetail"],
                sensors: row["trackSensors"]
            )
        )
    }

    func encode(to container: inout PersistenceContainer) throws {
        container.set("id", id)
        container["name"] = name
        container.set("startLatitude", "startLongitude", start)
        container.set("endLatitude", "endLongitude", end)
        container.set("startTime", startTime)
        container.set("endTime", endTime)
        container["totalDistance"] = totalDistance
        container["elevationGain"] = elevationGain
        container["elevationLoss"] = elevationLoss
        container["walkingTime"] = walkingTime
        container["restingTime"] = restingTime
        container["averageHeartRate"] = averageHeartRate
        container["maximumHeartRate"] = maximumHeartRate
        container["estimatedCalories"] = estimatedCalories
        container["comment"] = comment
        container["trackData"] = trackData
        container.set("modifiedAt", modifiedAt)
        try container.set(supplement.words)
        container["trackDetail"] = supplement.track
        container["trackSensors"] = supplement.sensors
    }

    func check() throws {
        try TrackCodec.check(trackData)
        try supplement.checkTables()
    }

    func belonging(to regionID: UUID) -> SavedRoute {
        var copy = self
        copy.regionID = regionID
        return copy
    }

    func filled(from other: SavedRoute) -> SavedRoute {
        var copy = self
        if name.isEmpty { copy.name = other.name }
        if comment.isEmpty { copy.comment = other.comment }
        // A sender leaves these values out by default.
        copy.averageHeartRate = averageHeartRate ?? other.averageHeartRate
        copy.maximumHeartRate = maximumHeartRate ?? other.maximumHeartRate
        copy.estimatedCalories = estimatedCalories ?? other.estimatedCalories
        if trackData.isEmpty { copy.trackData = other.trackData }
        copy.supplement = supplement.filled(from: other.supplement, hasSameLine: copy.trackData == other.trackData)
        return copy
    }
}
