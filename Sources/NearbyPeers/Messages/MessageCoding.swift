import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// Messages and the values of streams as JSON.
enum MessageCoding {
    // Several threads may use both at once. Making one takes about as long as reading or writing a short value.
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()

    /// Writes a value that is not too large for any peer.
    static func encode(_ value: some Encodable, named name: LinkName, version: Int) throws(PeerError) -> Message {
        let message = try write(value, named: name, version: version)
        if let fault = fault(of: message) { throw fault }
        return message
    }

    /// Writes a value, which may be too large: see ``fault(of:)``.
    static func write(_ value: some Encodable, named name: LinkName, version: Int) throws(PeerError) -> Message {
        let version = try checked(version, of: name)
        let data = try written(value, as: "message “\(name.text)”")
        return Message(.json(name, version: version), payload: ByteBuffer(bytes: data))
    }

    /// Checks the name and the version of a type.
    static func type(_ name: String, version: Int) throws(PeerError) -> (LinkName, UInt16) {
        let name = try LinkName.checked(name)
        return (name, try checked(version, of: name))
    }

    private static func checked(_ version: Int, of name: LinkName) throws(PeerError) -> UInt16 {
        guard let version = UInt16(exactly: version), version > 0 else {
            throw PeerError(.invalidArgument, "The version of “\(name.text)” must be from 1 to 65535.")
        }
        return version
    }

    /// Why no peer would read a message; nil if there is no such reason.
    static func fault(of message: Message) -> PeerError? {
        // Each value takes at least a byte.
        guard message.payload.readableBytes > ControlJSON.maximumMessageValueCount else { return nil }
        guard hasTooManyValues(Data(message.payload.readableBytesView)) else { return nil }
        return tooManyValues(in: "message “\(message.form.name?.text ?? "")”")
    }

    /// Writes a value on one line; errors call it `what`.
    static func json(of value: some Encodable, for what: @autoclosure () -> String) throws(PeerError) -> Data {
        let data = try written(value, as: what())
        guard !hasTooManyValues(data) else { throw tooManyValues(in: what()) }
        return data
    }

    private static func written(_ value: some Encodable, as what: @autoclosure () -> String) throws(PeerError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw PeerError(.invalidArgument, "The \(what()) cannot be written as JSON.", cause: error)
        }
    }

    private static func tooManyValues(in what: String) -> PeerError {
        PeerError(
            .invalidArgument,
            "The \(what) has more than \(ControlJSON.maximumMessageValueCount) values: the other side would reject it.",
            remedy: "Send large data as a resource."
        )
    }

    private static func hasTooManyValues(_ data: Data) -> Bool {
        // Each value takes at least a byte.
        guard data.count > ControlJSON.maximumMessageValueCount else { return false }
        do {
            try ControlJSON.checkMessage(data)
            return false
        } catch {
            return error as? JSONFault == .manyValues
        }
    }

    /// Reads a value; nil if the peer has sent anything else.
    static func decode<Value: Decodable>(_ type: Value.Type, from message: Message) -> Value? {
        value(type, in: message.payload.data)
    }

    /// Reads a value; nil if the data are anything else.
    static func value<Value: Decodable>(_ type: Value.Type, in data: Data) -> Value? {
        guard (try? ControlJSON.checkMessage(data)) != nil else { return nil }
        return try? decoder.decode(type, from: data)
    }
}
