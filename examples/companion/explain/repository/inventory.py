"""Keeps count of what is in stock."""

import json
from pathlib import Path


class Inventory:
    def __init__(self, path):
        self.path = Path(path)
        self.stock = json.loads(self.path.read_text()) if self.path.exists() else {}

    def restock(self, item, count):
        self.stock[item] = self.stock.get(item, 0) + count
        self._save()

    def sell(self, item, count):
        if self.stock.get(item, 0) < count:
            raise ValueError(f"only {self.stock.get(item, 0)} of {item} left")
        self.stock[item] -= count
        self._save()

    def _save(self):
        self.path.write_text(json.dumps(self.stock, indent=2))
