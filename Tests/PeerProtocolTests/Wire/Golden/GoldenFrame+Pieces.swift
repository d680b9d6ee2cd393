import NIOCore
import PeerProtocol

extension GoldenFrame {
    /// Frames that look for pieces.
    static let pieces: [GoldenFrame] = [
        GoldenFrame(
            .pieceQuery,
            """
            28                                               # type: pieceQuery
            00                                               # flags
            00 00                                            # reserved
            00 00 00 14                                      # length: 20
            00 00 00 00                                      # resource: 0
            00 00 00 00                                      # first run: chunk 0
            00 00 00 01                                      # ... 1 chunk
            00 00 00 02                                      # second run: chunk 2
            00 00 00 01                                      # ... 1 chunk
            """,
            .pieceQuery(PieceQuery(resource: 0, runs: [0..<1, 2..<3]))
        ),
        GoldenFrame(
            .pieceList,
            """
            29                                               # type: pieceList
            00                                               # flags
            00 00                                            # reserved
            00 00 00 53                                      # length: 83
            00 00 00 00                                      # resource: 0
            00 00 00 00                                      # bytes of the list that follow: 0
            00 00 00 03                                      # covers the chunks before chunk 3
            00 00 00 02                                      # 2 pieces
            00 00 00 11                                      # 17 bytes of structure
            00 00 00 1c                                      # ... in 28 bytes
            00 00 00 00                                      # no byte of skeleton
            d6 d9 ed cf 5d 34 54 55                          # digest of piece 0
            68 e8 32 0c 30 ab 65 4e                          # digest of piece 1
            78 01                                            # zlib
            01 11 00 ee ff                                   # stored, 17 bytes
            00                                               # length of a page: none
            00                                               # usable length: none
            02                                               # 2 spans
            80 80 02                                         # gap: 32,768
            80 20                                            # length: 4,096
            00                                               # piece: the next one, 0
            00                                               # offset in the piece: 0
            00                                               # gap: 0
            c0 18                                            # length: 3,136
            00                                               # piece: the next one, 1
            00                                               # offset in the piece: 0
            00                                               # keys of piece 0: none
            00                                               # keys of piece 1: none
            19 7f 02 7d                                      # Adler-32
            78 01 01 00 00 ff ff                             # zlib: nothing
            00 00 00 01                                      # Adler-32
            """,
            .pieceList(PieceListPart(resource: 0, rest: 0, bytes: ByteBuffer(bytes: listOfPages)))
        ),
        GoldenFrame(
            .rangeRequest,
            """
            2a                                               # type: rangeRequest
            00                                               # flags
            00 00                                            # reserved
            00 00 00 1c                                      # length: 28
            00 00 00 00                                      # resource: 0
            00 00 00 00 00 00 10 00                          # first run: byte 4,096
            00 00 20 00                                      # ... 8,192 bytes
            00 00 00 00 00 00 90 00                          # second run: byte 36,864
            00 00 0c 40                                      # ... 3,136 bytes
            """,
            .rangeRequest(RangeRequest(resource: 0, runs: [4096..<12_288, 36_864..<40_000]))
        ),
    ]

    /// The list of the pages of the last chunk of the sample's tiles.
    static let listOfPages: [UInt8] =
        [0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0x11, 0, 0, 0, 0x1C, 0, 0, 0, 0]
        + [0xD6, 0xD9, 0xED, 0xCF, 0x5D, 0x34, 0x54, 0x55, 0x68, 0xE8, 0x32, 0x0C, 0x30, 0xAB, 0x65, 0x4E]
        + [
            0x78, 0x01, 0x01, 0x11, 0x00, 0xEE, 0xFF, 0, 0, 2, 0x80, 0x80, 2, 0x80, 0x20, 0, 0, 0, 0xC0, 0x18, 0, 0, 0,
            0,
        ]
        + [0x19, 0x7F, 0x02, 0x7D, 0x78, 0x01, 0x01, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1]
}
