/// A channel of a Wi-Fi network.
package struct WiFiChannel: Hashable, Sendable {
    package var band: Band
    /// The number of the channel in its band.
    package var number: UInt32

    package init(band: Band, number: UInt32) {
        self.band = band
        self.number = number
    }

    /// The channel of a frequency in MHz; nil for one that is in neither band. (IEEE 802.11, annex E.)
    package init?(frequency: UInt32) {
        switch frequency {
        case 2412...2472:
            guard (frequency - 2407) % 5 == 0 else { return nil }
            self.init(band: .band2GHz, number: (frequency - 2407) / 5)
        case 5180...5885:
            guard (frequency - 5000) % 5 == 0 else { return nil }
            self.init(band: .band5GHz, number: (frequency - 5000) / 5)
        default: return nil
        }
    }

    /// The channel that is used if there is no reason for another one.
    ///
    /// Channels 1 to 11 are allowed in every country, and channel 36 in more countries than any other channel of its
    /// band. If the settings name no channel, NetworkManager 1.42 may choose 13 and fail after 25 s.
    package static func usual(in band: Band) -> WiFiChannel {
        switch band {
        case .band2GHz: WiFiChannel(band: band, number: 6)
        case .band5GHz: WiFiChannel(band: band, number: 36)
        }
    }
}
