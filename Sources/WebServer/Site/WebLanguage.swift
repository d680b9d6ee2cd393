internal import NIOHTTP1
internal import Sentences

/// The language of a person, as a browser tells it.
enum WebLanguage {
    /// The name of the cookie that has the language that a person has chosen on a page.
    static let cookie = "hikeshare-language"
    /// How long a browser keeps the cookie, in seconds: a year.
    private static let keepingTime = 31_536_000
    /// The maximum length of the cookies that are read, in bytes, and their maximum number.
    private static let limits = (length: 4_000, count: 50)

    /// Returns the language that a person has chosen, or else the one that the browser likes best; English if there is neither.
    static func of(_ headers: HTTPHeaders) -> Language {
        chosen(headers["cookie"]) ?? Language.accepted(headers["accept-language"].joined(separator: ",")) ?? .english
    }

    private static func chosen(_ fields: [String]) -> Language? {
        guard fields.reduce(0, { $0 + $1.utf8.count }) <= limits.length else { return nil }
        let cookies = fields.flatMap { $0.split(separator: ";") }.prefix(limits.count)
        return cookies.lazy.compactMap { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookie else { return nil }
            return Language.named(parts[1])
        }.first
    }

    /// The value of the field `Set-Cookie` that lets a browser keep a language, for the pages of all senders at this address.
    static func setting(_ language: Language) -> String {
        "\(cookie)=\(language.tag); Path=/; Max-Age=\(keepingTime); SameSite=Lax; HttpOnly"
    }
}
