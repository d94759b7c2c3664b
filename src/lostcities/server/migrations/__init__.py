"""How databases of older versions become one of this version."""
