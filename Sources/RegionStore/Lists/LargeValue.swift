import FoundationEssentials
package import RegionModel

/// A value of an item that may be long.
///
/// It is read and written piece by piece, separately from the rest of the item.
package struct LargeValue<Item: SharedItem>: Sendable {
    /// The key.
    let key: String

    /// The first and the last character of the value.
    let marks: [UInt8]

    /// Reads the value; returns a function that sets it in an item.
    let read: @Sendable (_ scanner: inout JSONScanner) throws -> (_ item: inout Item) -> Void

    /// Writes the value without its first and last character.
    let write: @Sendable (_ item: Item, _ write: (Data) throws -> Void) throws -> Void

    /// Makes the value of an item empty.
    let clear: @Sendable (_ item: inout Item) -> Void

    /// Returns whether two items have the same value.
    let isEqual: @Sendable (_ one: Item, _ other: Item) -> Bool

    /// Bytes, as base64.
    static func base64(
        _ key: String,
        atMost maximumLength: Int,
        get: @escaping @Sendable (Item) -> Data,
        set: @escaping @Sendable (inout Item, Data) -> Void
    ) -> LargeValue {
        LargeValue(
            key: key,
            marks: Array("\"\"".utf8),
            read: { scanner in
                let bytes = try JSONBase64.read(&scanner, key, atMost: maximumLength)
                return { set(&$0, bytes) }
            },
            write: { item, write in try JSONBase64.write(get(item), to: write) },
            clear: { set(&$0, Data()) },
            isEqual: { get($0) == get($1) }
        )
    }

    /// A table of points, as base64; nil if the item has none.
    static func table(
        _ key: String,
        get: @escaping @Sendable (Item) -> Data?,
        set: @escaping @Sendable (inout Item, Data?) -> Void
    ) -> LargeValue {
        LargeValue(
            key: key,
            marks: Array("\"\"".utf8),
            read: { scanner in
                let bytes = try JSONBase64.read(&scanner, key, atMost: ModelLimits.maximumTableLength)
                return { set(&$0, bytes.isEmpty ? nil : bytes) }
            },
            write: { item, write in try JSONBase64.write(get(item) ?? Data(), to: write) },
            clear: { item in if get(item) != nil { set(&item, Data()) } },
            isEqual: { get($0) == get($1) }
        )
    }

    /// An array.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - maximumCount: The maximum number of elements.
    ///   - maximumLength: The maximum length of an encoded element, in bytes.
    ///   - total: The maximum length of all encoded elements, in bytes.
    ///   - get: Gets the elements; nil if the item has no array.
    ///   - set: Sets the elements.
    /// - Returns: The value.
    static func array<Element: Codable & Hashable & Sendable>(
        _ key: String,
        atMost maximumCount: Int,
        of maximumLength: Int,
        total: Int = .max,
        get: @escaping @Sendable (Item) -> [Element]?,
        set: @escaping @Sendable (inout Item, [Element]) -> Void
    ) -> LargeValue {
        LargeValue(
            key: key,
            marks: Array("[]".utf8),
            read: { scanner in
                let elements = try JSONArray.read(
                    Element.self,
                    &scanner,
                    key,
                    atMost: maximumCount,
                    of: maximumLength,
                    total: total
                )
                return { set(&$0, elements) }
            },
            write: { item, write in try JSONArray.write(get(item) ?? [], to: write) },
            clear: { item in if get(item) != nil { set(&item, []) } },
            isEqual: { get($0) == get($1) }
        )
    }
}

extension SavedRoute {
    package static var largeValues: [LargeValue<SavedRoute>] {
        [
            .base64("trackData", atMost: ModelLimits.maximumTrackLength) {
                $0.trackData
            } set: {
                $0.trackData = $1
            },
            .table("trackDetail") {
                $0.supplement.track
            } set: {
                $0.supplement.track = $1
            },
            .table("trackSensors") {
                $0.supplement.sensors
            } set: {
                $0.supplement.sensors = $1
            },
        ]
    }
}

extension PlannedRoute {
    package static var largeValues: [LargeValue<PlannedRoute>] {
        let (points, turns) = (ModelLimits.maximumRoutePointCount, ModelLimits.maximumTurnCount)
        return [
            .array("coordinates", atMost: points, of: ModelLimits.maximumPointLength) {
                $0.coordinates
            } set: {
                $0.coordinates = $1
            },
            .array("elevationProfile", atMost: points, of: ModelLimits.maximumPointLength) {
                $0.elevationProfile
            } set: {
                $0.elevationProfile = $1
            },
            .array(
                "pointTexts",
                atMost: points,
                of: ModelLimits.maximumPartLength,
                total: ModelLimits.maximumTurnsLength
            ) {
                $0.supplement.pointTexts
            } set: {
                $0.supplement.pointTexts = $1
            },
            .table("trackDetail") {
                $0.supplement.track
            } set: {
                $0.supplement.track = $1
            },
            .array(
                "turnInstructions",
                atMost: turns,
                of: ModelLimits.maximumPartLength,
                total: ModelLimits.maximumTurnsLength
            ) {
                $0.turnInstructions
            } set: {
                $0.turnInstructions = $1
            },
            .array("viaPoints", atMost: turns, of: ModelLimits.maximumPointLength) {
                $0.viaPoints
            } set: {
                $0.viaPoints = $1
            },
        ]
    }
}
