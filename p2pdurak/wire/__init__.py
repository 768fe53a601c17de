"""Messages and files as bytes: strict, bounded, signed. Normative text: ``protocol/messages.md``."""
