import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

/// One frame as a value and as the bytes that the wire format's page shows for it.
struct GoldenFrame: Sendable, CustomTestStringConvertible {
    let type: FrameType
    let hexdump: String
    /// The value; throwing, because manifests are checked when they are made.
    let frame: @Sendable () throws -> Frame

    var testDescription: String { "\(type)" }

    init(_ type: FrameType, _ hexdump: String, _ frame: @escaping @Sendable @autoclosure () throws -> Frame) {
        self.type = type
        self.hexdump = hexdump
        self.frame = frame
    }

    /// The data frame of the page: it is no ``Frame``.
    static let dataHeader = DataHeader(resource: 0, offset: 32_768, length: 24)
    static let data = Array(Sample.tiles.bytes[32_768..<32_792])
    static let dataHexdump = """
        24                                               # type: data
        00                                               # flags
        00 00                                            # reserved
        00 00 00 24                                      # length: 36
        00 00 00 00                                      # resource: 0
        00 00 00 00 00 00 80 00                          # offset: 32768, the first byte of chunk 2
        8a 8b 8c 8d 8e 8f 90 91 92 93 94 95 96 97 98 99  # 24 bytes of the resource
        9a 9b 9c 9d 9e 9f a0 a1
        """

    /// Every other frame.
    static let all: [GoldenFrame] = [
        GoldenFrame(
            .hello,
            """
            01                                               # type: hello
            00                                               # flags
            00 00                                            # reserved
            00 00 01 1e                                      # length: 286
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
            22 2c 22 72 6f 6c 65 22 3a 22 73 65 6e 64 65 72  # ","role":"sender
            22 2c 22 73 6f 66 74 77 61 72 65 22 3a 22 68 69  # ","software":"hi
            6b 65 73 68 61 72 65 20 30 2e 31 2e 30 22 2c 22  # keshare 0.1.0","
            76 65 72 73 69 6f 6e 73 22 3a 5b 31 5d 7d        # versions":[1]}
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
            00 00 00 3d                                      # length: 61
            7b 22 70 69 6e 6e 65 64 22 3a 74 72 75 65 2c 22  # {"pinned":true,"
            74 69 6d 65 6f 75 74 22 3a 31 35 2c 22 74 6f 6b  # timeout":15,"tok
            65 6e 22 3a 22 41 41 45 43 41 77 51 46 42 67 63  # en":"AAECAwQFBgc
            49 43 51 6f 4c 44 41 30 4f 44 77 22 7d           # ICQoLDA0ODw"}
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
        GoldenFrame(
            .manifest,
            """
            20                                               # type: manifest
            00                                               # flags
            00 00                                            # reserved
            00 00 01 6c                                      # length: 364
            7b 22 69 64 22 3a 22 30 46 38 46 41 44 35 42 2d  # {"id":"0F8FAD5B-
            44 39 43 42 2d 34 36 39 46 2d 41 31 36 35 2d 37  # D9CB-469F-A165-7
            30 38 36 37 37 32 38 39 35 30 45 22 2c 22 6e 61  # 0867728950E","na
            6d 65 22 3a 22 41 6e 64 6f 72 72 61 22 2c 22 72  # me":"Andorra","r
            65 73 6f 75 72 63 65 73 22 3a 5b 7b 22 64 69 67  # esources":[{"dig
            65 73 74 22 3a 22 64 64 62 66 30 36 34 62 38 34  # est":"ddbf064b84
            62 39 39 32 36 31 33 35 31 38 30 65 65 64 62 37  # b9926135180eedb7
            63 34 64 35 36 39 38 64 61 32 31 35 30 36 66 39  # c4d5698da21506f9
            63 39 35 38 31 37 62 63 39 39 30 33 36 32 65 65  # c95817bc990362ee
            34 32 37 36 30 65 22 2c 22 6e 61 6d 65 22 3a 22  # 42760e","name":"
            6d 62 74 69 6c 65 73 3a 30 46 38 46 41 44 35 42  # mbtiles:0F8FAD5B
            2d 44 39 43 42 2d 34 36 39 46 2d 41 31 36 35 2d  # -D9CB-469F-A165-
            37 30 38 36 37 37 32 38 39 35 30 45 22 2c 22 73  # 70867728950E","s
            69 7a 65 22 3a 34 30 30 30 30 7d 2c 7b 22 64 69  # ize":40000},{"di
            67 65 73 74 22 3a 22 31 38 30 39 62 39 64 37 37  # gest":"1809b9d77
            32 32 61 37 33 35 62 64 62 31 31 39 63 66 63 66  # 22a735bdb119cfcf
            37 63 37 61 64 37 63 66 39 63 37 37 63 66 34 37  # 7c7ad7cf9c77cf47
            39 32 64 63 32 37 66 39 31 31 65 34 36 64 35 35  # 92dc27f911e46d55
            64 32 62 39 66 32 33 22 2c 22 6e 61 6d 65 22 3a  # d2b9f23","name":
            22 77 61 79 70 6f 69 6e 74 73 3a 30 46 38 46 41  # "waypoints:0F8FA
            44 35 42 2d 44 39 43 42 2d 34 36 39 46 2d 41 31  # D5B-D9CB-469F-A1
            36 35 2d 37 30 38 36 37 37 32 38 39 35 30 45 22  # 65-70867728950E"
            2c 22 73 69 7a 65 22 3a 32 7d 5d 7d              # ,"size":2}]}
            """,
            .manifest(try Sample.manifest().body)
        ),
        GoldenFrame(
            .selection,
            """
            21                                               # type: selection
            00                                               # flags
            00 00                                            # reserved
            00 00 00 2e                                      # length: 46
            7b 22 6b 69 6e 64 73 22 3a 5b 22 6d 62 74 69 6c  # {"kinds":["mbtil
            65 73 22 2c 22 77 61 79 70 6f 69 6e 74 73 22 5d  # es","waypoints"]
            2c 22 75 6e 6b 6e 6f 77 6e 22 3a 5b 5d 7d        # ,"unknown":[]}
            """,
            .selection(ResourceSelection(kinds: [.mbtiles, .waypoints]))
        ),
        GoldenFrame(
            .digests,
            """
            22                                               # type: digests
            00                                               # flags
            00 00                                            # reserved
            00 00 00 68                                      # length: 104
            00 00 00 00                                      # resource: 0
            00 00 00 00                                      # first chunk: 0
            43 48 e3 b9 8e 8a 32 7b 34 ce d3 9c 1d a9 e6 7c  # digest of chunk 0
            db 4c d5 e4 8e 4d 79 60 60 7a 3a e4 03 d3 5f 0c
            f7 c9 04 5c 2a 79 a8 a2 a5 87 ef bf 5b 31 06 52  # digest of chunk 1
            68 5b 29 2e 6f bb 0b 08 c1 df 85 75 00 da 26 99
            8e c9 9c 0f a9 06 cc b8 1a 4c 7b 86 98 39 28 3e  # digest of chunk 2
            27 3b 59 6b 82 4b 31 00 7f 66 49 d3 12 81 db 63
            """,
            .digests(DigestListPart(resource: 0, digests: Sample.tiles.digests))
        ),
        GoldenFrame(
            .request,
            """
            23                                               # type: request
            00                                               # flags
            00 00                                            # reserved
            00 00 00 05                                      # length: 5
            00 00 00 00                                      # resource: 0
            a0                                               # bits 1010 0000: chunks 0 and 2
            """,
            .request(ChunkRequest(resource: 0, runs: [0..<1, 2..<3]))
        ),
        GoldenFrame(
            .confirmation,
            """
            25                                               # type: confirmation
            00                                               # flags
            00 00                                            # reserved
            00 00 00 5a                                      # length: 90
            7b 22 64 69 67 65 73 74 22 3a 22 64 64 62 66 30  # {"digest":"ddbf0
            36 34 62 38 34 62 39 39 32 36 31 33 35 31 38 30  # 64b84b9926135180
            65 65 64 62 37 63 34 64 35 36 39 38 64 61 32 31  # eedb7c4d5698da21
            35 30 36 66 39 63 39 35 38 31 37 62 63 39 39 30  # 506f9c95817bc990
            33 36 32 65 65 34 32 37 36 30 65 22 2c 22 72 65  # 362ee42760e","re
            73 6f 75 72 63 65 22 3a 30 7d                    # source":0}
            """,
            .confirmation(Confirmation(resource: 0, digest: Sample.tiles.entry.digest))
        ),
        GoldenFrame(
            .done,
            """
            26                                               # type: done
            00                                               # flags
            00 00                                            # reserved
            00 00 00 2d                                      # length: 45
            7b 22 69 64 22 3a 22 30 46 38 46 41 44 35 42 2d  # {"id":"0F8FAD5B-
            44 39 43 42 2d 34 36 39 46 2d 41 31 36 35 2d 37  # D9CB-469F-A165-7
            30 38 36 37 37 32 38 39 35 30 45 22 7d           # 0867728950E"}
            """,
            .done(Completion(id: Sample.id))
        ),
        GoldenFrame(
            .acknowledgement,
            """
            27                                               # type: acknowledgement
            00                                               # flags
            00 00                                            # reserved
            00 00 00 8e                                      # length: 142
            7b 22 69 64 22 3a 22 30 46 38 46 41 44 35 42 2d  # {"id":"0F8FAD5B-
            44 39 43 42 2d 34 36 39 46 2d 41 31 36 35 2d 37  # D9CB-469F-A165-7
            30 38 36 37 37 32 38 39 35 30 45 22 2c 22 69 6d  # 0867728950E","im
            70 6f 72 74 65 64 22 3a 7b 22 6d 62 74 69 6c 65  # ported":{"mbtile
            73 22 3a 31 2c 22 77 61 79 70 6f 69 6e 74 73 22  # s":1,"waypoints"
            3a 33 7d 2c 22 6b 65 70 74 4c 6f 63 61 6c 22 3a  # :3},"keptLocal":
            7b 22 77 61 79 70 6f 69 6e 74 73 22 3a 31 7d 2c  # {"waypoints":1},
            22 74 69 6d 65 22 3a 22 32 30 32 36 2d 30 35 2d  # "time":"2026-05-
            30 31 54 30 38 3a 33 30 3a 30 30 5a 22 7d        # 01T08:30:00Z"}
            """,
            .acknowledgement(Sample.acknowledgement)
        ),
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
        GoldenFrame(
            .lanes,
            """
            38                                               # type: lanes
            00                                               # flags
            00 00                                            # reserved
            00 00 00 2d                                      # length: 45
            7b 22 63 6f 75 6e 74 22 3a 33 2c 22 73 65 63 72  # {"count":3,"secr
            65 74 22 3a 22 41 41 45 43 41 77 51 46 42 67 63  # et":"AAECAwQFBgc
            49 43 51 6f 4c 44 41 30 4f 44 77 22 7d           # ICQoLDA0ODw"}
            """,
            .lanes(LaneInvitation(secret: Sample.laneSecret, count: 3))
        ),
        GoldenFrame(
            .join,
            """
            39                                               # type: join
            00                                               # flags
            00 00                                            # reserved
            00 00 00 23                                      # length: 35
            7b 22 73 65 63 72 65 74 22 3a 22 41 41 45 43 41  # {"secret":"AAECA
            77 51 46 42 67 63 49 43 51 6f 4c 44 41 30 4f 44  # wQFBgcICQoLDA0OD
            77 22 7d                                         # w"}
            """,
            .join(LaneJoin(secret: Sample.laneSecret))
        ),
        GoldenFrame(
            .allDispatched,
            """
            3a                                               # type: allDispatched
            00                                               # flags
            00 00                                            # reserved
            00 00 00 0e                                      # length: 14
            7b 22 72 65 73 6f 75 72 63 65 22 3a 30 7d        # {"resource":0}
            """,
            .allDispatched(AllDispatched(resource: 0))
        ),
    ]
}
