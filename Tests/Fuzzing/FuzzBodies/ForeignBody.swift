import MapFiles
import RegionModel

/// The header of a map of another program.
///
/// The first byte says of which; the rest is the file.
enum ForeignBody {
    static func run(_ input: [UInt8]) throws {
        guard let first = input.first else { return }
        let format = ForeignFormat.allCases[Int(first) % ForeignFormat.allCases.count]
        guard let header = ForeignHeader.read(Array(input.dropFirst()), as: format) else { return }
        if let area = header.area { try require(area.height > 0 && area.width > 0, "an area has no extent") }
        for text in [header.name, header.attribution].compactMap({ $0 }) {
            try require(!text.isEmpty && text.unicodeScalars.count <= 2000, "a text is empty or too long")
            let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            try require(!hasControls, "a text has characters that are not seen")
        }
        let name = ForeignMap.fileName(for: String(decoding: input.prefix(300), as: UTF8.self), format)
        try require(ForeignMap.isFileName(name), "a name that was made is not possible")
    }
}
