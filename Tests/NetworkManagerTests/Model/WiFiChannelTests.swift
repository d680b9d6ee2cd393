import Testing

@testable import NetworkManager

@Suite struct WiFiChannelTests {
    @Test(
        arguments: [
            (2412, .band2GHz, 1), (2437, .band2GHz, 6), (2472, .band2GHz, 13), (5180, .band5GHz, 36),
            (5240, .band5GHz, 48), (5500, .band5GHz, 100), (5885, .band5GHz, 177),
        ] as [(UInt32, WiFiChannel.Band, UInt32)]
    )
    func ofAFrequency(frequency: UInt32, band: WiFiChannel.Band, number: UInt32) {
        #expect(WiFiChannel(frequency: frequency) == WiFiChannel(band: band, number: number))
    }

    /// The last channel of 2.4 GHz is for Japan alone; 6 GHz is not among the bands.
    @Test(arguments: [0, 1, 2407, 2411, 2413, 2473, 2484, 5179, 5181, 5886, 5955, .max] as [UInt32])
    func ofNoFrequency(frequency: UInt32) {
        #expect(WiFiChannel(frequency: frequency) == nil)
    }

    @Test func cardsInUse() {
        let used: Set<WiFiDevice.State> = [
            .prepare, .configuring, .needsSecrets, .configuringAddresses, .checkingAddresses, .waitingForSecondaries,
            .connected, .deactivating,
        ]
        for number in 0...130 as ClosedRange<UInt32> {
            guard let state = WiFiDevice.State(rawValue: number) else { continue }
            #expect(state.isInUse == used.contains(state), "\(state)")
        }
    }
}
