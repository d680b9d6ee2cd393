import Foundation
import SharingReports

@testable import HikeShareCommands

/// Swift Testing has an `ExitStatus` of its own.
typealias Status = SharingReports.ExitStatus

/// Parses one line of JSON into its fields.
func fields(_ line: some StringProtocol) throws -> [String: JSONValue] {
    try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
}

/// Any JSON value, for looking into what was written.
enum JSONValue: Hashable, Decodable {
    case text(String)
    case number(Double)
    case bool(Bool)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
