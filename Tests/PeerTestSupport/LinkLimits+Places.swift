package import PeerProtocol

extension LinkLimits {
    /// One of the places in which a link keeps bytes.
    package struct Place: Hashable, Sendable {
        /// What is kept there.
        package var content: String
        /// The most bytes of memory.
        package var maximumLength: Int
    }

    /// The most memory that a hostile peer can occupy on a link with these limits, place by place.
    ///
    /// Counted are the buffers, with what is unused at their ends. What this side's application writes is not counted,
    /// but for records that the peer does not acknowledge.
    package var places: [Place] {
        let streamCount = windowBudget / max(firstWindow, 1)
        return [
            Place(
                content: "messages not yet read",
                maximumLength: maximumChannelCount * (messageWindow + ByteQueue.maximumOverhead)
            ),
            Place(content: "messages that readers have taken at once", maximumLength: Self.maximumAheadLength),
            Place(
                content: "requests not yet answered, or not yet complete",
                maximumLength: Self.shortRequestWindow + messageWindow + 2 * ByteQueue.maximumOverhead
            ),
            Place(
                content: "answers not yet complete",
                maximumLength: Self.maximumShortLength + messageWindow + 2 * ByteQueue.maximumOverhead
            ),
            Place(
                content: "bytes not yet read",
                maximumLength: windowBudget + min(streamCount, 2 * maximumStreamCount) * ByteQueue.maximumOverhead
            ),
            Place(content: "droppable messages not yet read", maximumLength: maximumDroppableLength),
            Place(
                content: "openings that the application has not accepted",
                maximumLength: maximumWaitingCount * StreamOpening.maximumLength
            ),
            Place(content: "records not yet acknowledged", maximumLength: maximumKeptLength),
            Place(
                content: "ends of streams not yet sent",
                maximumLength: maximumControlCount * Record.cost(ofPayload: StreamEnd.maximumLength)
            ),
            Place(
                content: "refusals of requests not yet sent",
                maximumLength: maximumControlCount * Record.cost(ofPayload: StreamEnd.maximumLength)
            ),
        ]
    }

    /// The most memory that a hostile peer can occupy in all.
    package var maximumHeldLength: Int { places.reduce(0) { $0 + $1.maximumLength } }
}
