/// A phone that has LocalSend, as a line of a list in the window.
package struct AppWindowPhone: Encodable, Hashable, Sendable {
    /// Something that a phone can get.
    package struct File: Encodable, Hashable, Sendable {
        /// The id of the region.
        package var region: String
        /// The name of the region; nil if there is only one.
        package var regionName: String?
        /// The name of a `DownloadKind`.
        package var kind: String
        /// What it is, in words.
        package var title: String

        package init(region: String, regionName: String?, kind: String, title: String) {
            (self.region, self.regionName, self.kind, self.title) = (region, regionName, kind, title)
        }
    }

    /// What a person wants of a phone.
    package enum Wish: Hashable, Sendable {
        /// The phone with this number gets a file of a region.
        case send(phone: Int, region: String, kind: String)
        /// What the phone with this number gets is stopped.
        case stop(phone: Int)
    }

    /// The maximum number of phones in the list.
    package static let maximumCount = 64

    package var number: Int
    /// The name, as this side knows it.
    package var name: String
    /// Further facts about it; empty if there are none.
    package var facts: String
    /// Whether it gets something now.
    package var isBusy: Bool

    package init(number: Int, name: String, facts: String, isBusy: Bool) {
        (self.number, self.name, self.facts, self.isBusy) = (number, name, facts, isBusy)
    }

    /// The line with texts of limited length.
    var limited: AppWindowPhone {
        var copy = self
        (copy.name, copy.facts) = (AppWindowReceiver.limited(name), AppWindowReceiver.limited(facts))
        return copy
    }
}
