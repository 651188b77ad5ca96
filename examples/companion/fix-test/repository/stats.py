"""Small statistics."""


def mean(values):
    """The arithmetic mean; 0 where there are no values."""
    if not values:
        return 0
    return sum(values) / len(values)


def spread(values):
    """The difference between the largest and the smallest value; 0 where there are no values."""
    if not values:
        return 0
    return min(values) - max(values)
