import FoundationEssentials
import Testing

@testable import PeerProtocol

@Suite struct CatalogueTests {
    private struct Offer: Codable, Equatable {
        var id: UUID
        var name: String
    }

    private static func body(_ offers: [String]) -> Data {
        Data(#"{"offers":[\#(offers.joined(separator: ","))]}"#.utf8)
    }

    private static func offer(_ id: UUID, name: String = #""Andorra""#) -> String {
        #"{"id":"\#(id.uuidString)","name":\#(name)}"#
    }

    @Test func whatIsMadeIsWhatIsParsed() throws {
        let offers = ["Andorra", "Pirineus"].map { Offer(id: UUID(), name: $0) }
        let made = try Catalogue(offers: offers)
        let parsed = try Catalogue(parsing: made.body)
        #expect(parsed == made)
        #expect(parsed.ids == offers.map(\.id))
        #expect(parsed.unreadableCount == 0)
        #expect(parsed.offers(as: Offer.self) { $0.id } == offers)
        #expect(parsed.digest == made.digest)
    }

    @Test func aBadOfferIsLeftOutAndCounted() throws {
        let (good, bad) = (UUID(), UUID())
        let catalogue = try Catalogue(
            parsing: Self.body([
                "1", "null", "{}", #"{"id":"x"}"#, Self.offer(good), Self.offer(good), #"{"id":7}"#,
                Self.offer(bad, name: "[]"),
            ])
        )
        #expect(catalogue.ids == [good, bad])
        #expect(catalogue.unreadableCount == 6)
        #expect(catalogue.offers(as: Offer.self) { $0.id }.map(\.id) == [good])
    }

    @Test(arguments: [
        "[]", "{}", #"{"offers":{}}"#, #"{"offers":null}"#, "", #"{"offers":[],"offers":[]}"#,
        String(repeating: "[", count: 65_000),
    ])
    func refusesWhatIsNoList(text: String) {
        #expect(throws: ProtocolError.self) { try Catalogue(parsing: Data(text.utf8)) }
    }

    @Test func itsLengthAndItsCountAreLimited() throws {
        var limits = ProtocolLimits.standard
        limits.maximumCatalogueCount = 2
        let offers = (0..<3).map { _ in Self.offer(UUID()) }
        #expect(try Catalogue(parsing: Self.body(Array(offers.prefix(2))), limits: limits).ids.count == 2)
        #expect(throws: ProtocolError.self) { try Catalogue(parsing: Self.body(offers), limits: limits) }
        let body = Self.body([Self.offer(UUID())])
        limits.maximumCatalogueLength = body.count
        #expect(try Catalogue(parsing: body, limits: limits).ids.count == 1)
        limits.maximumCatalogueLength -= 1
        let error = #expect(throws: ProtocolError.self) { try Catalogue(parsing: body, limits: limits) }
        #expect(error?.code == .limitExceeded)
    }
}
