import RegionSharing

/// The phones that get something as soon as they are there, by the names that they have or claim.
///
/// A pure value. Nobody looks at the list, so only an exact name counts, and a phone that has another certificate than the confirmed
/// one of its name never does.
struct WantedPhones: Sendable {
    /// What is known of a name.
    enum State: Hashable, Sendable {
        /// No such phone is there.
        case missing
        /// Several phones claim the name.
        case ambiguous
        /// Another device than the confirmed one claims the name.
        case changed
        /// Its phone was found.
        case found
    }

    /// The names, each once.
    let names: [String]
    private(set) var states: [State]

    init(_ names: [String]) {
        var seen: Set<String> = []
        self.names = names.filter { seen.insert(LocalSendPhone.key(of: $0)).inserted }
        states = self.names.map { _ in .missing }
    }

    /// Whether all were found.
    var areFound: Bool { missing.isEmpty }
    /// The names of those that were not found.
    var missing: [String] { zip(names, states).filter { $0.1 != .found }.map(\.0) }

    /// Notes which phones are there.
    ///
    /// - Returns: Those that are wanted and were not there before.
    mutating func found(_ phones: [LocalSendPhone]) -> [LocalSendPhone] {
        var new: [LocalSendPhone] = []
        for (index, name) in names.enumerated() where states[index] != .found {
            let key = LocalSendPhone.key(of: name)
            // A name that a person gives a phone does not take away the one that its screen shows.
            let alike = phones.filter { [$0.name, $0.claimedName].map(LocalSendPhone.key).contains(key) }
            let known = alike.filter { $0.recognition == .confirmed }
            let named = known.filter { LocalSendPhone.key(of: $0.name) == key }
            let confirmed = named.isEmpty ? known : named
            let usable = confirmed.isEmpty ? alike.filter { $0.recognition == .new } : confirmed
            switch usable.count {
            case 0: states[index] = alike.isEmpty ? .missing : .changed
            // A stranger who claims the name of a confirmed phone that was replaced would be the only one of that name.
            case 1 where confirmed.isEmpty && usable.count < alike.count: states[index] = .changed
            case 1:
                states[index] = .found
                new += usable
            default: states[index] = .ambiguous
            }
        }
        return new
    }
}
