/// The events of the resources that are sent; ``ResourceTransmission`` decides.
extension SenderStateMachine {
    /// The peer says which chunks of a resource it lacks.
    package mutating func receivedRequest(_ request: ChunkRequest) -> OnReceivedRequest {
        received(.request) { transmission throws(ProtocolError) in try transmission.receivedRequest(request) }
    }

    /// The peer asks for the page digests of chunks, to compare them with an older version.
    package mutating func receivedPageQuery(_ query: PageQuery) -> OnReceivedPageQuery {
        received(.pageQuery, beforeSelection: true) { transmission throws(ProtocolError) in
            try transmission.receivedPageQuery(query)
        }
    }

    /// The driver has hashed the pages of the chunks that were queried last.
    package mutating func pagesHashed(_ resource: Int, _ digests: [PageDigest]) -> OnPagesHashed {
        noted { $0.pagesHashed(resource, digests) }
    }

    /// The peer says which of the pages it lacks.
    package mutating func receivedPageRequest(_ request: PageRequest) -> OnReceivedPageRequest {
        received(.pageRequest) { transmission throws(ProtocolError) in try transmission.receivedPageRequest(request) }
    }

    /// The driver wants to send bulk data over lanes, too.
    package mutating func lanesWanted(_ count: Int, secret: ConnectionSecret) -> OnLanesWanted {
        guard (1...limits.maximumLaneCount).contains(count) else { return .none }
        return noted {
            $0.wanted == nil ? .none : .sendLanes(LaneInvitation(secret: secret, count: count))
        }
    }

    /// The driver has handed out all requested chunks of a resource, and closed the lanes that some of them went to.
    ///
    /// The peer confirms the resource, or asks once more for what a lane has lost.
    package mutating func chunksDispatched(_ resource: Int) -> OnChunksDispatched {
        noted { $0.chunksDispatched(resource) }
    }
}
