import Testing

@testable import TrackFiles

@Suite struct XMLScannerTests {
    /// A scanner that gets the text in pieces.
    private static func scanner(_ xml: String, pieceLength: Int = .max) -> XMLScanner {
        var rest = Array(xml.utf8)[...]
        return XMLScanner {
            guard !rest.isEmpty else { return nil }
            let piece = Array(rest.prefix(pieceLength))
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }

    private func events(_ xml: String, pieceLength: Int = .max) throws -> String {
        var scanner = Self.scanner(xml, pieceLength: pieceLength)
        var events = ""
        var text: [UInt8] = []
        while true {
            let event = try scanner.next()
            if case .text(let piece) = event {
                text += piece
                continue
            }
            if !text.isEmpty { events += "(\(String(decoding: text, as: UTF8.self)))" }
            text = []
            switch event {
            case .start(let name):
                events += "<\(name)"
                for (key, value) in scanner.attributes.sorted(by: { $0.key < $1.key }) {
                    events += " \(key)=[\(value)]"
                }
            case .end: events += ">"
            case .text: break
            case .finished:
                return events + (scanner.input.badCharacterCount > 0 ? " -\(scanner.input.badCharacterCount)" : "")
            }
        }
    }

    @Test(arguments: [
        ("<a/>", "<a>"), (" <a ></a >\n", "<a>"), ("<a b='1' c = \"'2\"/>", "<a b=[1] c=['2]>"),
        ("<a>x<b/>y</a>", "<a(x)<b>(y)>"), ("<a><![CDATA[<&]]>]]&gt;</a>", "<a(<&]]>)>"),
        ("<a><![CDATA[a]b]]c]]]>]]]]><![CDATA[]]></a>", "<a(a]b]]c]]]]]>)>"), ("\r\n<a\r\n/>\r", "<a>"),
        ("<?xml?><!-- < --><a><?p?><?q r?><!----></a><!-- z -->", "<a>"), ("<é:ß/>", "<é:ß>"),
        ("<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x1F97E;</a>", "<a(&<>\"'A🥾)>"), ("<a>1\r\n2\r3</a>", "<a(1\n2\n3)>"),
        ("<a b='&lt;&#38;'/>", "<a b=[<&]>"),
        // Halves of characters, as programs write them that think in UTF-16.
        ("<a b='&#xD83E;&#xDD7E;'>&#55357;&#56832;</a>", "<a b=[🥾](😀)>"), ("<a>&#xD800;x</a>", "<a(x)> -1"),
        ("<a>&#xDC00;&#xD83E;&#65;&#xD83E;</a>", "<a(A)> -3"), ("<a>&#xD83E;&#xD83E;&#xDD7E;</a>", "<a(🥾)> -1"),
        ("<a>&#xD83E;&amp;&#xD83E;&x;</a>", "<a(&&x;)> -2"),
        // Characters that XML does not allow.
        ("<a b='\u{1}x'>y\u{0}\u{B}z<![CDATA[\u{1F}]]></a>\u{0}", "<a b=[x](yz)> -5"),
        ("<a>&#0;&#x110000;&#99999999999;&#xFFFE;&#8;</a>", "<a> -5"),
        // References to nothing.
        ("<a>&x;&eacute;</a>", "<a(&x;&eacute;)>"),
        ("<a b='Q&A'>Tom & Jerry &amp</a>", "<a b=[Q&A](Tom & Jerry &amp)>"),
        ("<a>&#+65;&#;&#xG;&;</a>", "<a(&#+65;&#;&#xG;&;)>"),
    ])
    func reads(xml: String, expected: String) throws {
        #expect(try events(xml) == expected)
    }

    @Test(arguments: [
        "", " ", "x", "<", "<a", "<a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "</a>", "<a b/>", "<a b=1/>",
        "<a b='1'c='2'/>",
        "<a b='1' b='2'/>", "<a b='<'/>", "<a b='1/>", "<a>&x;", "&amp;<a/>", "<a/>&amp;", "<1/>", "<-a/>", "< a/>",
        "<a><!-- </a>",
        "<a><![CDATA[</a>", "<![CDATA[x]]><a/>", "<!DOCTYPE a><a/>", "<a><!ENTITY b 'c'></a>", "<a></a", "<a/ >",
        "<?x <a/>",
    ])
    func refuses(xml: String) {
        #expect(throws: (any Error).self) { try events(xml) }
    }

    @Test(arguments: [1, 2, 3, 5, 8, 1000])
    func readsTheSameWhereverTheFileIsCut(pieceLength: Int) throws {
        let piece = "<b c='&lt;é&#xD83E;&#xDD7E;' d=\"2\">x&amp;🥾\r\ny<![CDATA[<&]]]]><!-- -z-- --><?p q??></b>\n"
        let xml = "<a>" + String(repeating: piece, count: 400) + "</a>"
        let one = "<b c=[<é🥾] d=[2](x&🥾\ny<&]])>(\n)"
        #expect(try events(xml, pieceLength: pieceLength) == "<a" + String(repeating: one, count: 400) + ">")
        var scanner = Self.scanner(xml + "<b>", pieceLength: pieceLength)
        #expect(throws: XMLScanner.Malformed.self) { while true { if case .finished = try scanner.next() { break } } }
        #expect(scanner.input.line == 801)
    }

    @Test func longTextsComeInPieces() throws {
        let long = String(repeating: "x", count: 400_000)
        for xml in ["<a>\(long)</a>", "<a><![CDATA[\(long)]]></a>", "<a><!--\(long)--></a>"] {
            var scanner = Self.scanner(xml, pieceLength: 10_000)
            var lengths: [Int] = []
            loop: while true {
                switch try scanner.next() {
                case .text(let text): lengths.append(text.count)
                case .finished: break loop
                case .start, .end: break
                }
            }
            #expect(lengths.allSatisfy { $0 <= 10_000 })
            #expect(lengths.reduce(0, +) == (xml.contains("--") ? 0 : 400_000))
        }
    }

    @Test func longAndFurtherAttributesAreNotHeld() throws {
        let names = (0..<300).map { " a\($0)='\(String(repeating: "x", count: 10_000))'" }.joined()
        var scanner = Self.scanner("<a\(names)/>", pieceLength: 10_000)
        guard case .start = try scanner.next() else { throw XMLScanner.Malformed() }
        #expect(scanner.attributes.count == 100)
        #expect(scanner.attributes.values.allSatisfy { $0.utf8.count == XMLScanner.maximumValueLength })
    }

    @Test func knowsWhereItIs() throws {
        var scanner = Self.scanner("<a>\n  <b c/>")
        #expect(throws: XMLScanner.Malformed.self) { while true { _ = try scanner.next() } }
        #expect(scanner.input.line == 2)
        #expect(scanner.input.column == 7)
    }
}
