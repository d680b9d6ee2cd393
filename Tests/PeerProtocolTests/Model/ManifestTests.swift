import FoundationEssentials
import PeerProtocol
import Testing

@Suite struct ManifestTests {
    static let id = Sample.id.uuidString
    static let digest = String(repeating: "ab", count: 32)

    /// A resource as JSON, right unless told otherwise.
    static func resource(
        _ kind: String,
        id: String = id,
        size: String = "2",
        digest: String = digest
    ) -> String {
        #"{"name":"\#(kind):\#(id)","size":\#(size),"digest":"\#(digest)"}"#
    }

    static func body(_ resources: [String], id: String = id, more: String = "") -> Data {
        Data(#"{"id":"\#(id)",\#(more)"resources":[\#(resources.joined(separator: ","))]}"#.utf8)
    }

    @Test func whatIsMadeIsWhatIsParsed() throws {
        let made = try Sample.manifest([Sample.tiles, Sample.waypoints, Sample.emptyRoutes])
        let parsed = try Manifest(parsing: made.body)
        #expect(parsed == made)
        #expect(parsed.id == Sample.id)
        #expect(parsed.entries.map(\.kind) == [.mbtiles, .waypoints, .savedroutes])
        #expect(parsed.totalSize == 40_002)
        #expect(parsed.entry(of: .waypoints)?.size == 2)
        #expect(parsed.entry(of: .routing) == nil)
        #expect(try parsed.description(as: Offer.self) == Offer(id: Sample.id, name: "Andorra"))
    }

    @Test func theSameOfferIsTheSameBytes() throws {
        let manifest = try Sample.manifest()
        #expect(try Sample.manifest().digest == manifest.digest)
        #expect(manifest.digest == ContentDigest(hashing: Array(manifest.body)))
        #expect(try Sample.manifest([Sample.waypoints, Sample.tiles]).digest != manifest.digest)
    }

    @Test func keepsKeysThatItDoesNotKnow() throws {
        let more = #""name":"Andorra","photos":{"count":3},"#
        let resource =
            #"{"name":"mbtiles:\#(Self.id)","size":2,"digest":"\#(Self.digest)","x":[1]}"#
        let body = Self.body([resource], more: more)
        let manifest = try Manifest(parsing: body)
        #expect(manifest.body == body)
        struct Newer: Decodable {
            var photos: [String: Int]
        }
        #expect(try manifest.description(as: Newer.self).photos == ["count": 3])
    }

    @Test func aManifestMayListNothing() throws {
        let manifest = try Manifest(parsing: Self.body([]))
        #expect(manifest.entries.isEmpty)
        #expect(manifest.totalSize == 0)
    }

    @Test(arguments: [
        ("a kind twice", body([resource("mbtiles"), resource("mbtiles")])),
        ("the manifest itself", body([resource("manifest")])),
        ("the end", body([resource("done")])),
        ("another id", body([resource("mbtiles", id: Sample.otherID.uuidString)])),
        ("a name that is a path", body([resource("../x")])),
        ("a kind in upper case", body([resource("MBTILES")])),
        ("a negative size", body([resource("mbtiles", size: "-1")])),
        ("a broken size", body([resource("mbtiles", size: "1.5")])),
        ("a size beyond 64 bits", body([resource("mbtiles", size: "18446744073709551616")])),
        ("a size as text", body([resource("mbtiles", size: "\"2\"")])),
        ("a digest too short", body([resource("mbtiles", digest: "ab")])),
        ("an id that is none", body([], id: "x")),
        ("an id with a sign", body([], id: "+F8FAD5B-D9CB-469F-A165-70867728950E")),
        ("no id", Data(#"{"resources":[]}"#.utf8)),
        ("no resources", Data(#"{"id":"\#(id)"}"#.utf8)),
        ("resources that are no list", Data(#"{"id":"\#(id)","resources":{}}"#.utf8)),
        ("a resource that is no object", body(["1"])),
        ("a list", Data("[]".utf8)),
        ("nothing", Data()),
        ("half of it", Data(#"{"id":"\#(id)","resou"#.utf8)),
        ("bytes that are no text", Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D])),
    ])
    func refusesAManifestThatLies(what: String, body: Data) {
        let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: body) }
        #expect(error?.code == .invalidManifest, "\(what)")
    }

    @Test(arguments: [1000, 100_000]) func refusesManyBrackets(count: Int) {
        let body = Data(repeating: UInt8(ascii: "["), count: count)
        let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: body) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [
        ("beyond the largest", ["274877906945"]),
        ("the largest number", ["18446744073709551615"]),
        ("together beyond the largest", ["137438953472", "137438953473"]),
    ])
    func refusesSizesBeyondTheLimit(what: String, sizes: [String]) {
        let resources = sizes.enumerated().map { position, size in
            Self.resource("kind\(position)", size: size)
        }
        let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: Self.body(resources)) }
        #expect(error?.code == .limitExceeded, "\(what)")
    }

    @Test func takesExactlyTheLargestTotal() throws {
        let half = Self.resource("a", size: "137438953472")
        let otherHalf = Self.resource("b", size: "137438953472")
        #expect(try Manifest(parsing: Self.body([half, otherHalf])).totalSize == ChunkLayout.maximumSize)
    }

    @Test(arguments: [31, 32])
    func takesAsManyResourcesAsAllowed(count: Int) throws {
        let resources = (0..<count).map { Self.resource("kind\($0)") }
        #expect(try Manifest(parsing: Self.body(resources)).entries.count == count)
    }

    @Test func refusesOneResourceTooMany() {
        let resources = (0..<33).map { Self.resource("kind\($0)") }
        let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: Self.body(resources)) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)])
    func holdsTheBodyAgainstItsLimit(over: Int, isAccepted: Bool) throws {
        let limit = ProtocolLimits.standard.maximumManifestLength
        let frame = Self.body([], more: #""name":"","#)
        let name = String(repeating: "x", count: limit - frame.count + over)
        let body = Self.body([], more: #""name":"\#(name)","#)
        #expect(body.count == limit + over)
        if isAccepted {
            #expect(try Manifest(parsing: body).body == body)
        } else {
            let error = #expect(throws: ProtocolError.self) { try Manifest(parsing: body) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func cannotBeMadeForADescriptionOfSomethingElse() {
        let error = #expect(throws: ProtocolError.self) {
            try Manifest(id: Sample.id, describing: Offer(id: Sample.otherID, name: "x"), entries: [])
        }
        #expect(error?.code == .invalidManifest)
    }

    @Test func cannotBeMadeIfAReceiverWouldRefuseIt() {
        let entries = [Sample.tiles.entry, Sample.tiles.entry]
        let error = #expect(throws: ProtocolError.self) {
            try Manifest(id: Sample.id, describing: Offer(id: Sample.id, name: "x"), entries: entries)
        }
        #expect(error?.code == .invalidManifest)
    }

    @Test func cannotBeMadeFromADescriptionThatIsNoJSON() {
        struct NotANumber: Encodable {
            var id = Sample.id
            var size = Double.nan
        }
        let error = #expect(throws: ProtocolError.self) {
            try Manifest(id: Sample.id, describing: NotANumber(), entries: [])
        }
        #expect(error?.code == .invalidManifest)
    }

    @Test func saysSoIfTheDescriptionIsNotWhatWasExpected() throws {
        let manifest = try Manifest(parsing: Self.body([]))
        let error = #expect(throws: ProtocolError.self) { try manifest.description(as: Offer.self) }
        #expect(error?.code == .invalidManifest)
    }
}
