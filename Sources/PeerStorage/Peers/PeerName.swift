/// The comparison of the names of peers.
///
/// A ``TrustStore`` uses it to recognise a peer that takes the name of a trusted one.
public enum PeerName {
    /// Returns whether two names look the same to people.
    ///
    /// The comparison ignores case, white space, invisible characters, and the differences between Latin, Greek and Cyrillic
    /// letters that look alike (after Unicode's UTS 39, section 4, "skeleton").
    public static func areAlike(_ first: String, _ second: String) -> Bool {
        withoutSpace(skeleton(first)) == withoutSpace(skeleton(second))
    }

    private static func withoutSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    /// Returns what names that look the same to people have in common.
    package static func skeleton(_ name: String) -> String {
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

    /// The ASCII character whose wide form is a scalar (Unicode block "Halfwidth and Fullwidth Forms").
    private static func unwidened(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Lower-case letters, and the Latin letters that they or their capitals look like.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(String, String)] = [
            // Digits and strokes.
            ("01|lıɩ", "oiiiii"),
            // Apostrophes, which phones and keyboards write differently.
            ("’‘ʼ`´′", "''''''"),
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
