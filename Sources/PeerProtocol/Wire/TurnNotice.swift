/// The place of a receiver among those that the sender serves over the same network.
package struct TurnNotice: Hashable, Sendable, Codable {
    /// The greatest number of receivers.
    package static let maximumCount = 1000
    /// The longest time, in seconds: a week.
    package static let maximumSeconds = 604_800
    /// The highest rate, in bytes per second.
    package static let maximumRate = 1_000_000_000_000

    /// The place, from 1: 1 is the receiver that is served now.
    package var place: Int
    /// The number of receivers that have a place.
    package var count: Int
    /// The number of seconds until the receiver has everything, roughly; nil while it is unknown.
    package var seconds: Int?
    /// The bytes per second that the sender's network carries, roughly; nil while it is unknown.
    package var rate: Int?

    private enum CodingKeys: CodingKey { case place, count, seconds, rate }

    /// Reads a notice; a number with the value `null` is not a missing one.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        place = try container.decode(Int.self, forKey: .place)
        count = try container.decode(Int.self, forKey: .count)
        seconds = try container.decodeUnlessMissing(Int.self, forKey: .seconds)
        rate = try container.decodeUnlessMissing(Int.self, forKey: .rate)
    }

    package init(place: Int, count: Int, seconds: Int? = nil, rate: Int? = nil) {
        self.rate = rate
        self.place = place
        self.count = count
        self.seconds = seconds
    }

    /// Whether there can be such a place.
    var isPossible: Bool {
        (1...Self.maximumCount).contains(count) && (1...count).contains(place)
            && seconds.map { (0...Self.maximumSeconds).contains($0) } ?? true
            && rate.map { (1...Self.maximumRate).contains($0) } ?? true
    }
}
