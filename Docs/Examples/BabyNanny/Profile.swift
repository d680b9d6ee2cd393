import Foundation

/// What is known of the child. Each action is kept once, however often it comes.
actor Profile {
    let child: String
    private(set) var actions: [Action] = []

    init(child: String) {
        self.child = child
    }

    /// Adds actions, and returns how many are new.
    func merge(_ others: [Action]) -> Int {
        let known = Set(actions.map(\.id))
        let new = others.filter { !known.contains($0.id) }
        actions = (actions + new).sorted { $0.at < $1.at }
        return new.count
    }
}

extension [Action] {
    /// The actions in portions that fit into messages.
    ///
    /// An action that fits into no message alone is left out.
    func portions(ofAtMost limit: Int) -> [[Action]] {
        guard let length = try? JSONEncoder().encode(self).count else { return [] }
        // Half a kilobyte is for what else is in the message.
        if length + 512 <= limit || isEmpty { return [self] }
        guard count > 1 else { return [] }
        return Self(prefix(count / 2)).portions(ofAtMost: limit) + Self(dropFirst(count / 2)).portions(ofAtMost: limit)
    }
}
