import Testing

/// Groups of peers with faults of every kind, simulated by the program `Simulate`.
@Suite(.serialized) struct SimulationTests {
    private func simulate(
        _ options: String...,
        from seed: Int,
        count: Int
    ) async throws -> (status: Int32, output: [Substring]) {
        try await SimulateProgram.run(options + ["\(seed)", "\(count)"])
    }

    @Test func whatMustHoldHolds() async throws {
        let (status, output) = try await simulate("--brief", from: 0, count: 2000)
        #expect(status == 0 && output.last?.contains("\"seeds\":2000,\"failures\":0") == true, "\(output)")
    }

    /// Seeds that have shown faults of the library, which were mended, before there were resources.
    @Test(arguments: [
        1_003_302, 1_012_137, 1_017_299, 1_017_967, 1_026_201, 1_029_766, 1_057_258, 1_059_264, 1_060_514, 1_064_022,
        1_072_628, 1_077_634, 1_097_808,
    ])
    func aFaultThatWasMendedStaysAway(seed: Int) async throws {
        let (status, output) = try await simulate("--without-resources", from: seed, count: 1)
        #expect(status == 0, "\(output)")
    }

    /// Seeds that have shown faults since there are resources.
    @Test(arguments: [2_006_023, 1_795_756_298_222, 1_795_756_299_418])
    func aLaterFaultThatWasMendedStaysAway(seed: Int) async throws {
        let (status, output) = try await simulate(from: seed, count: 1)
        #expect(status == 0, "\(output)")
    }

    /// Most groups of the other tests are small.
    @Test(arguments: [55, 1_155]) func aLargeGroupBecomesWhole(seed: Int) async throws {
        let (status, output) = try await simulate(from: seed, count: 1)
        #expect(status == 0, "\(output)")
    }

    @Test func aSeedHasOneTrace() async throws {
        let first = try await simulate(from: 20_000, count: 12)
        let second = try await simulate(from: 20_000, count: 12)
        #expect(first.output.last?.contains("\"digest\"") == true && first.output == second.output)
    }
}
