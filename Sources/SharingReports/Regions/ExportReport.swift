import FoundationEssentials
package import RegionStore

/// The files that an export has written.
package struct ExportReport: Report {
    package var region: RegionSummary
    package var files: [ExportFile]
    /// The items that are missing in the GPX file because the store cannot read them.
    package var leftOut: [String] = []
    /// What was written of the map; nil for all.
    package var part: PartFacts?

    /// Creates the value.
    package init(region: RegionSummary, files: [ExportFile], leftOut: [String] = [], part: PartFacts? = nil) {
        self.region = region
        self.files = files
        self.leftOut = leftOut
        self.part = part
    }

    package var payloads: [JSONObject] {
        files.map { file in
            [
                "type": "exported",
                "regionID": region.id.uuidString,
                "content": file.part.rawValue,
                "file": file.path,
                "part": file.part == .map ? part?.description : nil,
                "tiles": file.part == .map ? part?.tileCount : nil,
                "leftOut": file.part == .gpx && !leftOut.isEmpty ? leftOut : nil,
            ]
        }
    }

    package var text: DisplayText {
        (files.map { "Wrote \($0.path)" } + (part.map { [$0.sentence] } ?? []) + Self.notes(leftOut)).joined(
            separator: "\n"
        )
    }

    /// Returns one line for each item that is missing in a GPX file.
    package static func notes(_ leftOut: [String]) -> [DisplayText] {
        leftOut.map { "Left out of the GPX file, because it cannot be read: \($0)" }
    }
}
