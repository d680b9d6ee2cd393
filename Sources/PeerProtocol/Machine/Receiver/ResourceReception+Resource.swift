extension ResourceReception {
    /// How far a resource has come.
    enum Resource {
        /// Its digest list has not come.
        case unlisted
        /// Its digest list is verified; the chunks that this side has are being located or copied.
        case listed
        /// Pieces of missing chunks are looked for.
        case searching(PieceRequestStateMachine)
        /// Its missing chunks are on the way, or have all come.
        case requested(ChunkArrival)
        /// It is whole and stored.
        case stored

        /// Whether every chunk that was asked for has come.
        var hasArrived: Bool {
            if case .requested(let arrival) = self { arrival.isComplete } else { false }
        }

        /// Whether pieces are looked for.
        var isSearching: Bool {
            if case .searching = self { true } else { false }
        }

        /// Whether bytes are awaited that were asked for.
        var isAwaitingData: Bool {
            switch self {
            case .requested(let arrival): !arrival.isComplete
            case .searching(let search): search.isAwaitingData
            case .unlisted, .listed, .stored: false
            }
        }
    }
}
