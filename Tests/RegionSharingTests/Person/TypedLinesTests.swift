import Foundation
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import RegionSharing
@testable import RegionStore

/// The lines of a cut, as a person types them.
@Suite(.timeLimit(.minutes(10))) struct TypedLinesTests {
    private static let way = """
        <gpx version="1.1"><rte><name>Way</name><rtept lat="47.1" lon="11.3"/><rtept lat="47.2" lon="11.4"/></rte></gpx>
        """

    private static let valley = """
        <gpx version="1.1"><rte><name>Valley Way</name><rtept lat="42.5" lon="1.4"/><rtept lat="42.6" lon="1.5"/></rte></gpx>
        """

    /// A region with a planned route, and the path of a file with another one.
    private static func world(
        in directory: TemporaryDirectory
    ) throws -> (store: RegionStore, region: RegionSummary, route: PlannedRoute, gpx: String) {
        let store = try RegionStore(path: directory.path("store"))
        let id = try store.importMap(at: OfferMaker.map).region.id
        try valley.write(toFile: directory.path("valley.gpx"), atomically: true, encoding: .utf8)
        try store.importGPX(at: directory.path("valley.gpx"), into: id)
        let gpx = directory.path("way.gpx")
        try way.write(toFile: gpx, atomically: true, encoding: .utf8)
        return (store, try store.region(id), try store.plannedRoutes(of: id)[0], gpx)
    }

    @Test func aLineIsFoundByNameNumberOrFile() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region, route, gpx) = try Self.world(in: directory)
            for text in [route.name.uppercased(), "1"] {
                let rule = try CutRule().along([text], of: region, in: store)
                #expect(rule.names == [route.name] && rule.lines == [route.coordinates])
            }
            let rule = try CutRule().along([gpx], of: region, in: store)
            #expect(rule.names == ["Way"] && rule.lines.first?.count == 2)
            for text in ["nothing", "99", directory.path("none.gpx")] {
                let error = #expect(throws: RegionStoreError.self) {
                    try CutRule().along([text], of: region, in: store)
                }
                #expect(error?.code == .notFound)
            }
        }
    }

    /// The receiver's own routes are found in any region, and files are read on its side only.
    @Test func theOwnRouteIsSent() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _, route, gpx) = try Self.world(in: directory)
            let own = try CutRule(within: 300).request(along: [route.name], in: store)
            #expect(own.routes.isEmpty && own.names == [route.name] && own.distance == 300)
            let file = try CutRule().request(along: [gpx], in: store)
            #expect(file.names == ["Way"] && file.lines.first?.count == 2)
            #expect(throws: RegionStoreError.self) {
                try CutRule().request(along: [directory.path("none.gpx")], in: store)
            }
            // A name that the receiver does not have is that of a route of the offer.
            let other = try CutRule().request(along: ["Elsewhere"], in: store)
            #expect(other.routes == ["Elsewhere"] && other.lines.isEmpty)
        }
    }

    /// A file is told by its extension, a route by any other text.
    @Test(arguments: [("a.gpx", true), ("B.KMZ", true), ("Fit", false), ("gpx", false), ("Route 1.5", false)])
    func aTrackFileIsToldByItsExtension(text: String, isFile: Bool) {
        #expect(CutRule.isTrackFile(text) == isFile)
    }
}
