package import FoundationEssentials
import Glibc

/// A file that an export writes.
package struct ExportFile: Hashable, Sendable {
    /// The content to which an export can be limited.
    package enum Part: String, CaseIterable, Sendable {
        case map
        case routing
        case gpx
        case photo
    }

    /// The content of one file.
    package enum Content: Hashable, Sendable {
        case map
        case routing
        case gpx
        /// The photo of this waypoint.
        case photo(UUID)
    }

    /// What the file holds.
    package var content: Content

    /// The path of the file.
    package var path: String

    package init(content: Content, path: String) { (self.content, self.path) = (content, path) }

    /// The part of the region to which the content belongs.
    package var part: Part {
        switch content {
        case .map: .map
        case .routing: .routing
        case .gpx: .gpx
        case .photo: .photo
        }
    }

    /// Returns the files of an export: the selected content, or everything if nothing is selected.
    ///
    /// - Parameter isPart: Whether only a part of the map is written, so that its name says so.
    /// - Throws: `RegionStoreError` if the region does not have the selected content.
    package static func plan(
        _ region: RegionSummary,
        photos: [(photo: Photo, label: String)] = [],
        parts: Set<Part>,
        isPart: Bool = false,
        folder: String
    ) throws -> [ExportFile] {
        let present = Part.allCases.filter { part in
            switch part {
            case .map: true
            case .routing: region.hasRoutingData
            case .gpx: region.hikeCount + region.plannedRouteCount + region.waypointCount > 0
            case .photo: !photos.isEmpty
            }
        }
        if let missing = Part.allCases.first(where: { parts.contains($0) && !present.contains($0) }) {
            let what =
                switch missing {
                case .routing: "routing data"
                case .photo: "photos"
                case .map, .gpx: "hikes, planned routes or waypoints"
                }
            throw RegionStoreError(.notFound, "“\(region.name)” has no \(what) to export.")
        }
        let folder = folder.hasSuffix("/") ? folder : folder + "/"
        let stem = folder + ExportFileName.stem(for: region.name)
        // The file of another program may have any name.
        let isTaken = region.foreign.map { (folder + $0.fileName).lowercased() } == (stem + ".gpx").lowercased()
        return present.filter { parts.isEmpty || parts.contains($0) }.flatMap { part in
            switch part {
            case .map:
                if let foreign = region.foreign {
                    [ExportFile(content: .map, path: folder + foreign.fileName)]
                } else {
                    [ExportFile(content: .map, path: stem + (isPart ? "-part.mbtiles" : ".mbtiles"))]
                }
            case .routing: [ExportFile(content: .routing, path: stem + ".routing.db")]
            case .gpx: [ExportFile(content: .gpx, path: stem + (isTaken ? "-2.gpx" : ".gpx"))]
            case .photo: plan(photos, stem: stem)
            }
        }
    }

    /// Names photos by their waypoints, and adds numbers if waypoints have the same name.
    private static func plan(_ photos: [(photo: Photo, label: String)], stem: String) -> [ExportFile] {
        var taken: Set<String> = []
        var numbers: [String: Int] = [:]
        return photos.map { photo, label in
            let name = stem + "-" + ExportFileName.stem(for: label.isEmpty ? "photo" : label)
            var free = name
            while !taken.insert(free.lowercased()).inserted {
                numbers[name.lowercased(), default: 1] += 1
                free = "\(name)-\(numbers[name.lowercased(), default: 1])"
            }
            return ExportFile(content: .photo(photo.waypointID), path: free + photo.format.suffix)
        }
    }

    /// Checks that none of the files exists, so that either all files are written or none.
    package static func checkAbsent(_ files: [ExportFile]) throws {
        if let taken = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
            throw RegionStoreError(
                .conflict,
                "\(taken.path) already exists, and existing files are never overwritten.",
                remedy: "Choose another folder, or move the file."
            )
        }
    }

    /// Creates the folder of an export if it does not exist.
    ///
    /// The folder that contains it must exist, so that a mistyped path does not create several folders.
    package static func makeFolder(_ folder: String) throws -> Bool {
        var isFolder = false
        if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) {
            guard isFolder else {
                throw RegionStoreError(.storage, "\(folder) is not a folder.", remedy: "Choose another name.")
            }
            return false
        }
        // A stopped export removes the folder that it has created.
        try UnfinishedFiles.creating(folder) {
            guard mkdir(folder, 0o777) != 0 else { return }
            let number = errno
            throw RegionStoreError(
                .storage,
                "The folder \(folder) cannot be created: \(String(cString: strerror(number))).",
                remedy: number == ENOENT && !hasParent(folder)
                    ? "Create the folder that contains it first, or choose another folder."
                    : "Choose another folder."
            )
        }
        return true
    }

    private static func hasParent(_ folder: String) -> Bool {
        let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
        return FileManager.default.fileExists(atPath: parent)
    }

    /// Writes all files, or none if one cannot be written or a signal ends the program.
    ///
    /// - Parameters:
    ///   - cut: The part of the map to write; nil for the whole map.
    ///   - photoDetails: Whether photos have what they say of the camera, the place and the time.
    ///   - progress: Called with the number of written bytes of a file and their total number.
    /// - Returns: The items that are missing in the GPX file, because the store cannot read them.
    package static func write(
        _ files: [ExportFile],
        _ region: RegionSummary,
        from store: RegionStore,
        cut: RegionCut? = nil,
        photoDetails: Bool = true,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> [String] {
        var written: [String] = []
        var leftOut: [String] = []
        defer { UnfinishedFiles.finish(written) }
        do {
            try UnfinishedFiles.collecting {
                for file in files {
                    leftOut += try file.write(
                        region,
                        from: store,
                        cut: cut,
                        photoDetails: photoDetails,
                        progress: progress
                    )
                    written.append(file.path)
                }
            }
        } catch {
            // None of the files existed before.
            for path in written { try? FileManager.default.removeItem(atPath: path) }
            throw error
        }
        return leftOut
    }

    private func write(
        _ region: RegionSummary,
        from store: RegionStore,
        cut: RegionCut?,
        photoDetails: Bool,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> [String] {
        switch content {
        case .map where cut != nil: if let cut { try store.export(cut, to: path, progress: progress) }
        case .map: try store.exportMap(of: region.id, to: path, progress: progress)
        case .routing: try store.exportRouting(of: region.id, to: path, progress: progress)
        case .gpx: return try store.exportGPX(of: region.id, to: path).leftOut
        case .photo(let waypointID):
            try store.exportPhoto(of: waypointID, in: region.id, to: path, withDetails: photoDetails)
        }
        return []
    }
}
