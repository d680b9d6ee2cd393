import Crypto
import FoundationEssentials

/// The settings with which QMapShack shows one map, which its command line cannot name.
///
/// QMapShack reads them from the file of its option `--config`, and leaves a person's own settings alone. The form is that of
/// `QSettings`.
struct QMapShackSettings {
    /// The scales of QMapShack, in metres for each pixel; a setting is a position in this list.
    private static let scales = [
        0.10, 0.15, 0.20, 0.30, 0.50, 0.70, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0,
        150.0, 200.0, 300.0, 500.0, 700.0, 1000.0, 1500.0, 2000.0, 3000.0, 5000.0, 7000.0, 10000.0,
    ]

    /// The folder of the map.
    var folder: String
    /// The content of the virtual dataset in the folder.
    var virtualDataset: String
    /// What is shown first.
    var view: MapView

    /// The content of the file.
    var text: String {
        let scale = Self.scales.firstIndex { $0 >= view.pixelLength } ?? Self.scales.count - 1
        return """
            [Canvas]
            mapPath=\(Self.value(folder))
            Views\\Map\\posFocus=\(position)
            Views\\Map\\map\\active=\(key)
            Views\\Map\\map\\zoomIndex=\(scale)

            """
    }

    /// The name that QMapShack gives the map: the MD5 digest of the beginning of its file.
    private var key: String {
        let digits = Array("0123456789abcdef")
        let digest = Insecure.MD5.hash(data: Data(virtualDataset.utf8.prefix(4096)))
        return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// The centre in radians, as Qt writes a `QPointF`: the number of the type, and two numbers of 8 bytes.
    private var position: String {
        let numbers = [view.longitude, view.latitude].flatMap { degrees in
            let bits = (degrees * (.pi / 180)).bitPattern
            return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        }
        let bytes = [0, 0, 0, 0x1A] + numbers
        return "\"@Variant(" + bytes.map { "\\x" + String($0, radix: 16) }.joined() + ")\""
    }

    /// Writes a text as a value.
    static func value(_ text: String) -> String {
        var value = ""
        var isAfterCode = false
        for unit in text.utf16 {
            let isPlain = (0x20..<0x7F).contains(unit) && unit != 0x22 && unit != 0x5C
            // A code ends at the first character that is not a hexadecimal digit.
            if isPlain, let scalar = Unicode.Scalar(unit), !(isAfterCode && scalar.properties.isASCIIHexDigit) {
                value.unicodeScalars.append(scalar)
                isAfterCode = false
            } else {
                value += "\\x" + String(unit, radix: 16)
                isAfterCode = true
            }
        }
        return "\"" + value + "\""
    }
}
