"""Write the network whose weights are the means of those of others.

Networks that learned on from one another say nearly the same unit by unit, so their mean
plays as well as they do, and what one of them learned by chance is left out.
"""

import argparse
from pathlib import Path

import numpy as np

from lostcities.agents.weights import load_network, save_network


def main() -> None:
    """Average some networks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("to", type=Path, help="where the mean goes")
    parser.add_argument("networks", type=Path, nargs="+")
    told = parser.parse_args()
    networks = [load_network(path) for path in told.networks]
    weights = np.mean([network.weights for network in networks], axis=0).astype(np.float32)
    save_network(told.to, weights, {"mean_of": [network.digest for network in networks]})


if __name__ == "__main__":
    main()
