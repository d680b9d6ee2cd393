import FoundationEssentials
import Synchronization

/// Counts the changes of the list of a store's regions, by whatever process.
package final class RegionListWatch: Sendable {
    private struct State {
        var stamps: [RegionWatch.Stamp?]
        var regions: [RegionSummary]?
        var number = 0
    }

    private let store: RegionStore
    private let state: Mutex<State>

    /// Counts from now on.
    package init(of store: RegionStore) {
        self.store = store
        // The stamps first, so that a write in between is noticed later.
        let stamps = RegionWatch.stamps(of: store)
        state = Mutex(State(stamps: stamps, regions: try? store.regions()))
    }

    /// The number of changes; one that cannot be read is counted when it can.
    package var number: Int {
        state.withLock { state in
            let now = RegionWatch.stamps(of: store)
            guard now != state.stamps, let regions = try? store.regions() else { return state.number }
            state.stamps = now
            if regions != state.regions { (state.regions, state.number) = (regions, state.number + 1) }
            return state.number
        }
    }
}
