import Testing

@testable import RegionStore

@Suite struct XMLScannerTests {
    /// A scanner that gets the text in pieces.
    private static func scanner(_ xml: String, pieceLength: Int = .max) -> XMLScanner {
        var rest = Array(xml.utf8)[...]
        return XMLScanner(maximumLength: 300_000) {
            guard !rest.isEmpty else { return nil }
            let piece = Array(rest.prefix(pieceLength))
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }

    private func events(_ xml: String, pieceLength: Int = .max) throws -> String {
        var scanner = Self.scanner(xml, pieceLength: pieceLength)
        var events = ""
        while true {
            switch try scanner.next() {
            case .start(let name):
                events += "<\(name)"
                for (key, value) in scanner.attributes.sorted(by: { $0.key < $1.key }) {
                    events += " \(key)=[\(value)]"
                }
            case .text(let text): events += "(\(try scanner.text(text)))"
            case .end: events += ">"
            case .finished: return events
            }
        }
    }

    @Test(arguments: [
        ("<a/>", "<a>"), (" <a ></a >\n", "<a>"), ("<a b='1' c = \"'2\"/>", "<a b=[1] c=['2]>"),
        ("<a>x<b/>y</a>", "<a(x)<b>(y)>"), ("<a><![CDATA[<&]]>]]&gt;</a>", "<a(<&)(]]>)>"),
        ("<?xml?><!-- < --><a><?p?><?q r?><!----></a><!-- z -->", "<a>"), ("<é:ß/>", "<é:ß>"),
        ("<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x1F97E;</a>", "<a(&<>\"'A🥾)>"), ("<a>1\r\n2\r3</a>", "<a(1\n2\n3)>"),
        ("<a b='&lt;&#38;'/>", "<a b=[<&]>"),
    ])
    func reads(xml: String, expected: String) throws {
        #expect(try events(xml) == expected)
    }

    @Test(arguments: [
        "", " ", "x", "<", "<a", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "</a>", "<a b/>", "<a b=1/>",
        "<a b='1'c='2'/>",
        "<a b='1' b='2'/>", "<a b='<'/>", "<a b='1/>", "<a>&x;</a>", "<a>&</a>", "<a>&amp</a>", "<a>&#0;</a>",
        "<a>&#xD800;</a>",
        "<a>&#x110000;</a>", "<a>&#+65;</a>", "<a>&#99999999999;</a>", "<a>\u{1}</a>", "<1/>", "<-a/>", "< a/>",
        "<a><!-- </a>",
        "<a><![CDATA[</a>", "<![CDATA[x]]><a/>", "<!DOCTYPE a><a/>", "<a><!ENTITY b 'c'></a>", "<a></a", "<a/ >",
        "<?x <a/>",
    ])
    func refuses(xml: String) {
        #expect(throws: (any Error).self) { try events(xml) }
    }

    /// Longer than what the scanner holds, cut at places that differ from run to run.
    @Test(arguments: [0, 1, 2, 3, 5, 8, 13, 21])
    func readsTheSameWhereverTheFileIsCut(shift: Int) throws {
        let piece = "<b c='&lt;é' d=\"2\">x&amp;🥾\r\ny<![CDATA[<&]]><!-- z --><?p q?></b>\n"
        let xml = String(repeating: " ", count: shift) + "<a>" + String(repeating: piece, count: 4000) + "</a>"
        let one = "<b c=[<é] d=[2](x&🥾\ny)(<&)>(\n)"
        #expect(try events(xml, pieceLength: 1000) == "<a" + String(repeating: one, count: 4000) + ">")
        var scanner = Self.scanner(xml + "<b>", pieceLength: 1000)
        #expect(throws: XMLScanner.Malformed.self) { while true { if case .finished = try scanner.next() { break } } }
        #expect(scanner.line == 8001)
    }

    @Test func aTextThatIsTooLongIsRefused() throws {
        let long = "<a>" + String(repeating: "x", count: 400_000) + "</a>"
        #expect(throws: XMLScanner.Malformed.self) { try events(long, pieceLength: 10_000) }
        let comment = "<a><!--" + String(repeating: "x", count: 400_000) + "--></a>"
        #expect(throws: XMLScanner.Malformed.self) { try events(comment, pieceLength: 10_000) }
    }

    @Test func knowsWhereItIs() throws {
        var scanner = Self.scanner("<a>\n  <b c/>")
        #expect(throws: XMLScanner.Malformed.self) { while true { _ = try scanner.next() } }
        #expect(scanner.line == 2)
        #expect(scanner.column == 7)
    }
}
