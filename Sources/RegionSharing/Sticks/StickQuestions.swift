package import RegionStore

/// Whether regions are written for the machine that has written a request, which is not trusted.
package struct StickRecipientQuestion: Question {
    package var recipient: StickRecipient
    /// The names of the regions.
    package var regions: [String]
    /// What of them concerns a person.
    package var personal: PersonalContent

    package var defaultAnswer: Bool { false }
}

/// Whether what concerns a person is written for anyone who has the secret.
package struct StickAnyoneQuestion: Question {
    package var personal: PersonalContent
    package var regionCount: Int

    package var defaultAnswer: Bool { false }
}

/// Whether a request is written to a stick on which all files are for others.
package struct StickRequestQuestion: Question {
    package var defaultAnswer: Bool { false }
}
