"""256 short English words in alphabetical order, one for each value of a byte.

For people who compare fingerprints by reading them aloud: three to seven letters, known to a learner of the language,
none the beginning of another. Ready-made lists were rejected: those of 256 words come in
pairs for odd and even places, the others have 2048 words and are full of rare ones.
"""

from __future__ import annotations

_LIST = """
acid actor admit adult agent alarm album angel animal apple april arena armor arrow artist aunt
autumn baby bacon banana bank barrel basket beach bean bed bell bench bicycle bird bishop blanket
blue board bone book bottle box boy bread bridge brother brush bubble bucket bus butter button
cabin cactus cake camera candle captain carpet castle cat cave chain cheese cherry chicken child church
circus city clock cloud coach coffee coin color comet cookie copper corner cotton cow crab crown
cup curtain dance danger desert diamond dinner doctor dog dolphin donkey door dragon dream dress drum
duck eagle ear east egg elbow empty engine evening family farm father feather fence field finger
fire fish flag flower forest fork fox friend frog fruit garden garlic ghost giant giraffe girl
glass goat gold grape grass green guitar hammer hand harbor hat heart helmet hero hill honey
horse hotel house ice insect iron island jacket jam jelly jewel judge juice jungle key king
kitchen kite knife ladder lake lamp lemon letter lion lizard lobster lock lunch magic map market
melon metal milk mirror money monkey moon mother mouse mouth music nail neck needle nephew night
nose number nurse ocean office olive onion orange oven owl page paint palace paper park parrot
pencil pepper piano picnic pilot pizza planet pocket pony potato prince puppy purple queen rabbit radio
rain ribbon rice river robot rocket roof rose sailor salad salt sand school shark sheep ship
shoe silver sister snake snow soap soldier spider spoon spring star stone storm sugar summer window
"""

WORDS = tuple(_LIST.split())
