import FoundationEssentials
import RegionStore

/// The sticks and other drives that are mounted for the person.
///
/// A page names one of them, and never a path.
package struct MountedDrives: Sendable {
    /// A drive.
    package struct Drive: Encodable, Hashable, Sendable {
        private enum CodingKeys: String, CodingKey { case name, requests, files }

        /// The name, which is that of the folder where it is mounted.
        package var name: String
        package var path: String
        /// The number of requests of machines.
        package var requests: Int
        /// The number of sealed maps.
        package var files: Int
    }

    private static let maximumCount = 30

    /// The folders that have a folder for each drive.
    package var roots: [String]

    package init(below roots: [String]) { self.roots = roots }

    /// Returns the drives, with what is on them.
    package func list() -> [Drive] {
        places().map { name, path in
            let count = { suffix in (try? StickFile.paths(in: path, suffix).count) ?? 0 }
            return Drive(
                name: name,
                path: path,
                requests: count(StickFile.requestSuffix),
                files: count(StickFile.suffix)
            )
        }
    }

    /// Returns the place of a drive by its name; nil if it is not there.
    package func drive(named name: String) -> (name: String, path: String)? { places().first { $0.name == name } }

    private func places() -> [(name: String, path: String)] {
        var places: [(name: String, path: String)] = []
        for root in roots {
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted() {
                let path = root + "/" + name
                guard places.count < Self.maximumCount, !name.hasPrefix("."), name.utf8.count <= 255,
                    !places.contains(where: { $0.name == name }),
                    (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
                        == .typeDirectory
                else { continue }
                places.append((name, path))
            }
        }
        return places
    }
}
