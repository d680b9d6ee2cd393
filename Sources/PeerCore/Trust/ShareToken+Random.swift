extension ShareToken {
    /// Creates a random token of 80 bits.
    public static func random() -> ShareToken {
        var generator = SystemRandomNumberGenerator()
        return ShareToken(using: &generator)
    }
}

extension PairingNonce {
    /// Creates a random nonce.
    package static func random() -> PairingNonce {
        var generator = SystemRandomNumberGenerator()
        return PairingNonce(using: &generator)
    }
}
