extension LinkToken {
    /// Creates a random token of 80 bits.
    public static func random() -> LinkToken {
        var generator = SystemRandomNumberGenerator()
        return LinkToken(using: &generator)
    }
}

extension PairingNonce {
    /// Creates a random nonce.
    package static func random() -> PairingNonce {
        var generator = SystemRandomNumberGenerator()
        return PairingNonce(using: &generator)
    }
}
