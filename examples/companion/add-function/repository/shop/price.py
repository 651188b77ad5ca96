"""Prices with and without tax."""


def net(gross):
    """The price without ten per cent tax."""
    return round(gross / 1.1, 2)
