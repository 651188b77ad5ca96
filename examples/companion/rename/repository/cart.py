"""What is in the cart."""


def calc(items):
    """The sum of price times count over all items."""
    return sum(price * count for price, count in items)


def with_tax(items):
    return round(calc(items) * 1.1, 2)
