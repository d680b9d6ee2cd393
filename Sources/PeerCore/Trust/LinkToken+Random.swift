extension LinkToken {
    /// Makes a new token of 128 bits from the system's source of random numbers.
    public static func random() -> LinkToken {
        var generator = SystemRandomNumberGenerator()
        return LinkToken(using: &generator)
    }
}

extension PairingNonce {
    /// Makes a new nonce from the system's source of random numbers.
    static func random() -> PairingNonce {
        var generator = SystemRandomNumberGenerator()
        return PairingNonce(using: &generator)
    }
}
