import Crypto
import PeerProtocol
import PeerStorage
import RegionModel

/// A request that was written to a stick and is not used up: with its private key, answers are opened.
struct OpenStickRequest: Sendable {
    let digest: ContentDigest
    let key: P256.KeyAgreement.PrivateKey
}
