import PeerProtocol

extension GoldenFrame {
    /// Frames of lanes.
    static let lanes: [GoldenFrame] = [
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
