import LocalSend
import Testing

@Suite struct LocalSendPathTests {
    private static let all: [LocalSendPath] = [
        .register, .info, .prepareUpload(pin: nil), .prepareUpload(pin: "12 34&=%"),
        .upload(session: "s", file: "f", token: "t"),
        .cancel(session: nil), .cancel(session: "s"),
    ]

    @Test(arguments: all) func aRequestIsReadAgain(_ request: LocalSendPath) throws {
        #expect(try LocalSendPath(request.path, query: request.query) == request)
        #expect(request.path.hasPrefix("/api/localsend/v2/"))
        #expect(request.isReading == (request == .info))
    }

    @Test(arguments: [
        "", "/", "/api/localsend/v2/", "/api/localsend/v2/Register", "/api/localsend/v2/register/",
        "/api/localsend/v2//register",
        "/api/localsend/v1/register", "/api/localsend/v3/register", "/api/localsend/v2/show",
        "/api/localsend/v2/prepare-download",
        "/api/localsend/v2/download", "api/localsend/v2/register",
    ])
    func otherPathsAreNone(_ path: String) throws { #expect(try LocalSendPath(path, query: ["sessionId": "s"]) == nil) }

    @Test func anOlderDeviceAsksWhoThisIs() throws {
        #expect(try LocalSendPath("/api/localsend/v1/info", query: ["fingerprint": "x"]) == .info)
    }

    @Test(arguments: ["sessionId", "fileId", "token"]) func aPartThatIsMissingIsSaid(_ key: String) {
        var query = LocalSendPath.upload(session: "s", file: "f", token: "t").query
        for value in [nil, "", "ä", "a\r\nb", "\u{0}", String(repeating: "x", count: 257)] {
            query[key] = value
            #expect(throws: LocalSendFault.missing(key)) { try LocalSendPath("/api/localsend/v2/upload", query: query) }
        }
        #expect(LocalSendFault.missing(key).status == .invalid)
    }

    @Test func aPINOrASessionThatCannotBeOneIsSaid() {
        #expect(throws: LocalSendFault.missing("pin")) {
            try LocalSendPath("/api/localsend/v2/prepare-upload", query: ["pin": String(repeating: "1", count: 257)])
        }
        #expect(throws: LocalSendFault.missing("sessionId")) {
            try LocalSendPath("/api/localsend/v2/cancel", query: ["sessionId": ""])
        }
    }

    @Test func anErrorIsWrittenAsOthersReadIt() {
        #expect(String(decoding: LocalSendStatus.json("Rejected “x”"), as: UTF8.self) == #"{"message":"Rejected “x”"}"#)
        #expect(LocalSendStatus.allCases.map(\.rawValue) == [200, 204, 400, 401, 403, 404, 409, 413, 422, 429, 500])
    }
}
