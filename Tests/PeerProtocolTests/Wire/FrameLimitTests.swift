import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

@Suite struct FrameLimitTests {
    /// The longest payload of every type, as the wire format's page has it.
    static let longest: [(type: UInt8, length: Int)] =
        FrameType.allCases.map { type in
            switch type {
            case .manifest: (type.rawValue, 1_048_576)
            case .catalogue: (type.rawValue, 262_144)
            case .digests: (type.rawValue, 32_776)
            case .request: (type.rawValue, 8_196)
            case .data: (type.rawValue, 1_048_588)
            case .pieceQuery: (type.rawValue, 8_196)
            case .pieceList: (type.rawValue, 32_776)
            case .rangeRequest: (type.rawValue, 24_580)
            case .open: (type.rawValue, 4_361)
            case .droppable: (type.rawValue, 16_582)
            case .bytes: (type.rawValue, 65_540)
            case .credit: (type.rawValue, 3_080)
            case .end: (type.rawValue, 1_007)
            default: (type.rawValue, 65_536)
            }
        } + [(0x80, 65_536), (0xFF, 65_536)]

    @Test(arguments: longest)
    func refusesALongerFrameByItsHeaderAlone(type: UInt8, length: Int) throws {
        for length in [length + 1, length * 2, Int(UInt32.max)] {
            let header = FrameDecoder.bytes(rawType: type, length: length, payload: [])
            let error = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: header) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test(arguments: longest)
    func awaitsTheLongestFrame(type: UInt8, length: Int) throws {
        for length in [length - 1, length] {
            let header = FrameDecoder.bytes(rawType: type, length: length, payload: [])
            #expect(try FrameDecoder.outputs(afterPreface: header).isEmpty)
        }
    }

    @Test(arguments: longest.filter { [0x20, 0x22, 0x23, 0x24, 0x28, 0x29, 0x2A].contains($0.type) })
    func readsTheLongestFrame(type: UInt8, length: Int) throws {
        let bytes = FrameDecoder.bytes(rawType: type, payload: [UInt8](repeating: 0xAA, count: length))
        let outputs = try FrameDecoder.outputs(afterPreface: bytes + FrameDecoder.bytes(.accept, "{}"))
        #expect(outputs.last == .frame(.accept))
        switch outputs.first {
        case .frame(.manifest(let body)): #expect(body.count == length)
        case .frame(.digests(let part)): #expect(part.digests.count == 1024)
        case .frame(.request(let request)):
            #expect(request.runs.count == 32_768 && request.runs.last == 65_534..<65_535)
        case .dataHeader(let header): #expect(header.length == 1_048_576)
        case .frame(.pieceQuery(let query)): #expect(query.runs.count == 1024)
        case .frame(.pieceList(let part)): #expect(part.bytes.readableBytes == 32_768)
        case .frame(.rangeRequest(let request)): #expect(request.runs.count == 2048)
        default: Issue.record("unexpected \(String(describing: outputs.first))")
        }
    }

    @Test func limitsAreTheReceiversOwn() {
        var limits = ProtocolLimits.standard
        limits.maximumControlLength = 10
        let bytes = FrameDecoder.bytes(.ping, #"{"nonce":1}"#)
        let error = #expect(throws: ProtocolError.self) {
            try FrameDecoder.outputs(afterPreface: bytes, limits: limits)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [0, 1, 11, 12])
    func refusesADataFrameWithoutData(length: Int) {
        let header = FrameDecoder.bytes(rawType: 0x24, length: length, payload: [])
        let error = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: header) }
        #expect(error?.code == .invalidFrame)
    }

    static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    static func hello(
        name: Int = 1,
        software: Int = 1,
        platform: Int = 1,
        versions: Int = 1,
        features: [Int] = []
    ) -> Frame {
        .hello(
            Hello(
                application: "hikeshare",
                versions: (0..<versions).map { ProtocolVersion($0 + 1) },
                peerID: Sample.sender,
                displayName: text(name),
                platform: text(platform),
                software: text(software),
                role: .listener,
                encryption: .none,
                features: features.map(text)
            )
        )
    }

    static func acknowledgement(_ imported: [String: Int], _ keptLocal: [String: Int] = [:]) -> Frame {
        .acknowledgement(Acknowledgement(id: Sample.id, time: Sample.time, imported: imported, keptLocal: keptLocal))
    }

    static func changes(_ count: Int, name: Int = 1) -> Frame {
        var change = ItemChange(.kept, of: .waypoints, named: "")
        change.name = text(name)
        let changes = Array(repeating: change, count: count)
        return .acknowledgement(
            Acknowledgement(id: Sample.id, time: Sample.time, imported: [:], keptLocal: [:], changes: changes)
        )
    }

    static func kinds(_ count: Int) throws -> [ResourceKind] {
        try (0..<count).map { try #require(ResourceKind(rawValue: "kind\($0)")) }
    }

    static func counts(_ count: Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("kind\($0)", $0) })
    }

    /// What is written without a bound and then read with the usual ones.
    private func readBack(_ frame: Frame) throws -> [FrameDecoder.Output] {
        var unbounded = ProtocolLimits.standard
        unbounded.maximumTextLength = .max
        unbounded.maximumDisplayNameLength = .max
        unbounded.maximumListLength = .max
        unbounded.maximumContextLength = .max
        unbounded.maximumItemCount = .max
        unbounded.maximumLaneCount = .max
        var buffer = ByteBuffer()
        try FrameEncoder(preface: .hikeshare, limits: unbounded).write(frame, into: &buffer)
        return try FrameDecoder.outputs(afterPreface: buffer.readableBytesView)
    }

    @Test(arguments: [
        hello(name: 63), hello(software: 1000), hello(platform: 1000), hello(versions: 64), hello(versions: 0),
        hello(features: [1000]), hello(features: Array(repeating: 1, count: 64)),
        .cancel(Cancellation(reason: text(1000))), .decline(Refusal(.busy, text(1000))),
        .failure(Failure(code: text(1000), message: text(1000), remedy: text(1000))),
        .invite(InvitationRequest(timeout: 1, context: Data(count: 16_384))), .invite(InvitationRequest(timeout: 3600)),
        acknowledgement(counts(64), counts(64)), acknowledgement(["a": 0, "b": 1_000_000_000]),
        acknowledgement([text(1000): 1]), changes(64, name: 1), changes(1, name: 1000),
        .lanes(LaneInvitation(secret: Sample.laneSecret, count: 1)),
        .lanes(LaneInvitation(secret: Sample.laneSecret, count: 7)),
    ])
    func takesPartsAsLongAsAllowed(frame: Frame) throws {
        #expect(try readBack(frame) == [.frame(frame)])
        var buffer = ByteBuffer()
        try FrameEncoder(preface: .hikeshare).write(frame, into: &buffer)
        #expect(try FrameDecoder.outputs(afterPreface: buffer.readableBytesView) == [.frame(frame)])
    }

    @Test(arguments: [
        hello(name: 64), hello(software: 1001), hello(platform: 1001), hello(versions: 65), hello(features: [1001]),
        hello(features: Array(repeating: 1, count: 65)), .cancel(Cancellation(reason: text(1001))),
        .decline(Refusal(.busy, text(1001))), .failure(Failure(code: text(1001), message: "")),
        .failure(Failure(code: "", message: text(1001))), .failure(Failure(code: "", message: "", remedy: text(1001))),
        .invite(InvitationRequest(timeout: 1, context: Data(count: 16_385))), .invite(InvitationRequest(timeout: 0)),
        .invite(InvitationRequest(timeout: -1)), .invite(InvitationRequest(timeout: .max)),
        acknowledgement(counts(65)), acknowledgement([:], counts(65)), acknowledgement(["a": -1]),
        acknowledgement(["a": 1_000_000_001]), acknowledgement([:], ["a": .max]), acknowledgement([text(1001): 1]),
        changes(65), changes(1, name: 1001),
        .lanes(LaneInvitation(secret: Sample.laneSecret, count: 0)),
        .lanes(LaneInvitation(secret: Sample.laneSecret, count: 8)),
        .lanes(LaneInvitation(secret: Sample.laneSecret, count: .max)),
        .lanes(LaneInvitation(secret: Sample.laneSecret, count: .min)),
    ])
    func refusesLongerParts(frame: Frame) throws {
        // Out-of-range numbers cannot be written at all, so they are put into a frame that can.
        let error = #expect(throws: ProtocolError.self) { try readBackAnyway(frame) }
        #expect(error?.code == .limitExceeded)
    }

    private func readBackAnyway(_ frame: Frame) throws -> [FrameDecoder.Output] {
        switch frame {
        case .lanes(let invitation) where invitation.count < 1:
            try FrameDecoder.outputs(
                afterPreface: FrameDecoder.bytes(
                    .lanes,
                    #"{"count":\#(invitation.count),"secret":"AAECAwQFBgcICQoLDA0ODw"}"#
                )
            )
        case .invite(let invitation) where !(1...3600).contains(invitation.timeout):
            try FrameDecoder.outputs(afterPreface: FrameDecoder.bytes(.invite, #"{"timeout":\#(invitation.timeout)}"#))
        case .acknowledgement(let acknowledgement) where acknowledgement.imported.values.contains { $0 < 0 }:
            try FrameDecoder.outputs(
                afterPreface: FrameDecoder.bytes(
                    .acknowledgement,
                    #"{"id":"\#(Sample.id)","time":"2026-05-01T08:30:00Z","imported":{"a":-1},"keptLocal":{}}"#
                )
            )
        default:
            try readBack(frame)
        }
    }

    @Test func refusesAQueryForMoreListsThanAllowed() throws {
        #expect(try readBack(.digestQuery(DigestQuery(kinds: Self.kinds(64)))).count == 1)
        let error = #expect(throws: ProtocolError.self) {
            try readBack(.digestQuery(DigestQuery(kinds: Self.kinds(65))))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func refusesAPlaceThatCannotBe() throws {
        for notice in [TurnNotice(place: 1, count: 1), TurnNotice(place: 1000, count: 1000, seconds: 604_800, rate: 1)]
        {
            #expect(try readBack(.turn(notice)) == [.frame(.turn(notice))])
        }
        for notice in [
            TurnNotice(place: 0, count: 1), TurnNotice(place: 2, count: 1), TurnNotice(place: 1, count: 1001),
            TurnNotice(place: 1, count: 0), TurnNotice(place: 1, count: 1, seconds: -1),
            TurnNotice(place: 1, count: 1, seconds: 604_801), TurnNotice(place: 1, count: 1, rate: 0),
            TurnNotice(place: 1, count: 1, rate: 1_000_000_000_001),
        ] {
            let error = #expect(throws: ProtocolError.self) { try readBack(.turn(notice)) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func refusesAPickOfMoreOffersThanAllowed() throws {
        let ids = (0...200).map { _ in UUID() }
        #expect(try readBack(.pick(OfferPick(ids: Array(ids.prefix(200))))).count == 1)
        for wanted in [ids, []] {
            let error = #expect(throws: ProtocolError.self) { try readBack(.pick(OfferPick(ids: wanted))) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func refusesMoreWishesThanAllowed() throws {
        #expect(try readBack(.selection(ResourceSelection(kinds: Self.kinds(64), unknown: Self.kinds(64)))).count == 1)
        for selection in [
            ResourceSelection(kinds: try Self.kinds(65)), ResourceSelection(kinds: [], unknown: try Self.kinds(65)),
        ] {
            let error = #expect(throws: ProtocolError.self) { try readBack(.selection(selection)) }
            #expect(error?.code == .limitExceeded)
        }
    }
}
