package import FoundationEssentials

/// ISO 8601 times to and from text, without a formatter: a track has one for each of its points.
package enum Timestamp {
    // The first second of year 1 and of year 10000, from 1970.
    private static let plausible = -62_135_596_800.0..<253_402_300_800.0

    /// Tells whether a date lies in the years 1 to 9999, the only ones that can be written.
    package static func isPlausible(_ date: Date) -> Bool { plausible.contains(date.timeIntervalSince1970) }

    /// Returns the nearest whole second of the years 1 to 9999.
    static func nearest(_ date: Date) -> Date {
        let seconds = date.timeIntervalSince1970
        if seconds >= plausible.upperBound - 1 { return Date(timeIntervalSince1970: plausible.upperBound - 1) }
        return seconds < plausible.lowerBound ? Date(timeIntervalSince1970: plausible.lowerBound) : date
    }

    /// Returns the milliseconds since 1970, fractions cut off; nil outside the years 1 to 9999.
    package static func milliseconds(_ date: Date) -> Int64? {
        guard isPlausible(date) else { return nil }
        // Rounded only to undo the error of adding the reference date, far below a millisecond.
        return Int64((date.timeIntervalSince1970 * 1000 + 0.001).rounded(.down))
    }

    /// Parses `2026-02-05T16:00:00`, with or without a fraction, and then `Z`, an offset such as `+02:00`, or nothing
    /// (taken as UTC, as GPX asks); nil if it is anything else.
    package static func date(parsing text: String.UTF8View) -> Date? {
        var scanner = Scanner(text.makeIterator())
        return scanner.dateTime()
    }

    /// Writes a date as `2026-02-05T16:00:00Z`, fractions cut off; nil outside the years 1 to 9999.
    package static func text(_ date: Date, milliseconds: Bool = false) -> String? {
        guard let thousandths = Self.milliseconds(date) else { return nil }
        let seconds = Int64((Double(thousandths) / 1000).rounded(.down))
        let day = Int64((Double(seconds) / 86_400).rounded(.down))
        let civil = civil(fromDay: day)
        let second = seconds - day * 86_400
        let fraction = thousandths - seconds * 1000

        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(civil.year, digits: 4, then: "-", to: &bytes)
        append(civil.month, digits: 2, then: "-", to: &bytes)
        append(civil.day, digits: 2, then: "T", to: &bytes)
        append(second / 3600, digits: 2, then: ":", to: &bytes)
        append(second / 60 % 60, digits: 2, then: ":", to: &bytes)
        if milliseconds, fraction > 0 {
            append(second % 60, digits: 2, then: ".", to: &bytes)
            append(fraction, digits: 3, then: "Z", to: &bytes)
        } else {
            append(second % 60, digits: 2, then: "Z", to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: Int64, digits: Int, then mark: Unicode.Scalar, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        for _ in 0..<digits {
            bytes.append(UInt8(truncatingIfNeeded: 48 + value / divisor % 10))
            divisor /= 10
        }
        bytes.append(UInt8(truncatingIfNeeded: mark.value))
    }

    // Days are counted from 1970-01-01 in eras of 400 years that begin on a first of March, so that leap days are last.
    private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    fileprivate static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    fileprivate static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Timestamp {
    /// Reads the parts of a time one after the other.
    private struct Scanner<Bytes: IteratorProtocol> where Bytes.Element == UInt8 {
        private var bytes: Bytes
        private var next: UInt8?

        init(_ text: Bytes) {
            bytes = text
            next = bytes.next()
            while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { next = bytes.next() }
        }

        mutating func dateTime() -> Date? {
            guard let year = number(4), year >= 1, skip("-"),
                let month = number(2), (1...12).contains(month), skip("-"),
                let day = number(2), day >= 1, day <= Timestamp.days(inMonth: month, of: year),
                skip("T") || skip("t") || skip(" "),
                let hour = number(2), hour <= 24, skip(":"),
                let minute = number(2), minute <= 59
            else { return nil }
            // Seconds may be missing (as in what HTML forms write); 60 is a leap second.
            var second: Int64 = 0
            if skip(":") {
                guard let value = number(2), value <= 60 else { return nil }
                second = value
            }
            guard let fraction = fraction(), let offset = offset() else { return nil }
            while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { next = bytes.next() }
            guard next == nil, hour < 24 || (minute == 0 && second == 0 && fraction == 0) else { return nil }
            let days = Timestamp.day(year: year, month: month, day: day)
            let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
            let date = Date(timeIntervalSince1970: Double(seconds) + fraction)
            return Timestamp.isPlausible(date) ? date : nil
        }

        private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
            guard let byte = next, UInt32(byte) == mark.value else { return false }
            next = bytes.next()
            return true
        }

        private mutating func number(_ digits: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let byte = next, (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
                next = bytes.next()
            }
            return value
        }

        private mutating func fraction() -> Double? {
            guard skip(".") || skip(",") else { return 0 }
            var value: Int64 = 0
            var scale: Int64 = 1
            var isEmpty = true
            while let byte = next, (0x30...0x39).contains(byte) {
                isEmpty = false
                if scale < 1_000_000_000 {
                    value = value * 10 + Int64(byte - 0x30)
                    scale *= 10
                }
                next = bytes.next()
            }
            return isEmpty ? nil : Double(value) / Double(scale)
        }

        private mutating func offset() -> Int64? {
            if skip("Z") || skip("z") { return 0 }
            let isEast = skip("+")
            guard isEast || skip("-") else { return 0 }
            guard let hours = number(2), hours <= 23 else { return nil }
            let hasColon = skip(":")
            var minutes: Int64 = 0
            if hasColon || next.map({ (0x30...0x39).contains($0) }) == true {
                guard let value = number(2), value <= 59 else { return nil }
                minutes = value
            }
            let seconds = hours * 3600 + minutes * 60
            return isEast ? seconds : -seconds
        }
    }
}
