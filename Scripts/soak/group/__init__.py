"""The soak of groups: eight chats on eight hosts."""
