import Testing

@testable import RegionStore

@Suite struct XMLScannerTests {
    private func events(_ xml: String) throws -> String {
        var scanner = XMLScanner(Array(xml.utf8))
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

    @Test func knowsWhereItIs() throws {
        var scanner = XMLScanner(Array("<a>\n  <b c/>".utf8))
        #expect(throws: XMLScanner.Malformed.self) { while true { _ = try scanner.next() } }
        #expect(scanner.line == 2)
        #expect(scanner.column == 7)
    }
}
