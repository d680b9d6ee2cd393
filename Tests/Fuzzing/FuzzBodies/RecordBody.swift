import NIOCore
import PeerProtocol

/// The payload of a numbered frame of a link, which the codec of frames hands over as bytes.
enum RecordBody {
    static func run(_ record: Record) throws(BrokenInvariant) {
        let payload = record.payload
        switch record.kind {
        case .open:
            guard let opening = try? StreamOpening(decoding: payload) else { return }
            try require(opening.isValid, "an opening that was read is not valid")
            try require(opening.encoded() == payload, "an opening has two forms")
        case .bytes:
            guard let bytes = try? StreamBytes(decoding: payload) else { return }
            try require(bytes.encoded() == payload, "bytes of a stream have two forms")
        case .end:
            guard let end = try? StreamEnd(decoding: payload) else { return }
            let again = try requireSuccess("an end that was read cannot be read again") {
                try StreamEnd(decoding: end.encoded())
            }
            // Only an unknown code is written as another.
            try require(again == end && end.encoded().readableBytes == payload.readableBytes, "an end changes")
        case .members:
            guard let list = try? MemberList(decoding: payload) else { return }
            let payloads = try requireSuccess("members that were read cannot be written") {
                try MemberList.payloads(of: list.members)
            }
            let again = try requireSuccess("members that were written cannot be read") {
                try payloads.flatMap { try MemberList(decoding: $0).members }
            }
            try require(again == list.members, "members change when they are written and read")
        case .resource:
            guard let notice = try? ResourceNotice(decoding: payload) else { return }
            let again = try requireSuccess("a notice that was read cannot be written and read") {
                try ResourceNotice(decoding: notice.encoded())
            }
            try require(again == notice, "a notice changes when it is written and read")
        }
    }
}
