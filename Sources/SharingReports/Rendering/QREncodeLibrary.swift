package import CQREncode
import Glibc

/// libqrencode, which is loaded when the first QR code is made.
///
/// The program also runs without it.
///
/// The names and types are those of qrencode.h, version 4.
package struct QREncodeLibrary: Sendable {
    package typealias Encode =
        @convention(c) (UnsafePointer<CChar>, CInt, QRecLevel, QRencodeMode, CInt) -> UnsafeMutablePointer<QRcode>?
    package typealias Free = @convention(c) (UnsafeMutablePointer<QRcode>?) -> Void

    /// Encodes a text: the text, the smallest version (0 for any), the level of error correction, the mode for what is
    /// neither digits nor upper-case letters, whether case matters.
    package let encode: Encode
    /// Frees a result of `encode`.
    package let free: Free

    /// The library of this machine; nil if it is not installed.
    package static let installed = QREncodeLibrary("libqrencode.so.4")

    /// Loads a library, which stays loaded; nil if there is none of that name.
    package init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL),
            let encode = dlsym(handle, "QRcode_encodeString"),
            let free = dlsym(handle, "QRcode_free")
        else { return nil }
        self.encode = unsafeBitCast(encode, to: Encode.self)
        self.free = unsafeBitCast(free, to: Free.self)
    }
}
