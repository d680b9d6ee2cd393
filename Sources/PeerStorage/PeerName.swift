/// What people see in a name.
package enum PeerName {
    /// Whether people would take two names for the same: upper and lower case, blanks, letters of Latin, Greek and Cyrillic
    /// that look alike, and what cannot be seen make no difference. (After Unicode's UTS 39, section 4, "skeleton".)
    package static func areAlike(_ first: String, _ second: String) -> Bool {
        skeleton(first) == skeleton(second)
    }

    private static func skeleton(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.lowercased().unicodeScalars where isVisible(scalar) {
            scalars.append(lookAlikes[scalar] ?? unwidened(scalar))
        }
        return String(scalars).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .format
    }

    /// The ASCII character of which a scalar is the wide form (Unicode block "Halfwidth and Fullwidth Forms").
    private static func unwidened(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Lower case, as it looks or as its capital looks, and what it is taken for.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(String, String)] = [
            // Digits and strokes.
            ("01|lıɩ", "oiiiii"),
            // Cyrillic.
            ("авеёзікмнорстухјѕԁһԛԝү", "abee3ikmhopctyxjsdhqwy"),
            // Greek.
            ("αβεζηικμνορτυχγϲ", "abezhikmvoptuxyc"),
        ]
        return Dictionary(
            uniqueKeysWithValues: pairs.flatMap { Array(zip($0.unicodeScalars, $1.unicodeScalars)) }
        )
    }()
}
