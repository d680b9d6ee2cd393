/// A change of a thing; a reader needs only the newest state of each thing.
package protocol LatestChange: Sendable {
    /// Identifies a thing, or a kind of message.
    associatedtype Subject: Hashable, Sendable

    /// What has changed.
    var subject: Subject { get }
    /// The kind of the change.
    var kind: ChangeKind { get }
    /// The same state of the thing as a change of the kind ``ChangeKind/found``.
    var asFound: Self { get }
}

/// The kind of a change, which decides how it replaces unread changes of the same thing.
package enum ChangeKind: Sendable {
    /// The thing has appeared.
    case found
    /// The thing has another state.
    case changed
    /// The thing is gone.
    case lost
    /// A message that is not about a thing; only the last one counts.
    case word
}

/// The subject of an event of a search.
package enum SearchSubject<Key: Hashable & Sendable>: Hashable, Sendable {
    /// A thing that is found and lost.
    case thing(Key)
    /// The things that were known at the start.
    case start
    /// The search.
    case search
}
