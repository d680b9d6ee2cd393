import FoundationEssentials
import PeerProtocol
package import RegionModel

/// A value of an item that may be long.
///
/// It is read and written piece by piece, separately from the rest of the item.
package struct LargeValue<Item: SharedItem>: Sendable {
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

    /// Bytes, as base64; nil if the item has none.
    static func bytes(
        _ key: String,
        atMost maximumLength: Int = ModelLimits.maximumTableLength,
        get: @escaping @Sendable (Item) -> Data?,
        set: @escaping @Sendable (inout Item, Data?) -> Void
    ) -> LargeValue {
        LargeValue(
            key: key,
            marks: Array("\"\"".utf8),
            read: { scanner in
                let bytes = try JSONPieces.readBase64(&scanner, key, atMost: maximumLength)
                return { set(&$0, bytes.isEmpty ? nil : bytes) }
            },
            write: { item, write in try JSONPieces.writeBase64(get(item) ?? Data(), to: write) },
            clear: { item in if get(item) != nil { set(&item, Data()) } },
            isEqual: { get($0) == get($1) }
        )
    }

    /// An array.
    ///
    /// - Parameters:
    ///   - maximumLength: The maximum length of an encoded element, in bytes.
    ///   - total: The maximum length of all encoded elements, in bytes.
    ///   - get: Gets the elements; nil if the item has no array.
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
                let elements = try JSONPieces.readArray(
                    of: Element.self,
                    &scanner,
                    key,
                    atMost: maximumCount,
                    of: maximumLength,
                    total: total
                )
                return { set(&$0, elements) }
            },
            write: { item, write in try JSONPieces.writeArray(get(item) ?? [], to: write) },
            clear: { item in if get(item) != nil { set(&item, []) } },
            isEqual: { get($0) == get($1) }
        )
    }
}

extension SavedRoute {
    package static var largeValues: [LargeValue<SavedRoute>] {
        let trackLength = ModelLimits.maximumTrackLength
        return [
            .bytes("trackData", atMost: trackLength, get: { $0.trackData }, set: { $0.trackData = $1 ?? Data() }),
            .bytes("trackDetail", get: { $0.supplement.track }, set: { $0.supplement.track = $1 }),
            .bytes("trackSensors", get: { $0.supplement.sensors }, set: { $0.supplement.sensors = $1 }),
        ]
    }
}

extension PlannedRoute {
    package static var largeValues: [LargeValue<PlannedRoute>] {
        let (points, turns) = (ModelLimits.maximumRoutePointCount, ModelLimits.maximumTurnCount)
        let (point, part) = (ModelLimits.maximumPointLength, ModelLimits.maximumPartLength)
        return [
            .array("coordinates", atMost: points, of: point, get: { $0.coordinates }, set: { $0.coordinates = $1 }),
            .array(
                "elevationProfile",
                atMost: points,
                of: point,
                get: { $0.elevationProfile },
                set: { $0.elevationProfile = $1 }
            ),
            .array(
                "pointTexts",
                atMost: points,
                of: part,
                total: ModelLimits.maximumTurnsLength,
                get: { $0.supplement.pointTexts },
                set: { $0.supplement.pointTexts = $1 }
            ),
            .bytes("trackDetail", get: { $0.supplement.track }, set: { $0.supplement.track = $1 }),
            .array(
                "turnInstructions",
                atMost: turns,
                of: part,
                total: ModelLimits.maximumTurnsLength,
                get: { $0.turnInstructions },
                set: { $0.turnInstructions = $1 }
            ),
            .array("viaPoints", atMost: turns, of: point, get: { $0.viaPoints }, set: { $0.viaPoints = $1 }),
        ]
    }
}
