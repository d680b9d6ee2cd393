import Foundation
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

/// What a receiver asks for in its invitation.
@Suite struct CutRequestTests {
    @Test func isReadAsItWasWritten() throws {
        let line = try [(42.571, 1.452), (42.5741, 1.45075), (-89.99999, -180)].map {
            try #require(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let request = CutRequest(
            names: ["Estany Negre"],
            lines: [line, [line[0]]],
            routes: ["Ridge"],
            distance: 512.5,
            area: BoundingBox(north: 43, south: 42, east: 2, west: 1),
            maximumZoom: 14
        )
        #expect(try CutRequest(parsing: #require(request.context)) == request)
        #expect(try CutRequest(parsing: Data(#"{"part":{"maxZoom":3,"x":[]},"y":1}"#.utf8)).maximumZoom == 3)
        #expect(try CutRequest(parsing: Data(#"{"part":{"maxZoom":3.0}}"#.utf8)).maximumZoom == 3)
        let thin = #"{"part":{"area":{"north":2.00001,"south":2,"east":-179.9999,"west":180}}}"#
        #expect(try CutRequest(parsing: Data(thin.utf8)).area?.crosses180 == true)
    }

    /// The example of the page "Item formats".
    @Test func theExampleIsRead() throws {
        let text = #"{"part":{"along":["Estany Negre"],"lines":[[4257100,145200,310,-125]],"within":500}}"#
        let request = try CutRequest(parsing: Data(text.utf8))
        #expect(request.names == ["Estany Negre"] && request.distance == 500)
        #expect(request.lines.first?.map { ($0.latitude * 1e5).rounded() } == [4_257_100, 4_257_410])
        #expect(request.context.map { String(decoding: $0, as: UTF8.self) } == text)
    }

    @Test(arguments: [
        "", "7", "[]", "{}", #"{"part":7}"#, #"{"part":{}}"#, #"{"part":{"lines":[]}}"#, #"{"part":{"lines":[[]]}}"#,
        #"{"part":{"lines":[[1]]}}"#, #"{"part":{"lines":[[1,2,3]]}}"#, #"{"part":{"lines":[[9000001,0]]}}"#,
        #"{"part":{"lines":[[0,18000000,0,1]]}}"#, #"{"part":{"lines":[[9223372036854775807,0,1,0]]}}"#,
        #"{"part":{"lines":[[-9223372036854775808,0,-1,0]]}}"#, #"{"part":{"lines":[[1e300,0]]}}"#,
        #"{"part":{"lines":[[0.5,0]]}}"#, #"{"part":{"lines":"x"}}"#, #"{"part":{"maxZoom":31}}"#,
        #"{"part":{"maxZoom":-1}}"#, #"{"part":{"maxZoom":3,"maxZoom":4}}"#, #"{"part":{"maxZoom":3,"within":-1}}"#,
        #"{"part":{"maxZoom":3,"within":1e300}}"#, #"{"part":{"area":{"north":1,"south":2,"east":3,"west":4}}}"#,
        #"{"part":{"routes":["1","2","3","4","5","6","7","8","9"]}}"#,
        #"{"part":{"routes":["\#(String(repeating: "x", count: 1001))"]}}"#,
        #"{"part":{"maxZoom":3,"within":null}}"#, #"{"part":{"maxZoom":3,"area":null}}"#,
        #"{"part":{"area":{"north":2,"south":1,"east":3,"west":1},"maxZoom":null}}"#,
        #"{"part":{"area":{"north":2,"south":2,"east":3,"west":1}}}"#,
        #"{"part":{"area":{"north":2,"south":1,"east":3,"west":3}}}"#,
        #"{"part":{"area":{"north":2,"south":1,"east":-180,"west":180}}}"#, #"{"part":{"maxZoom":3.5}}"#,
        #"{"part":{"maxZoom":3,"along":[1]}}"#, #"{"part":{"maxZoom":3}} x"#,
        #"{"part":{"maxZoom":3,"x":"\#(String(repeating: "x", count: 16_384))"}}"#,
        #"{"part":{"lines":[\#(Array(repeating: "[0,0]", count: 65).joined(separator: ","))]}}"#,
        #"{"part":{"lines":[[\#(Array(repeating: "0", count: 8194).joined(separator: ","))]]}}"#,
    ])
    func isRefused(context: String) {
        #expect(throws: (any Error).self) { try CutRequest(parsing: Data(context.utf8)) }
    }

    /// No change of a request ends the program, and what is read is within the limits.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func changedBytesAreReadOrRefused(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(
            #"{"part":{"along":["a"],"lines":[[4257100,145200,310,-125]],"routes":["b"],"within":500,"maxZoom":3}}"#
                .utf8
        )
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: bytes.indices, using: &generator)
            bytes[place] = UInt8.random(in: 32...126, using: &generator)
        }
        guard let request = try? CutRequest(parsing: Data(bytes)) else { return }
        #expect(try CutRequest(parsing: #require(request.context)) == request)
    }
}
