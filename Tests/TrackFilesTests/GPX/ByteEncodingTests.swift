import Foundation
import RegionModel
import Testing

@testable import TrackFiles

@Suite struct ByteEncodingTests {
    @Test(arguments: [
        ("iso-8859-1", String.Encoding.isoLatin1), ("latin1", .isoLatin1), ("iso-8859-2", .isoLatin2),
        ("windows-1250", .windowsCP1250), ("windows-1251", .windowsCP1251), ("windows-1252", .windowsCP1252),
        ("windows-1253", .windowsCP1253), ("windows-1254", .windowsCP1254),
    ])
    func everyByteIsTheCharacterThatFoundationReads(name: String, encoding: String.Encoding) throws {
        let ours = try #require(ByteEncoding.named[name])
        for byte in 0...UInt8.max {
            let character = String(data: Data([byte]), encoding: encoding)?.unicodeScalars.first
            if let read = ours[byte] {
                #expect(read == character)
            } else {
                // Foundation has none either, or, as a browser, the one of the same number.
                #expect(character == nil || character == Unicode.Scalar(byte))
            }
        }
    }

    @Test func aByteWithoutACharacterCostsItselfAndNotTheRest() throws {
        let xml = #"<?xml version="1.0" encoding="Windows-1253"?><gpx><wpt lat="1" lon="2"><name>~</name></wpt></gpx>"#
        let data = Data(xml.utf8).replacing([0x7E], with: [0xDC, 0xEB, 0xD2, 0xF6, 0xE1])
        let document = try TrackFileReader().read(data)
        #expect(document.waypoints.map(\.label) == ["άλφα"])
        #expect(document.leftOut == ["1 character that is not allowed"])
    }
}
