package import FoundationEssentials
import NIOCore
import PeerStorage

extension GPXWriter {
    /// Returns a whole document, which is written in memory.
    ///
    /// - Parameters:
    ///   - document: What to write; possibly nothing.
    ///   - creator: The name of the application that writes the file.
    /// - Returns: The bytes of a GPX file.
    /// - Throws: ``RegionStoreError`` `invalidFile` if a hike's track cannot be read.
    package static func data(_ document: GPXDocument, creator: String = "RegionStore") throws -> Data {
        let output = MemoryOutput()
        var writer = GPXWriter(to: output, name: document.name, creator: creator)
        for waypoint in document.waypoints { try writer.write(waypoint) }
        for route in document.plannedRoutes where !route.isTrack { try writer.write(route) }
        for route in document.plannedRoutes where route.isTrack { try writer.write(route) }
        for hike in document.savedRoutes { try writer.write(hike) }
        try writer.finish()
        return output.data
    }

    private final class MemoryOutput: ByteOutput {
        private(set) var data = Data()

        func write(_ bytes: [UInt8], at offset: UInt64) {
            data.append(contentsOf: bytes)
        }

        func write(_ buffers: [ByteBuffer], at offset: UInt64) {
            for buffer in buffers { data.append(contentsOf: buffer.readableBytesView) }
        }
    }
}
