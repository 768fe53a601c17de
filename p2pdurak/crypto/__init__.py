"""Mental poker over integers and bytes: knows no cards, no rules, no files and no chance.

``group`` is the one checked door from bytes; ``transcript`` turns statements into challenges; ``secret`` derives
everything that a player chooses at random; ``elgamal`` masks and opens; ``proofs`` and ``shuffle`` prove that this
was done honestly; ``identity`` signs. The normative text is ``protocol/deck.md``.
"""
