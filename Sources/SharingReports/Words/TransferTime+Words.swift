package import RegionSharing

extension TransferTime {
    /// The time in words: `about 6 minutes here, about 20 s over a cable`; nil if it is not known.
    package var words: DisplayText? {
        guard let total else { return nil }
        if othersBefore > 0 {
            return "\(Wording.roughly(total)), after \(Wording.count(othersBefore, "other receiver"))"
        }
        guard let overCable else { return "\(Wording.roughly(total))" }
        return "\(Wording.roughly(total)) here, \(Wording.roughly(overCable)) over a cable"
    }
}
