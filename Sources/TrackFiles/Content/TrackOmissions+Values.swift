import FoundationEssentials
import RegionModel

/// Values of a file; those that are not valid are left out and counted. A blank text has no value.
extension TrackOmissions {
    /// Returns an elevation; nil if it is not possible on Earth.
    mutating func elevation(_ metres: Double?) -> Double? {
        guard let metres else { return nil }
        if TrackPoint.elevations.contains(metres) { return metres }
        self[.badElevation] += 1
        return nil
    }

    mutating func elevation(_ text: String) -> Double? {
        guard !text.isBlank else { return nil }
        return elevation(DecimalNumber.value(text) ?? .infinity)
    }

    mutating func time(_ text: String) -> Date? {
        guard !text.isBlank else { return nil }
        let time = Timestamp.date(parsing: text.utf8)
        if time == nil { self[.badTime] += 1 }
        return time
    }

    mutating func sensorValue(_ text: String) -> Double? {
        guard !text.isBlank else { return nil }
        if let value = DecimalNumber.value(text), abs(value) < 1e6 { return value }
        self[.badSensor] += 1
        return nil
    }
}
