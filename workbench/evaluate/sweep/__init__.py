"""How the engines' times grow with D: settings, cost, result and its texts."""
