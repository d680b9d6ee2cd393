/// Gain and loss of a sequence of elevations, without the noise.
struct Climb {
    // A receiver without a barometer wanders by this much while it lies on a table.
    private static let threshold = 5.0

    private(set) var gain = 0.0
    private(set) var loss = 0.0

    /// Adds up the way between turning points; a turn counts once it is left by the threshold.
    init(_ elevations: some Sequence<Double>) {
        var turn: Double?
        var lowest = 0.0
        var highest = 0.0
        var isRising: Bool?
        for elevation in elevations {
            guard let start = turn else {
                (turn, lowest, highest) = (elevation, elevation, elevation)
                continue
            }
            lowest = min(lowest, elevation)
            highest = max(highest, elevation)
            switch isRising {
            case true?:
                guard highest - elevation >= Self.threshold else { continue }
                gain += highest - start
                (turn, lowest, isRising) = (highest, elevation, false)
            case false?:
                guard elevation - lowest >= Self.threshold else { continue }
                loss += start - lowest
                (turn, highest, isRising) = (lowest, elevation, true)
            case nil:
                if elevation - lowest >= Self.threshold {
                    (turn, highest, isRising) = (lowest, elevation, true)
                } else if highest - elevation >= Self.threshold {
                    (turn, lowest, isRising) = (highest, elevation, false)
                }
            }
        }
        guard let turn, let isRising else { return }
        if isRising { gain += highest - turn } else { loss += turn - lowest }
    }
}
