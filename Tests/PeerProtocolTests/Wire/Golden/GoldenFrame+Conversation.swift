import PeerProtocol

extension GoldenFrame {
    /// Frames at any time.
    static let conversation: [GoldenFrame] = [
        GoldenFrame(
            .hello,
            """
            01                                               # type: hello
            00                                               # flags
            00 00                                            # reserved
            00 00 01 20                                      # length: 288
            7b 22 61 70 70 6c 69 63 61 74 69 6f 6e 22 3a 22  # {"application":"
            68 69 6b 65 73 68 61 72 65 22 2c 22 64 69 73 70  # hikeshare","disp
            6c 61 79 4e 61 6d 65 22 3a 22 41 6e 61 e2 80 99  # layName":"Ana’
            73 20 6c 61 70 74 6f 70 22 2c 22 65 6e 63 72 79  # s laptop","encry
            70 74 69 6f 6e 22 3a 22 72 65 71 75 69 72 65 64  # ption":"required
            22 2c 22 66 65 61 74 75 72 65 73 22 3a 5b 5d 2c  # ","features":[],
            22 6d 61 78 69 6d 75 6d 52 65 73 6f 75 72 63 65  # "maximumResource
            53 69 7a 65 22 3a 32 37 34 38 37 37 39 30 36 39  # Size":2748779069
            34 34 2c 22 70 65 65 72 49 44 22 3a 22 30 61 33  # 44,"peerID":"0a3
            36 37 62 39 32 63 66 30 62 30 33 37 64 66 64 38  # 67b92cf0b037dfd8
            39 39 36 30 65 65 38 33 32 64 35 36 66 37 66 63  # 9960ee832d56f7fc
            31 35 31 36 38 31 62 62 34 31 65 35 33 36 39 30  # 151681bb41e53690
            65 37 37 36 66 35 37 38 36 39 39 38 61 22 2c 22  # e776f5786998a","
            70 6c 61 74 66 6f 72 6d 22 3a 22 4c 69 6e 75 78  # platform":"Linux
            22 2c 22 72 6f 6c 65 22 3a 22 6c 69 73 74 65 6e  # ","role":"listen
            65 72 22 2c 22 73 6f 66 74 77 61 72 65 22 3a 22  # er","software":"
            68 69 6b 65 73 68 61 72 65 20 30 2e 31 2e 30 22  # hikeshare 0.1.0"
            2c 22 76 65 72 73 69 6f 6e 73 22 3a 5b 31 5d 7d  # ,"versions":[1]}
            """,
            .hello(Sample.hello)
        ),
        GoldenFrame(
            .ping,
            """
            02                                               # type: ping
            00                                               # flags
            00 00                                            # reserved
            00 00 00 14                                      # length: 20
            7b 22 6e 6f 6e 63 65 22 3a 33 37 33 35 39 32 38  # {"nonce":3735928
            35 35 39 7d                                      # 559}
            """,
            .ping(Ping(nonce: 0xDEAD_BEEF))
        ),
        GoldenFrame(
            .pong,
            """
            03                                               # type: pong
            00                                               # flags
            00 00                                            # reserved
            00 00 00 14                                      # length: 20
            7b 22 6e 6f 6e 63 65 22 3a 33 37 33 35 39 32 38  # {"nonce":3735928
            35 35 39 7d                                      # 559}
            """,
            .pong(Ping(nonce: 0xDEAD_BEEF))
        ),
        GoldenFrame(
            .cancel,
            """
            05                                               # type: cancel
            00                                               # flags
            00 00                                            # reserved
            00 00 00 1c                                      # length: 28
            7b 22 72 65 61 73 6f 6e 22 3a 22 53 74 6f 70 70  # {"reason":"Stopp
            65 64 20 62 79 20 41 6e 61 2e 22 7d              # ed by Ana."}
            """,
            .cancel(Sample.cancellation)
        ),
        GoldenFrame(
            .failure,
            """
            06                                               # type: failure
            00                                               # flags
            00 00                                            # reserved
            00 00 00 59                                      # length: 89
            7b 22 63 6f 64 65 22 3a 22 6c 6f 63 61 6c 53 74  # {"code":"localSt
            6f 72 61 67 65 22 2c 22 6d 65 73 73 61 67 65 22  # orage","message"
            3a 22 54 68 65 20 64 69 73 6b 20 69 73 20 66 75  # :"The disk is fu
            6c 6c 2e 22 2c 22 72 65 6d 65 64 79 22 3a 22 46  # ll.","remedy":"F
            72 65 65 20 32 20 47 42 20 61 6e 64 20 74 72 79  # ree 2 GB and try
            20 61 67 61 69 6e 2e 22 7d                       #  again."}
            """,
            .failure(Sample.failure)
        ),
    ]
}
