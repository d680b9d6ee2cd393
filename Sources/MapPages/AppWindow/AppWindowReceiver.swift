/// A machine or a phone that gets something, as a row of a table in the window.
package struct AppWindowReceiver: Encodable, Hashable, Sendable {
    /// How far it is.
    package enum State: String, Encodable, Sendable {
        /// It waits for the answer of the person here.
        case asks
        /// A person there looks at the offer.
        case reviews
        /// Others are served before it.
        case waits
        /// It is served.
        case receives
        /// It has everything, and puts it into its store.
        case finishes
        /// It sends something to this machine.
        case sends
        /// It has everything.
        case received
        /// This side has said no.
        case declined
        /// The other side has said no.
        case refused
        /// The connection was lost, and may come back.
        case lost
        /// One of the sides has stopped it.
        case stopped
        /// It has failed.
        case failed
    }

    /// The maximum number of rows.
    package static let maximumCount = 40
    /// The maximum length of the name and of the words, in bytes each.
    static let maximumLength = 300

    /// The name, as this side knows it.
    package var name: String
    package var state: State
    /// The state in words.
    package var words: String
    /// How much of it is done, from 0 to 1; nil if that is not known.
    package var fraction: Double?
    /// The number of the phone, if a person here can stop what it gets.
    package var phone: Int?

    package init(name: String, state: State, words: String, fraction: Double? = nil) {
        (self.name, self.state, self.words, self.fraction) = (name, state, words, fraction)
    }

    /// The row with texts of limited length, and a fraction that is one.
    var limited: AppWindowReceiver {
        var copy = self
        (copy.name, copy.words) = (Self.limited(name), Self.limited(words))
        copy.fraction = fraction.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
        return copy
    }

    static func limited(_ text: String) -> String {
        text.utf8.count <= maximumLength ? text : String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self)
    }
}
