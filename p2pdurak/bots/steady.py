from p2pdurak.game.rules import legal_actions
def choose(view):
    return legal_actions(view)[0]
