/// Makes a plan that fails smaller: leaves out steps as long as it still fails. (ddmin: Zeller, Hildebrandt, 2002.)
package struct Shrinker {
    private let fails: (Plan) async -> Bool

    /// - Parameter fails: Whether a plan fails.
    package init(_ fails: @escaping (Plan) async -> Bool) {
        self.fails = fails
    }

    /// Returns the smallest plan that was found.
    package func shrink(_ plan: Plan) async -> Plan {
        var smallest = plan
        var size = max(1, plan.steps.count / 2)
        while true {
            var hasShrunk = false
            var start = 0
            while start < smallest.steps.count {
                var candidate = smallest
                candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
                if await fails(candidate) {
                    smallest = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShrunk { return smallest }
            if !hasShrunk { size = max(1, size / 2) }
        }
    }
}
