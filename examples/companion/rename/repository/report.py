"""Prints what a cart comes to."""

from cart import calc, with_tax

ITEMS = [(100, 2), (50, 1)]

if __name__ == "__main__":
    print("net", calc(ITEMS))
    print("gross", with_tax(ITEMS))
