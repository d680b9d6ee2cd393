import RegionStore
import Testing

@testable import MapPages

@Suite struct LineProfileTests {
    private func samples(_ elevations: [Double]) throws -> [LineProfile.Sample] {
        let place = try #require(Coordinate(latitude: 42, longitude: 1))
        return elevations.enumerated().map { .init(distance: Double($0.offset), elevation: $0.element, place: place) }
    }

    @Test func needsTwoSamples() throws {
        #expect(LineProfile(try samples([])) == nil)
        #expect(LineProfile(try samples([5])) == nil)
        #expect(LineProfile(try samples([5, 7]))?.samples.count == 2)
    }

    @Test func keepsShortProfiles() throws {
        let all = try samples((0..<LineProfile.maximumCount).map { Double($0 % 7) })
        #expect(LineProfile(all)?.samples == all)
    }

    @Test func keepsTheEndsAndTheExtremesOfLongOnes() throws {
        var elevations = (0..<100_000).map { 1000 + Double($0 % 100) }
        elevations[31_415] = 3000
        elevations[71_828] = -20
        let profile = try #require(LineProfile(try samples(elevations))).samples
        #expect(profile.count <= LineProfile.maximumCount && profile.count > LineProfile.maximumCount / 2)
        #expect(profile.first?.distance == 0 && profile.last?.distance == 99_999)
        #expect(profile.contains { $0.elevation == 3000 && $0.distance == 31_415 })
        #expect(profile.contains { $0.elevation == -20 && $0.distance == 71_828 })
        #expect(zip(profile, profile.dropFirst()).allSatisfy { $0.distance <= $1.distance })
    }
}
