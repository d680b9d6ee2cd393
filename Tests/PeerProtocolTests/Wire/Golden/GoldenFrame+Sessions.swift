import PeerProtocol

extension GoldenFrame {
    /// Frames of sessions, and the keys of other frames that only sides with sessions send.
    static let sessions: [GoldenFrame] = [
        GoldenFrame(
            .hello,
            """
            01                                               # type: hello
            00                                               # flags
            00 00                                            # reserved
            00 00 01 51                                      # length: 337
            7b 22 61 70 70 6c 69 63 61 74 69 6f 6e 22 3a 22  # {"application":"
            68 69 6b 65 73 68 61 72 65 22 2c 22 64 69 73 70  # hikeshare","disp
            6c 61 79 4e 61 6d 65 22 3a 22 41 6e 61 e2 80 99  # layName":"Ana’
            73 20 6c 61 70 74 6f 70 22 2c 22 65 6e 63 72 79  # s laptop","encry
            70 74 69 6f 6e 22 3a 22 72 65 71 75 69 72 65 64  # ption":"required
            22 2c 22 66 65 61 74 75 72 65 73 22 3a 5b 22 73  # ","features":["s
            65 73 73 69 6f 6e 73 22 5d 2c 22 69 6e 63 61 72  # essions"],"incar
            6e 61 74 69 6f 6e 22 3a 22 41 41 45 43 41 77 51  # nation":"AAECAwQ
            46 42 67 63 49 43 51 6f 4c 44 41 30 4f 44 77 22  # FBgcICQoLDA0ODw"
            2c 22 6d 61 78 69 6d 75 6d 52 65 73 6f 75 72 63  # ,"maximumResourc
            65 53 69 7a 65 22 3a 32 37 34 38 37 37 39 30 36  # eSize":274877906
            39 34 34 2c 22 70 65 65 72 49 44 22 3a 22 30 61  # 944,"peerID":"0a
            33 36 37 62 39 32 63 66 30 62 30 33 37 64 66 64  # 367b92cf0b037dfd
            38 39 39 36 30 65 65 38 33 32 64 35 36 66 37 66  # 89960ee832d56f7f
            63 31 35 31 36 38 31 62 62 34 31 65 35 33 36 39  # c151681bb41e5369
            30 65 37 37 36 66 35 37 38 36 39 39 38 61 22 2c  # 0e776f5786998a",
            22 70 6c 61 74 66 6f 72 6d 22 3a 22 4c 69 6e 75  # "platform":"Linu
            78 22 2c 22 72 6f 6c 65 22 3a 22 6c 69 73 74 65  # x","role":"liste
            6e 65 72 22 2c 22 73 6f 66 74 77 61 72 65 22 3a  # ner","software":
            22 68 69 6b 65 73 68 61 72 65 20 30 2e 31 2e 30  # "hikeshare 0.1.0
            22 2c 22 76 65 72 73 69 6f 6e 73 22 3a 5b 31 5d  # ","versions":[1]
            7d                                               # }
            """,
            .hello(Sample.sessionsHello)
        ),
        GoldenFrame(
            .invite,
            """
            10                                               # type: invite
            00                                               # flags
            00 00                                            # reserved
            00 00 00 57                                      # length: 87
            7b 22 73 65 73 73 69 6f 6e 22 3a 7b 22 63 6f 6e  # {"session":{"con
            6e 65 63 74 69 6f 6e 43 6f 75 6e 74 22 3a 30 2c  # nectionCount":0,
            22 6d 65 6d 62 65 72 73 22 3a 31 2c 22 74 61 6b  # "members":1,"tak
            65 73 41 6e 79 6f 6e 65 22 3a 66 61 6c 73 65 2c  # esAnyone":false,
            22 77 69 73 68 22 3a 31 7d 2c 22 74 69 6d 65 6f  # "wish":1},"timeo
            75 74 22 3a 33 30 7d                             # ut":30}
            """,
            .invite(Sample.sessionInvitation)
        ),
        GoldenFrame(
            .decline,
            """
            12                                               # type: decline
            00                                               # flags
            00 00                                            # reserved
            00 00 00 60                                      # length: 96
            7b 22 63 6f 64 65 22 3a 22 63 72 6f 73 73 65 64  # {"code":"crossed
            22 2c 22 63 6f 6e 6e 65 63 74 69 6f 6e 43 6f 75  # ","connectionCou
            6e 74 22 3a 33 2c 22 65 70 6f 63 68 22 3a 31 2c  # nt":3,"epoch":1,
            22 72 65 61 73 6f 6e 22 3a 22 41 6e 6f 74 68 65  # "reason":"Anothe
            72 20 63 6f 6e 6e 65 63 74 69 6f 6e 20 63 61 72  # r connection car
            72 69 65 73 20 74 68 65 20 6c 69 6e 6b 2e 22 7d  # ries the link."}
            """,
            .decline(Sample.crossed)
        ),
        GoldenFrame(
            .cancel,
            """
            05                                               # type: cancel
            00                                               # flags
            00 00                                            # reserved
            00 00 00 27                                      # length: 39
            7b 22 64 69 73 63 6f 6e 6e 65 63 74 73 22 3a 74  # {"disconnects":t
            72 75 65 2c 22 72 65 61 73 6f 6e 22 3a 22 45 6e  # rue,"reason":"En
            6f 75 67 68 2e 22 7d                             # ough."}
            """,
            .cancel(Cancellation(reason: "Enough.", disconnects: true))
        ),
        GoldenFrame(
            .link,
            """
            30                                               # type: link
            00                                               # flags
            00 00                                            # reserved
            00 00 00 ae                                      # length: 174
            7b 22 61 64 64 72 65 73 73 65 73 22 3a 5b 22 31  # {"addresses":["1
            39 32 2e 31 36 38 2e 31 2e 37 3a 36 34 34 35 33  # 92.168.1.7:64453
            22 5d 2c 22 63 6f 6e 6e 65 63 74 69 6f 6e 43 6f  # "],"connectionCo
            75 6e 74 22 3a 32 2c 22 65 70 6f 63 68 22 3a 31  # unt":2,"epoch":1
            2c 22 6d 61 78 69 6d 75 6d 4d 65 73 73 61 67 65  # ,"maximumMessage
            4c 65 6e 67 74 68 22 3a 31 30 34 38 35 37 36 2c  # Length":1048576,
            22 6d 65 73 73 61 67 65 54 79 70 65 73 22 3a 5b  # "messageTypes":[
            7b 22 6e 61 6d 65 22 3a 22 63 68 61 74 2e 6c 69  # {"name":"chat.li
            6e 65 22 2c 22 76 65 72 73 69 6f 6e 22 3a 31 7d  # ne","version":1}
            5d 2c 22 72 65 63 65 69 76 65 64 22 3a 33 2c 22  # ],"received":3,"
            77 69 6e 64 6f 77 22 3a 36 35 35 33 36 7d        # window":65536}
            """,
            .link(Sample.terms)
        ),
        GoldenFrame(
            .members,
            """
            31                                               # type: members
            00                                               # flags
            00 00                                            # reserved
            00 00 01 1a                                      # length: 282
            7b 22 6d 65 6d 62 65 72 73 22 3a 5b 7b 22 61 64  # {"members":[{"ad
            64 72 65 73 73 65 73 22 3a 5b 22 31 39 32 2e 31  # dresses":["192.1
            36 38 2e 31 2e 37 3a 36 34 34 35 33 22 5d 2c 22  # 68.1.7:64453"],"
            63 6f 75 6e 74 65 72 22 3a 33 2c 22 64 69 73 70  # counter":3,"disp
            6c 61 79 4e 61 6d 65 22 3a 22 41 6e 6e 61 22 2c  # layName":"Anna",
            22 69 64 22 3a 22 30 61 33 36 37 62 39 32 63 66  # "id":"0a367b92cf
            30 62 30 33 37 64 66 64 38 39 39 36 30 65 65 38  # 0b037dfd89960ee8
            33 32 64 35 36 66 37 66 63 31 35 31 36 38 31 62  # 32d56f7fc151681b
            62 34 31 65 35 33 36 39 30 65 37 37 36 66 35 37  # b41e53690e776f57
            38 36 39 39 38 61 22 2c 22 69 6e 63 61 72 6e 61  # 86998a","incarna
            74 69 6f 6e 22 3a 22 41 41 45 43 41 77 51 46 42  # tion":"AAECAwQFB
            67 63 49 43 51 6f 4c 44 41 30 4f 44 77 22 2c 22  # gcICQoLDA0ODw","
            6c 69 6e 6b 73 22 3a 5b 22 38 31 62 61 65 38 37  # links":["81bae87
            36 62 37 30 35 31 33 63 39 22 5d 2c 22 70 6c 61  # 6b70513c9"],"pla
            74 66 6f 72 6d 22 3a 22 4c 69 6e 75 78 22 2c 22  # tform":"Linux","
            73 6f 66 74 77 61 72 65 22 3a 22 63 68 61 74 20  # software":"chat 
            31 2e 30 22 2c 22 73 74 61 74 75 73 22 3a 22 70  # 1.0","status":"p
            72 65 73 65 6e 74 22 7d 5d 7d                    # resent"}]}
            """,
            .record(Record(.members, payload: try Sample.members()))
        ),
        GoldenFrame(
            .open,
            """
            32                                               # type: open
            00                                               # flags
            00 00                                            # reserved
            00 00 00 10                                      # length: 16
            00 00 00 02                                      # stream: 2
            01                                               # kind: messages
            01                                               # flags: only from the opener
            00 04                                            # length of the name: 4
            6d 61 69 6e                                      # main
            00 02                                            # length of the metadata: 2
            00 ff                                            # metadata
            """,
            .record(Record(.open, payload: Sample.opening.encoded()))
        ),
        GoldenFrame(
            .droppable,
            """
            33                                               # type: droppable
            00                                               # flags
            00 00                                            # reserved
            00 00 00 0d                                      # length: 13
            04                                               # length of the channel's name: 4
            6d 61 69 6e                                      # main
            01                                               # length of the key: 1
            6b                                               # k
            00                                               # form: bytes
            00                                               # length of the name: 0
            00 00                                            # version: 0
            ca fe                                            # payload
            """,
            .droppable(Sample.droppable)
        ),
        GoldenFrame(
            .bytes,
            """
            34                                               # type: bytes
            00                                               # flags
            00 00                                            # reserved
            00 00 00 22                                      # length: 34
            00 00 00 02                                      # stream: 2
            00 00 00 1a                                      # length of the message: 26
            01                                               # form: JSON
            09                                               # length of the name: 9
            63 68 61 74 2e 6c 69 6e 65                       # chat.line
            00 01                                            # version: 1
            7b 22 74 65 78 74 22 3a 22 68 69 22 7d           # {"text":"hi"}
            """,
            .record(Record(.bytes, payload: try Sample.streamBytes().encoded()))
        ),
        GoldenFrame(
            .credit,
            """
            35                                               # type: credit
            00                                               # flags
            00 00                                            # reserved
            00 00 00 20                                      # length: 32
            00 00 00 00 00 00 00 09                          # records received: 9
            00 00 00 02                                      # stream: 2
            00 00 00 00 00 02 00 00                          # limit: 131072
            00 00 00 05                                      # stream: 5
            00 00 00 01 00 00 00 00                          # limit: 4294967296
            """,
            .credit(Sample.credit)
        ),
        GoldenFrame(
            .end,
            """
            36                                               # type: end
            00                                               # flags
            00 00                                            # reserved
            00 00 00 0c                                      # length: 12
            00 00 00 07                                      # stream: 7
            03                                               # code: nothing takes it
            00 05                                            # length of the reason: 5
            6e 6f 20 6f 6b                                   # no ok
            """,
            .record(Record(.end, payload: Sample.streamEnd.encoded()))
        ),
        GoldenFrame(
            .resource,
            """
            37                                               # type: resource
            00                                               # flags
            00 00                                            # reserved
            00 00 00 74                                      # length: 116
            7b 22 63 6f 75 6e 74 22 3a 31 2c 22 6d 65 74 61  # {"count":1,"meta
            64 61 74 61 22 3a 22 41 51 49 3d 22 2c 22 6e 61  # data":"AQI=","na
            6d 65 22 3a 22 4d 61 70 22 2c 22 73 69 7a 65 22  # me":"Map","size"
            3a 35 2c 22 74 72 61 6e 73 66 65 72 22 3a 22 30  # :5,"transfer":"0
            46 38 46 41 44 35 42 2d 44 39 43 42 2d 34 36 39  # F8FAD5B-D9CB-469
            46 2d 41 31 36 35 2d 37 30 38 36 37 37 32 38 39  # F-A165-708677289
            35 30 45 22 2c 22 76 65 72 62 22 3a 22 6f 66 66  # 50E","verb":"off
            65 72 22 7d                                      # er"}
            """,
            .record(Record(.resource, payload: try Sample.notice.encoded()))
        ),
    ]
}
