import unittest

from shop.price import net


class PriceTest(unittest.TestCase):
    def test_net(self):
        self.assertEqual(net(110), 100)


if __name__ == "__main__":
    unittest.main()
