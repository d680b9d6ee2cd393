/// Judges the folder in which data are stored.
extension Judgement {
    /// The free space in bytes that a usual region needs, beside the reserve.
    static let ampleSpace: UInt64 = 100_000_000

    /// Judges the folder and its disk; nil if its free space is not known.
    package static func storage(_ store: StoreFacts) -> Finding? {
        if store.isReadOnly { return Finding(.readOnly(store), .problem) }
        if !store.isWritable { return Finding(.noPermission(store), .problem) }
        if store.isOpenToOthers { return Finding(.openToOthers(store), .problem) }
        guard let free = store.hasFreeFiles ? store.free : 0 else { return nil }
        if free < store.reserve { return Finding(.diskFull(store), .problem) }
        let (ample, overflow) = store.reserve.addingReportingOverflow(ampleSpace)
        return free < ample && !overflow ? Finding(.diskLow(store), .warning) : Finding(.space(store), .ok)
    }
}
