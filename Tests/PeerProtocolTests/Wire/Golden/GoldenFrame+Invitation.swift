import PeerProtocol

extension GoldenFrame {
    /// Frames of the invitation and of pairing.
    static let invitation: [GoldenFrame] = [
        GoldenFrame(
            .invite,
            """
            10                                               # type: invite
            00                                               # flags
            00 00                                            # reserved
            00 00 00 23                                      # length: 35
            7b 22 63 6f 6e 74 65 78 74 22 3a 22 61 47 6c 72  # {"context":"aGlr
            5a 54 38 3d 22 2c 22 74 69 6d 65 6f 75 74 22 3a  # ZT8=","timeout":
            31 35 7d                                         # 15}
            """,
            .invite(Sample.invitation)
        ),
        GoldenFrame(
            .invite,
            """
            10                                               # type: invite
            00                                               # flags
            00 00                                            # reserved
            00 00 00 37                                      # length: 55
            7b 22 70 69 6e 6e 65 64 22 3a 74 72 75 65 2c 22  # {"pinned":true,"
            74 69 6d 65 6f 75 74 22 3a 31 35 2c 22 74 6f 6b  # timeout":15,"tok
            65 6e 22 3a 22 30 30 30 47 34 30 52 34 30 4d 33  # en":"000G40R40M3
            30 45 32 30 39 22 7d                             # 0E209"}
            """,
            .invite(InvitationRequest(timeout: 15, token: Sample.token, isPeerPinned: true))
        ),
        GoldenFrame(
            .accept,
            """
            11                                               # type: accept
            00                                               # flags
            00 00                                            # reserved
            00 00 00 02                                      # length: 2
            7b 7d                                            # {}
            """,
            .accept
        ),
        GoldenFrame(
            .decline,
            """
            12                                               # type: decline
            00                                               # flags
            00 00                                            # reserved
            00 00 00 35                                      # length: 53
            7b 22 63 6f 64 65 22 3a 22 62 75 73 79 22 2c 22  # {"code":"busy","
            72 65 61 73 6f 6e 22 3a 22 54 77 6f 20 74 72 61  # reason":"Two tra
            6e 73 66 65 72 73 20 61 72 65 20 72 75 6e 6e 69  # nsfers are runni
            6e 67 2e 22 7d                                   # ng."}
            """,
            .decline(Sample.refusal)
        ),
        GoldenFrame(
            .pairingCommitment,
            """
            18                                               # type: pairingCommitment
            00                                               # flags
            00 00                                            # reserved
            00 00 00 51                                      # length: 81
            7b 22 63 6f 6d 6d 69 74 6d 65 6e 74 22 3a 22 62  # {"commitment":"b
            64 39 32 64 35 62 38 36 66 63 33 30 32 34 66 34  # d92d5b86fc3024f4
            64 39 33 31 37 35 39 65 33 38 61 63 39 38 33 39  # d931759e38ac9839
            39 65 30 34 38 35 32 35 37 34 38 30 63 35 31 64  # 9e0485257480c51d
            64 32 36 35 36 35 61 66 37 36 63 66 62 64 32 22  # d26565af76cfbd2"
            7d                                               # }
            """,
            .pairingCommitment(PairingCommitment(Sample.senderNonce.commitment))
        ),
        GoldenFrame(
            .pairingNonce,
            """
            19                                               # type: pairingNonce
            00                                               # flags
            00 00                                            # reserved
            00 00 00 4c                                      # length: 76
            7b 22 6e 6f 6e 63 65 22 3a 22 30 30 30 31 30 32  # {"nonce":"000102
            30 33 30 34 30 35 30 36 30 37 30 38 30 39 30 61  # 030405060708090a
            30 62 30 63 30 64 30 65 30 66 31 30 31 31 31 32  # 0b0c0d0e0f101112
            31 33 31 34 31 35 31 36 31 37 31 38 31 39 31 61  # 131415161718191a
            31 62 31 63 31 64 31 65 31 66 22 7d              # 1b1c1d1e1f"}
            """,
            .pairingNonce(PairingDisclosure(Sample.receiverNonce))
        ),
        GoldenFrame(
            .pairingReveal,
            """
            1a                                               # type: pairingReveal
            00                                               # flags
            00 00                                            # reserved
            00 00 00 4c                                      # length: 76
            7b 22 6e 6f 6e 63 65 22 3a 22 32 30 32 31 32 32  # {"nonce":"202122
            32 33 32 34 32 35 32 36 32 37 32 38 32 39 32 61  # 232425262728292a
            32 62 32 63 32 64 32 65 32 66 33 30 33 31 33 32  # 2b2c2d2e2f303132
            33 33 33 34 33 35 33 36 33 37 33 38 33 39 33 61  # 333435363738393a
            33 62 33 63 33 64 33 65 33 66 22 7d              # 3b3c3d3e3f"}
            """,
            .pairingReveal(PairingDisclosure(Sample.senderNonce))
        ),
        GoldenFrame(
            .pairingConfirmation,
            """
            1b                                               # type: pairingConfirmation
            00                                               # flags
            00 00                                            # reserved
            00 00 00 02                                      # length: 2
            7b 7d                                            # {}
            """,
            .pairingConfirmation
        ),
    ]
}
