import FoundationEssentials

extension PlannedRoute: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, mode
        case start = "startCoordinate"
        case end = "endCoordinate"
        case viaPoints, coordinates, turnInstructions, totalDistance, estimatedDuration, elevationGain
        case elevationLoss, createdAt
        case regionID = "regionId"
        case elevationProfile, modifiedAt
        case words = "gpx"
        case trackDetail, pointTexts
    }

    /// Reads a route; an owner's iCloud record id is left behind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        name = try container.text(.name, atMost: ModelLimits.maximumNameLength)
        mode = try container.decode(RouteMode.self, forKey: .mode)
        start = try container.decode(Coordinate.self, forKey: .start)
        end = try container.decode(Coordinate.self, forKey: .end)
        let (pointCount, turnCount) = (ModelLimits.maximumRoutePointCount, ModelLimits.maximumTurnCount)
        viaPoints = try container.array(.viaPoints, atMost: turnCount)
        coordinates = try container.array(.coordinates, atMost: pointCount)
        turnInstructions = try container.array(.turnInstructions, atMost: turnCount)
        totalDistance = try container.finite(.totalDistance)
        estimatedDuration = try container.finite(.estimatedDuration)
        elevationGain = try container.finite(.elevationGain)
        elevationLoss = try container.finite(.elevationLoss)
        createdAt = try container.date(.createdAt)
        regionID = try container.decodeIfPresent(UUID.self, forKey: .regionID)
        elevationProfile = try container.arrayIfPresent(.elevationProfile, atMost: pointCount)
        modifiedAt = try container.dateIfPresent(.modifiedAt)
        supplement = ItemSupplement(
            words: try container.decodeIfPresent(ItemWords.self, forKey: .words),
            track: try container.tableIfPresent(.trackDetail),
            pointTexts: try container.arrayIfPresent(.pointTexts, atMost: pointCount)
        )
    }

    /// Writes the route as OpenHiker does, without an iCloud record id.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(mode, forKey: .mode)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(viaPoints, forKey: .viaPoints)
        try container.encode(coordinates, forKey: .coordinates)
        try container.encode(turnInstructions, forKey: .turnInstructions)
        try container.encode(totalDistance, forKey: .totalDistance)
        try container.encode(estimatedDuration, forKey: .estimatedDuration)
        try container.encode(elevationGain, forKey: .elevationGain)
        try container.encode(elevationLoss, forKey: .elevationLoss)
        try container.encode(date: createdAt, forKey: .createdAt)
        try container.encodeIfPresent(regionID, forKey: .regionID)
        try container.encodeIfPresent(elevationProfile, forKey: .elevationProfile)
        try container.encodeIfPresent(date: modifiedAt, forKey: .modifiedAt)
        try container.encodeIfPresent(supplement.words, forKey: .words)
        try container.encodeIfPresent(supplement.track?.base64EncodedString(), forKey: .trackDetail)
        try container.encodeIfPresent(supplement.pointTexts, forKey: .pointTexts)
    }
}

extension SavedRoute: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, startLatitude, startLongitude, endLatitude, endLongitude, startTime, endTime
        case totalDistance, elevationGain, elevationLoss, walkingTime, restingTime, averageHeartRate
        case maximumHeartRate = "maxHeartRate"
        case estimatedCalories, comment
        case regionID = "regionId"
        case trackData, modifiedAt
        case words = "gpx"
        case trackDetail, trackSensors
    }

    /// Reads a hike; one without `trackData` has no points, and an owner's iCloud record id is left behind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        name = try container.text(.name, atMost: ModelLimits.maximumNameLength)
        start = try container.coordinate(.startLatitude, .startLongitude)
        end = try container.coordinate(.endLatitude, .endLongitude)
        startTime = try container.date(.startTime)
        endTime = try container.date(.endTime)
        totalDistance = try container.finite(.totalDistance)
        elevationGain = try container.finite(.elevationGain)
        elevationLoss = try container.finite(.elevationLoss)
        walkingTime = try container.finite(.walkingTime)
        restingTime = try container.finite(.restingTime)
        averageHeartRate = try container.finiteIfPresent(.averageHeartRate)
        maximumHeartRate = try container.finiteIfPresent(.maximumHeartRate)
        estimatedCalories = try container.finiteIfPresent(.estimatedCalories)
        comment = try container.text(.comment, atMost: ModelLimits.maximumTextLength)
        regionID = try container.decodeIfPresent(UUID.self, forKey: .regionID)
        let base64 = try container.textIfPresent(.trackData, atMost: ModelLimits.maximumTrackLength / 3 * 4) ?? ""
        guard let track = Data(base64Encoded: base64) else { throw container.wrong(.trackData, "is not base64") }
        trackData = track
        modifiedAt = try container.dateIfPresent(.modifiedAt)
        supplement = ItemSupplement(
            words: try container.decodeIfPresent(ItemWords.self, forKey: .words),
            track: try container.tableIfPresent(.trackDetail),
            sensors: try container.tableIfPresent(.trackSensors)
        )
    }

    /// Writes the hike as OpenHiker does, without an iCloud record id.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(start.latitude, forKey: .startLatitude)
        try container.encode(start.longitude, forKey: .startLongitude)
        try container.encode(end.latitude, forKey: .endLatitude)
        try container.encode(end.longitude, forKey: .endLongitude)
        try container.encode(date: startTime, forKey: .startTime)
        try container.encode(date: endTime, forKey: .endTime)
        try container.encode(totalDistance, forKey: .totalDistance)
        try container.encode(elevationGain, forKey: .elevationGain)
        try container.encode(elevationLoss, forKey: .elevationLoss)
        try container.encode(walkingTime, forKey: .walkingTime)
        try container.encode(restingTime, forKey: .restingTime)
        try container.encodeIfPresent(averageHeartRate, forKey: .averageHeartRate)
        try container.encodeIfPresent(maximumHeartRate, forKey: .maximumHeartRate)
        try container.encodeIfPresent(estimatedCalories, forKey: .estimatedCalories)
        try container.encode(comment, forKey: .comment)
        try container.encodeIfPresent(regionID, forKey: .regionID)
        try container.encode(trackData.base64EncodedString(), forKey: .trackData)
        try container.encodeIfPresent(date: modifiedAt, forKey: .modifiedAt)
        try container.encodeIfPresent(supplement.words, forKey: .words)
        try container.encodeIfPresent(supplement.track?.base64EncodedString(), forKey: .trackDetail)
        try container.encodeIfPresent(supplement.sensors?.base64EncodedString(), forKey: .trackSensors)
    }
}
