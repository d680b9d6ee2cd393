/// The content of a request is not taken.
package struct WebRefusal: Error {
    /// The answer that the client gets.
    package var answer: WebResponse

    package init(_ answer: WebResponse) { self.answer = answer }
}
