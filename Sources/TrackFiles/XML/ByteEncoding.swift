/// An encoding that has one byte for each character: what old programs wrote.
///
/// These are tables of our own, because Foundation's bring the data of ICU with them, which is most of the program.
struct ByteEncoding {
    /// Western Europe: bytes that are not UTF-8 are most often this.
    static let windows1252 = ByteEncoding(
        """
        €.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """
    )

    /// The encodings, by the names that XML declarations have for them, in small letters.
    static let named: [String: ByteEncoding] = [
        "iso-8859-1": isoLatin1, "latin1": isoLatin1, "iso-8859-2": isoLatin2, "windows-1250": windows1250,
        "windows-1251": windows1251, "windows-1252": windows1252, "windows-1253": windows1253,
        "windows-1254": windows1254,
    ]

    private static let isoLatin1 = ByteEncoding("")

    private static let isoLatin2 = ByteEncoding(
        """
        \u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """
    )

    private static let windows1250 = ByteEncoding(
        """
        €.‚.„…†‡.‰Š‹ŚŤŽŹ.‘’“”•–—.™š›śťžź\
        \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """
    )

    private static let windows1251 = ByteEncoding(
        """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—.™љ›њќћџ\
        \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
        абвгдежзийклмнопрстуфхцчшщъыьэюя
        """
    )

    private static let windows1253 = ByteEncoding(
        """
        €.‚ƒ„…†‡.‰.‹.....‘’“”•–—.™.›....\
        \u{A0}΅Ά£¤¥¦§¨©.«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏ\
        ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ.ΣΤΥΦΧΨΩΪΫάέήί\
        ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ.
        """
    )

    private static let windows1254 = ByteEncoding(
        """
        €.‚ƒ„…†‡ˆ‰Š‹Œ....‘’“”•–—˜™š›œ..Ÿ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
        àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
        """
    )

    /// The characters of all bytes; nil for a byte that has none.
    private let characters: [Unicode.Scalar?]

    /// Creates an encoding.
    ///
    /// - Parameter table: The characters of the last bytes, with a dot for a byte that has none. The bytes before them have the
    ///   characters of the same numbers.
    private init(_ table: String) {
        let last = table.unicodeScalars.map { $0 == "." ? nil : $0 }
        characters = (0...255).prefix(256 - last.count).map { Unicode.Scalar($0 as UInt8) } + last
    }

    /// The character of a byte; nil if it has none.
    subscript(byte: UInt8) -> Unicode.Scalar? { characters[Int(byte)] }

    /// Returns a text in UTF-8.
    ///
    /// A byte without a character becomes one that XML does not allow, so that the scanner leaves it out and counts it.
    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes { text += (self[byte] ?? "\0").utf8 }
        return text
    }
}
