import PeerProtocol

extension GoldenFrame {
    /// Frames that compare pages.
    static let pages: [GoldenFrame] = [
        GoldenFrame(
            .pageQuery,
            """
            28                                               # type: pageQuery
            00                                               # flags
            00 00                                            # reserved
            00 00 00 14                                      # length: 20
            00 00 00 00                                      # resource: 0
            00 00 00 00                                      # first run: chunk 0
            00 00 00 01                                      # ... 1 chunk
            00 00 00 02                                      # second run: chunk 2
            00 00 00 01                                      # ... 1 chunk
            """,
            .pageQuery(PageQuery(resource: 0, runs: [0..<1, 2..<3]))
        ),
        GoldenFrame(
            .pageDigests,
            """
            29                                               # type: pageDigests
            00                                               # flags
            00 00                                            # reserved
            00 00 00 34                                      # length: 52
            00 00 00 00                                      # resource: 0
            d6 7c 65 6e 01 75 66 50                          # digest of page 0, the first of chunk 0
            41 63 17 ed 11 e1 66 6e                          # digest of page 1
            d1 b8 2a 8c 64 b4 5b 2b                          # digest of page 2
            5c f6 de 63 42 be 5e 25                          # digest of page 3
            d6 d9 ed cf 5d 34 54 55                          # digest of page 8, the first of chunk 2
            68 e8 32 0c 30 ab 65 4e                          # digest of page 9, which has 3,136 bytes
            """,
            .pageDigests(PageDigestList(resource: 0, digests: Sample.tiles.pageDigests(0..<1, 2..<3)))
        ),
        GoldenFrame(
            .pageRequest,
            """
            2a                                               # type: pageRequest
            00                                               # flags
            00 00                                            # reserved
            00 00 00 14                                      # length: 20
            00 00 00 00                                      # resource: 0
            00 00 00 01                                      # first run: page 1
            00 00 00 02                                      # ... 2 pages
            00 00 00 09                                      # second run: page 9
            00 00 00 01                                      # ... 1 page
            """,
            .pageRequest(PageRequest(resource: 0, runs: [1..<3, 9..<10]))
        ),
    ]
}
