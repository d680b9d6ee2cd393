import PeerCore
import RegionStore

/// A request on a stick.
///
/// The input is signed here, because nothing without a valid signature is read.
enum StickBody {
    private static let identity = PeerServiceType("fuzzing").flatMap { try? PeerIdentity.generate(for: $0) }

    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        _ = try? StickRequest(parsing: input)
        guard let signature = try? identity?.sign(input),
            let request = try? StickRequest(parsing: input + signature.key + signature.bytes)
        else { return }
        try require(request.signer == identity?.id, "another signer")
        try require(request.name.utf8.count <= 63, "a long name")
    }
}
