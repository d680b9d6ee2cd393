/// Decimal numbers in the form of GPX (`xsd:decimal`).
enum DecimalNumber {
    /// Reads a number, ignoring spaces around it; nil if the text is not a finite number.
    static func value(_ text: String) -> Double? {
        if let number = Double(text) { return number.isFinite ? number : nil }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let start = text.utf8.firstIndex(where: { !isSpace($0) }),
            let end = text.utf8.lastIndex(where: { !isSpace($0) }),
            let number = Double(text[start...end]), number.isFinite
        else { return nil }
        return number
    }

    /// Writes a number with a maximum number of decimals and no exponent; nil if it is not finite or implausibly large.
    static func text(_ value: Double, decimals: Int) -> String? {
        guard value.isFinite, abs(value) < 1e9, (0...9).contains(decimals) else { return nil }
        var scale: UInt64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = UInt64((abs(value) * Double(scale)).rounded())
        var fraction = String(scaled % scale)
        fraction = String(repeating: "0", count: max(0, decimals - fraction.utf8.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + String(scaled / scale) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Returns a number for a message, with commas between thousands.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
