package import FoundationEssentials
package import RegionStore

/// To which phone something is sent, or what of it is stopped; nil if there is nobody to ask.
///
/// It stays open while a sender runs, and gives way to every other question. It is asked again after each answer.
package struct PhonesQuestion: Question {
    /// The phones.
    package let phones: [LocalSendPhone]
    /// What takes the place of the list while the person thinks.
    package let later: AsyncStream<[LocalSendPhone]>
    /// The regions that are sent.
    package let regions: [RegionSummary]
    /// The files that a phone can get of each, the usual one first.
    package let kinds: [UUID: [DownloadKind]]

    package var defaultAnswer: PhonesAnswer? { nil }

    package init(
        _ phones: [LocalSendPhone],
        later: AsyncStream<[LocalSendPhone]>,
        regions: [RegionSummary],
        kinds: [UUID: [DownloadKind]]
    ) {
        (self.phones, self.later) = (phones, later)
        (self.regions, self.kinds) = (regions, kinds)
    }
}
