/// On which ways phones get what is sent.
package struct PhoneWaysChoice: Hashable, Sendable {
    /// Whether there is a page for phones.
    package var hasPage: Bool
    /// Whether phones that have LocalSend are found.
    package var hasLocalSend: Bool

    /// Whether there is none of the two.
    var isEmpty: Bool { !hasPage && !hasLocalSend }

    package init(hasPage: Bool, hasLocalSend: Bool) { (self.hasPage, self.hasLocalSend) = (hasPage, hasLocalSend) }
}
