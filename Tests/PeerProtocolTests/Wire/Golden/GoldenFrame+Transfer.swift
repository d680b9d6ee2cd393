import FoundationEssentials
import PeerProtocol

extension GoldenFrame {
    /// Frames of the transfer.
    static let transfer: [GoldenFrame] = [
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
            .digestQuery,
            """
            2b                                               # type: digestQuery
            00                                               # flags
            00 00                                            # reserved
            00 00 00 15                                      # length: 21
            7b 22 6b 69 6e 64 73 22 3a 5b 22 6d 62 74 69 6c  # {"kinds":["mbtil
            65 73 22 5d 7d                                   # es"]}
            """,
            .digestQuery(DigestQuery(kinds: [.mbtiles]))
        ),
        GoldenFrame(
            .catalogue,
            """
            2d                                               # type: catalogue
            00                                               # flags
            00 00                                            # reserved
            00 00 00 3a                                      # length: 58
            7b 22 6f 66 66 65 72 73 22 3a 5b 7b 22 69 64 22  # {"offers":[{"id"
            3a 22 30 46 38 46 41 44 35 42 2d 44 39 43 42 2d  # :"0F8FAD5B-D9CB-
            34 36 39 46 2d 41 31 36 35 2d 37 30 38 36 37 37  # 469F-A165-708677
            32 38 39 35 30 45 22 7d 5d 7d                    # 28950E"}]}
            """,
            .catalogue(Data(#"{"offers":[{"id":"\#(Sample.id.uuidString)"}]}"#.utf8))
        ),
        GoldenFrame(
            .pick,
            """
            2e                                               # type: pick
            00                                               # flags
            00 00                                            # reserved
            00 00 00 30                                      # length: 48
            7b 22 69 64 73 22 3a 5b 22 30 46 38 46 41 44 35  # {"ids":["0F8FAD5
            42 2d 44 39 43 42 2d 34 36 39 46 2d 41 31 36 35  # B-D9CB-469F-A165
            2d 37 30 38 36 37 37 32 38 39 35 30 45 22 5d 7d  # -70867728950E"]}
            """,
            .pick(OfferPick(ids: [Sample.id]))
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
            .turn,
            """
            2c                                               # type: turn
            00                                               # flags
            00 00                                            # reserved
            00 00 00 23                                      # length: 35
            7b 22 63 6f 75 6e 74 22 3a 38 2c 22 70 6c 61 63  # {"count":8,"plac
            65 22 3a 33 2c 22 73 65 63 6f 6e 64 73 22 3a 31  # e":3,"seconds":1
            32 30 7d                                         # 20}
            """,
            .turn(TurnNotice(place: 3, count: 8, seconds: 120))
        ),
    ]
}
