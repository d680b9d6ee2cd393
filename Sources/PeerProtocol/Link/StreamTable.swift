/// The open streams of a link, by number.
///
/// A stream is read and changed where it is: with a copy of its queues, a change would copy all that waits in them.
struct StreamTable: Sendable {
    /// The streams, and free places.
    ///
    /// The first place is always free: it is what a number without a stream has.
    private var slots: ContiguousArray<LinkStream?> = [nil]
    private var places: [UInt32: Int] = [:]
    private var free: [Int] = []
    /// The stream that was changed last, which most lookups are for.
    private var latest: (number: UInt32, place: Int)?

    /// The number of streams.
    var count: Int { places.count }

    /// Whether there is no stream.
    var isEmpty: Bool { places.isEmpty }

    /// The numbers of the streams, in no order.
    var numbers: Dictionary<UInt32, Int>.Keys { places.keys }

    /// Passes what each stream is to a function.
    func visit(_ body: (_ number: UInt32, _ isAccepted: Bool, _ kind: StreamOpening.Kind) -> Void) {
        for (number, place) in places {
            guard let isAccepted = slots[place]?.isAccepted, let kind = slots[place]?.kind else { continue }
            body(number, isAccepted, kind)
        }
    }

    private func place(of number: UInt32) -> Int {
        if let latest, latest.number == number { return latest.place }
        return places[number] ?? 0
    }

    /// The stream with a number; nil if it is not open.
    ///
    /// Through this, streams only change: ``add(_:_:)`` adds one, and ``remove(_:)`` removes it. To find out whether that has
    /// happened, each change would have to copy the stream.
    subscript(number: UInt32) -> LinkStream? {
        _read { yield slots[place(of: number)] }
        _modify {
            let place = place(of: number)
            latest = (number, place)
            yield &slots[place]
        }
    }

    /// Adds a stream.
    mutating func add(_ number: UInt32, _ stream: LinkStream) {
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(stream) } else { slots[place] = stream }
        places[number] = place
        latest = (number, place)
    }

    /// Removes a stream and returns it; nil if it is not open.
    mutating func remove(_ number: UInt32) -> LinkStream? {
        guard let place = places.removeValue(forKey: number) else { return nil }
        defer { slots[place] = nil }
        free.append(place)
        latest = nil
        return slots[place]
    }
}
