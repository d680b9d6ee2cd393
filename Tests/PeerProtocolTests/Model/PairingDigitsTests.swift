import FoundationEssentials
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct PairingDigitsTests {
    /// Computed by another program (Python's hashlib) from the wire format's page.
    struct Vector: Sendable {
        var version = 1
        var receiver = Sample.receiver
        var sender = Sample.sender
        var receiverNonce = Sample.receiverNonce
        var senderNonce = Sample.senderNonce
        var digits: String
    }

    static let vectors = [
        Vector(digits: "099254"),
        Vector(receiverNonce: Sample.senderNonce, senderNonce: Sample.receiverNonce, digits: "188070"),
        Vector(version: 2, digits: "343048"),
        Vector(receiver: Sample.sender, sender: Sample.receiver, digits: "930357"),
        Vector(receiverNonce: constant(0), senderNonce: constant(0), digits: "914655"),
        Vector(version: 65_535, receiverNonce: constant(0xFF), senderNonce: constant(0xFF), digits: "515987"),
        Vector(receiverNonce: counted(1317), digits: "000385"),
    ]

    static func constant(_ byte: UInt8) -> PairingNonce {
        nonce([UInt8](repeating: byte, count: 32))
    }

    static func counted(_ number: UInt16) -> PairingNonce {
        nonce([UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 0xFF)])
    }

    private static func nonce(_ bytes: [UInt8]) -> PairingNonce {
        guard let nonce = PairingNonce(bytes: bytes) else { preconditionFailure("not 32 bytes") }
        return nonce
    }

    @Test(arguments: vectors) func areWhatThePageSays(vector: Vector) {
        let parties = PairingDigits.Parties(
            version: ProtocolVersion(vector.version),
            receiver: vector.receiver,
            sender: vector.sender
        )
        let digits = PairingDigits(parties, receiverNonce: vector.receiverNonce, senderNonce: vector.senderNonce)
        #expect(digits.digits == vector.digits)
        #expect(digits.text == "\(vector.digits.prefix(3)) \(vector.digits.suffix(3))")
    }

    @Test(arguments: [
        (Sample.senderNonce, "bd92d5b86fc3024f4d931759e38ac98399e0485257480c51dd26565af76cfbd2"),
        (constant(0), "0a3dfe4c4f13c8601943e196acea10e73f3d42d9b0fccf5dbf6245434976b43e"),
        (constant(0xFF), "98136a875434a4a8c1d5e46dce86ae3b27a89b382fe5faf8a86cf2576b32da02"),
    ])
    func commitmentsAreWhatThePageSays(nonce: PairingNonce, commitment: String) {
        #expect(nonce.commitment.hex == commitment)
    }

    @Test func everySingleBitMatters() {
        var seen: Set<String> = [
            PairingDigits(Sample.parties, receiverNonce: Sample.receiverNonce, senderNonce: Sample.senderNonce).digits
        ]
        var count = 1
        for byte in 0..<32 {
            for bit in 0..<8 {
                var bytes = Sample.senderNonce.bytes
                bytes[byte] ^= 1 << UInt8(bit)
                seen.insert(
                    PairingDigits(Sample.parties, receiverNonce: Sample.receiverNonce, senderNonce: Self.nonce(bytes))
                        .digits
                )
                count += 1
            }
        }
        // Of 257 numbers below a million, two are the same with a probability of 3 %; these are fixed, and none are.
        #expect(seen.count == count)
    }

    @Test func aManInTheMiddleHasOtherDigitsOnEachSide() {
        let middle = PeerID(digest: ContentDigest(hashing: [7]))
        let one = PairingDigits(
            PairingDigits.Parties(version: .version1, receiver: Sample.receiver, sender: middle),
            receiverNonce: Sample.receiverNonce,
            senderNonce: Sample.senderNonce
        )
        let other = PairingDigits(
            PairingDigits.Parties(version: .version1, receiver: middle, sender: Sample.sender),
            receiverNonce: Sample.receiverNonce,
            senderNonce: Sample.senderNonce
        )
        #expect(one != other)
    }

    @Test func areSpreadEvenly() {
        var generator = SeededGenerator(seed: 11)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<20_000 {
            let digits = PairingDigits(
                Sample.parties,
                receiverNonce: PairingNonce(using: &generator),
                senderNonce: Sample.senderNonce
            )
            for digit in digits.digits.utf8 { counts[Int(digit) - 0x30] += 1 }
        }
        // 120,000 digits: 12,000 of each, give or take 5 standard deviations.
        #expect(counts.allSatisfy { abs($0 - 12_000) < 520 })
    }

    @Test(arguments: ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "123 45", "-12345"])
    func nothingElseIsSixDigits(text: String) {
        #expect(PairingDigits(digits: text) == nil)
    }

    @Test(arguments: [0, 31, 33, 64]) func nothingElseIsANonce(count: Int) {
        #expect(PairingNonce(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}
